import {
  LockStepSession,
  maxVehicleId,
  RealTimeSession,
  type ClockReading,
  type LockStepConfig,
  type RealTimeConfig,
  type SessionConfig,
  type SupervisionConfig,
  type SupervisionRule,
} from '../core/index.js';
import type { NestedSample } from '../messages/index.js';
import type { ReceivedCommand } from '../sides/index.js';

/** Either kind of session, over the samples of the wire contract. */
export type SampleSession =
  | { readonly mode: 'real'; readonly session: RealSession }
  | { readonly mode: 'simulated'; readonly session: SimulatedSession };

/** A session in real time, over the samples of the wire contract. */
export type RealSession = RealTimeSession<NestedSample, NestedSample, ReceivedCommand>;
type SimulatedSession = LockStepSession<NestedSample, NestedSample, ReceivedCommand>;

/** All that a session of `core` begins with. */
export type SessionSettings =
  | { readonly mode: 'real'; readonly config: RealTimeConfig }
  | { readonly mode: 'simulated'; readonly config: LockStepConfig };

/** A new session. @param now both clocks, from which its waits begin. */
export function openSession(settings: SessionSettings, now: ClockReading): SampleSession {
  if (settings.mode === 'real') {
    return { mode: 'real', session: new RealTimeSession(settings.config, now) };
  }
  return { mode: 'simulated', session: new LockStepSession(settings.config, now.monotonicNs) };
}

/** Settings as plain data: the rules of supervision are a table instead of a function. */
export type PlainSettings =
  PlainConfig<RealTimeConfig, 'real'> | PlainConfig<LockStepConfig, 'simulated'>;

interface PlainConfig<C extends SessionConfig, M extends SessionSettings['mode']> {
  readonly mode: M;
  readonly config: Omit<C, 'supervision'> & { readonly supervision: PlainSupervision };
}

type PlainSupervision = Omit<SupervisionConfig, 'ruleOf'> & {
  /** Each rule, and its controllers; all ids from 0 to 255 are named. */
  readonly rules: readonly { readonly ids: readonly number[]; readonly rule: SupervisionRule }[];
};

const allIds = Array.from({ length: maxVehicleId + 1 }, (_, id) => id);

/** The settings as the tap carries them. */
export function plainSettings(settings: SessionSettings): PlainSettings {
  const { ruleOf, ...rest } = settings.config.supervision;
  const byText = new Map<string, { ids: number[]; rule: SupervisionRule }>();
  for (const id of allIds) {
    const rule = ruleOf(id);
    const text = Object.values(rule).map(String).join(' ');
    const same = byText.get(text) ?? { ids: [], rule };
    same.ids.push(id);
    byText.set(text, same);
  }
  const supervision = { ...rest, rules: [...byText.values()] };
  return { ...settings, config: { ...settings.config, supervision } } as PlainSettings;
}

/** The settings of a session from those that the tap carries. */
export function settingsOf({ mode, config }: PlainSettings): SessionSettings {
  const { rules, ...rest } = config.supervision;
  const byId = new Map(rules.flatMap(({ ids, rule }) => ids.map((id) => [id, rule] as const)));
  const ruleOf = (id: number): SupervisionRule => {
    const rule = byId.get(id);
    if (rule === undefined) throw new RangeError(`the settings have no rule for controller ${id}`);
    return rule;
  };
  // Mode and config belong together; the compiler cannot see that through the pair.
  return { mode, config: { ...config, supervision: { ...rest, ruleOf } } } as SessionSettings;
}
