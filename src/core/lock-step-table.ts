import type { Command } from './command.js';
import type { SessionEvent } from './session-events.js';
import type { Handlers } from './session.js';
import type { StepControl } from './step-gate.js';

/** What a lock-step session reacts to. */
export type LockStepEvent<S, O, C extends Command> =
  | SessionEvent<S, O, C>
  /** `atNs`: monotonic instant, ns. */
  | { readonly kind: 'stepControl'; readonly control: StepControl; readonly atNs: bigint };

/**
 * Phases of a lock-step session: `waitingForTrigger` until the lab names the wanted time,
 * `paused` until a user lets the next step begin, `throttled` until the real-time factor does,
 * `working` during a step, `stopping` while the vehicles are brought to rest at the end.
 */
export type LockStepPhase =
  | 'waitingForControllers'
  | 'waitingForTrigger'
  | 'paused'
  | 'throttled'
  | 'working'
  | 'stopping'
  | 'ended';

/** (phase, event) → (phase, effects) of a lock-step session, for one phase. */
export type LockStepHandlers<S, O, C extends Command> = Handlers<
  LockStepEvent<S, O, C>,
  LockStepPhase
>;
