import { readTap } from '../record/index.js';
import {
  encodeMembers,
  type ObservedEffect,
  openSession,
  type SampleSession,
  settingsOf,
  type TapRecord,
} from '../tap/index.js';
import { firstDifference } from './first-difference.js';
import { DamageCount, damageTexts } from './recording-damage.js';

/** Where the rules of this version decide otherwise than those of the recording. */
export interface RulesDifference {
  /** Number of the session in the recording, from 1. */
  readonly session: number;
  /** Number of the event in its session, from 0. */
  readonly event: string;
  readonly eventKind: string;
  /** Monotonic clock, ns. */
  readonly atNs: string;
  /** Place among the effects of the event, from 0. */
  readonly effect: number;
  /** Kind of the recorded effect; null: there was none. */
  readonly recorded: string | null;
  /** Kind of the effect of this version; null: there is none. */
  readonly replayed: string | null;
  /** What differs, in words. */
  readonly what: string;
}

/** The result of a replay of the rules. */
export interface RulesReport {
  readonly sessions: number;
  readonly events: number;
  readonly effects: number;
  /** All effects are the same, and all were compared. */
  readonly same: boolean;
  /** The first difference; null when there is none. */
  readonly difference: RulesDifference | null;
  /** Why not all was compared; empty when all was. */
  readonly incomplete: readonly string[];
}

interface OpenStep {
  readonly number: bigint;
  readonly kind: string;
  readonly atNs: bigint;
  readonly effects: readonly ObservedEffect[];
  compared: number;
}

/**
 * Passes the recorded events to sessions of this version, and compares their effects with the recorded
 * ones, byte for byte. Since `core` reads no clock and does no I/O, the same rules return the same
 * effects.
 */
export class RulesReplay {
  #session: SampleSession | undefined;
  #sessions = 0;
  #events = 0;
  #effects = 0;
  #nextEvent = 0n;
  #step: OpenStep | undefined;
  #difference: RulesDifference | null = null;
  readonly #incomplete: string[] = [];

  /** Takes the next record of the tap. */
  add(record: TapRecord): void {
    switch (record.type) {
      case 'session':
        this.#endStep();
        this.#begin(record.content);
        return;
      case 'event':
        this.#endStep();
        this.#handle(record);
        return;
      case 'effect':
        this.#compare(record);
        return;
      default:
    }
  }

  /**
   * The result; nothing may follow.
   * @param wasCut the tap has no end: effects of its last event may be absent.
   * @param missing what of the recording cannot be read, in sentences.
   */
  end(wasCut: boolean, missing: readonly string[] = []): RulesReport {
    for (const text of missing) this.#incomplete.push(text.replace(/\.$/, ''));
    if (!wasCut) this.#endStep();
    if (this.#sessions === 0) this.#incomplete.push('the recording has no session');
    return {
      sessions: this.#sessions,
      events: this.#events,
      effects: this.#effects,
      same: this.#difference === null && this.#incomplete.length === 0,
      difference: this.#difference,
      incomplete: this.#incomplete,
    };
  }

  #begin({ settings, now, nextEvent }: Extract<TapRecord, { type: 'session' }>['content']): void {
    this.#sessions++;
    this.#nextEvent = nextEvent;
    this.#session = undefined;
    if (nextEvent > 0n) {
      this.#incomplete.push(
        `session ${this.#sessions} began ${nextEvent.toString()} events before the recording; record with "run --record"`,
      );
      return;
    }
    this.#session = openSession(settingsOf(settings), now);
  }

  #handle({ number, event, at }: Extract<TapRecord, { type: 'event' }>): void {
    const session = this.#session;
    if (session === undefined) return;
    if (number !== this.#nextEvent) {
      const missing = `${this.#nextEvent.toString()} to ${(number - 1n).toString()}`;
      this.#incomplete.push(`session ${this.#sessions} has no record of its events ${missing}`);
      this.#session = undefined;
      return;
    }
    this.#nextEvent++;
    this.#events++;
    const effects = effectsOf(session, event);
    const { kind } = event;
    this.#step = { number, kind, atNs: at.monotonicNs, effects, compared: 0 };
  }

  #compare({ effect: recorded, members }: Extract<TapRecord, { type: 'effect' }>): void {
    const step = this.#step;
    if (step === undefined || this.#difference !== null) return;
    this.#effects++;
    const place = step.compared++;
    const replayed = step.effects[place];
    if (replayed?.kind !== recorded.kind) {
      this.#differ(step, place, recorded.kind, replayed?.kind ?? null, 'another effect');
    } else if (!Buffer.from(encodeMembers(replayed)).equals(members)) {
      const what = firstDifference(recorded, replayed) ?? 'its bytes';
      this.#differ(step, place, recorded.kind, replayed.kind, what);
    }
  }

  /** All effects of this version were recorded, too. */
  #endStep(): void {
    const step = this.#step;
    this.#step = undefined;
    if (step === undefined || this.#difference !== null) return;
    const further = step.effects[step.compared];
    if (further !== undefined) {
      this.#differ(step, step.compared, null, further.kind, 'an effect that was not recorded');
    }
  }

  #differ(
    { number, kind, atNs }: OpenStep,
    effect: number,
    recorded: string | null,
    replayed: string | null,
    what: string,
  ): void {
    this.#difference = {
      session: this.#sessions,
      event: number.toString(),
      eventKind: kind,
      atNs: atNs.toString(),
      effect,
      recorded,
      replayed,
      what,
    };
  }
}

function effectsOf(
  { mode, session }: SampleSession,
  event: Extract<TapRecord, { type: 'event' }>['event'],
): readonly ObservedEffect[] {
  if (mode === 'simulated') return session.handle(event);
  return event.kind === 'stepControl' ? [] : session.handle(event);
}

/**
 * Replays the rules over a recording. Without the last record of the tap, effects of the last event may
 * be absent.
 * @throws HlcError `HLC_RECORDING_READ`.
 */
export async function replayRules(file: string): Promise<RulesReport> {
  const replay = new RulesReplay();
  const damage = new DamageCount();
  let hasEnd = false;
  for await (const item of readTap(file)) {
    damage.add(item);
    if (item.kind !== 'record') continue;
    replay.add(item.record);
    hasEnd = item.record.type === 'end';
  }
  return replay.end(!hasEnd, damageTexts(damage));
}

/** The result in sentences. */
export function rulesText(file: string, report: RulesReport): string {
  const { sessions, events, effects, difference, incomplete } = report;
  const counts = `${sessions} ${sessions === 1 ? 'session' : 'sessions'}, ${events} events, ${effects} effects`;
  const lines = [`${file}: ${counts}`];
  if (difference !== null) {
    const { session, event, eventKind, effect, recorded, replayed, what } = difference;
    lines.push(
      `First difference: session ${session}, event ${event} (${eventKind}), effect ${effect}: recorded ${recorded ?? 'none'}, now ${replayed ?? 'none'}; ${what}.`,
    );
  }
  for (const reason of incomplete) lines.push(`Not compared: ${reason}.`);
  if (report.same) lines.push('All effects are the same.');
  return `${lines.join('\n')}\n`;
}
