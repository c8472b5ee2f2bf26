import { nsPerMs, printable, stopSymbol } from '../../core/index.js';
import type { LabControlEvent } from './events.js';
import type { LabControl, RealTimeControl, SimulatedTimeControl } from './options.js';

/** What {@link LabConsole} needs. */
export interface LabConsoleOptions {
  /** Sign-ins after which time starts by itself; 0: it starts with the line `start` only. */
  readonly participants: number;
  readonly report: (text: string) => void;
}

/** Of one line. */
const mostCharacters = 1000;

const help = {
  real: 'start, stop, participants, quit',
  simulated: 'start, pause, step [COUNT], stop, participants, forget NAME, quit',
} as const;

/** Operates a lab control by lines of text, and reports its events as lines of text. */
export class LabConsole {
  /** Source ids that have signed in. */
  readonly #signedIn = new Set<string>();
  #started = false;
  #stopped = false;

  constructor(private readonly options: LabConsoleOptions) {}

  /** Names and log entries are those of peers. */
  #report(text: string): void {
    this.options.report(printable(text, mostCharacters));
  }

  /** @param control whose event it is. */
  onEvent(
    event: LabControlEvent,
    control: LabControl<RealTimeControl | SimulatedTimeControl>,
  ): void {
    if (event.kind === 'participant') this.#onParticipant(event.participant.sourceId, control);
    if (event.kind === 'trigger' && event.nextStartNs === stopSymbol) this.#stopped = true;
    const text = this.#textOf(event, isSimulated(control.time));
    if (text !== undefined) this.#report(text);
  }

  /**
   * Does what a line says.
   * @returns false when it says to quit.
   */
  onLine(line: string, { time }: LabControl<RealTimeControl | SimulatedTimeControl>): boolean {
    const [word = '', argument] = line.trim().split(/\s+/);
    if (word === 'quit') return false;
    if (word === '') return true;
    if (word === 'start') this.#start(time);
    else if (word === 'stop') time.stop();
    else if (word === 'participants') this.#reportParticipants(time);
    else if (!isSimulated(time)) this.#refuse(line, help.real);
    else if (word === 'pause') time.pause();
    else if (word === 'step' && /^[1-9]\d{0,8}$/.test(argument ?? '1')) this.#step(time, argument);
    else if (word === 'forget' && argument !== undefined) this.#forget(time, argument);
    else this.#refuse(line, help.simulated);
    return true;
  }

  #onParticipant(
    sourceId: string,
    { time }: LabControl<RealTimeControl | SimulatedTimeControl>,
  ): void {
    const { participants } = this.options;
    if (this.#signedIn.has(sourceId)) return;
    this.#signedIn.add(sourceId);
    this.#report(`${sourceId} signed in`);
    if (!this.#started && this.#signedIn.size === participants) this.#start(time);
  }

  #start(time: RealTimeControl | SimulatedTimeControl): void {
    if (this.#stopped && isSimulated(time)) {
      this.options.report('simulated time was stopped; start this lab control again');
      return;
    }
    this.#started = true;
    time.start();
    if (isSimulated(time)) this.options.report('simulated time runs');
  }

  #step(time: SimulatedTimeControl, count: string | undefined): void {
    this.#started = true;
    time.step(Number(count ?? 1));
  }

  /** One that has ended holds time up otherwise. */
  #forget(time: SimulatedTimeControl, sourceId: string): void {
    const isKnown = time.participants().some((each) => each.sourceId === sourceId);
    this.#report(
      isKnown
        ? `time continues without ${sourceId}, until it signs in again`
        : `${sourceId} has not signed in`,
    );
    time.forget(sourceId);
  }

  #reportParticipants(time: RealTimeControl | SimulatedTimeControl): void {
    const all = time.participants();
    if (all.length === 0) this.#report('no participant has signed in');
    for (const { sourceId, state, nextStartNs } of all) {
      const wants = isSimulated(time) ? `, next step at ${nextStartNs} ns` : '';
      this.#report(`${sourceId}: ${state}${wants}`);
    }
  }

  #refuse(line: string, known: string): void {
    this.options.report(
      `"${line.trim().slice(0, 80)}" is no line of this lab control; use ${known}`,
    );
  }

  #textOf(event: LabControlEvent, simulated: boolean): string | undefined {
    switch (event.kind) {
      case 'trigger':
        if (event.nextStartNs === stopSymbol) return 'stopped';
        return simulated ? undefined : `starts at ${timeText(event.nextStartNs)}`;
      case 'old-ready-signal':
        return `${event.sourceId} signed in for ${event.nextStartNs} ns, which is over; start this lab control again`;
      case 'participant-left':
        return event.holdsTime
          ? `${event.sourceId} has left, and time waits for it; start it again, or use "forget ${event.sourceId}"`
          : `${event.sourceId} has left`;
      case 'not-listening':
        return `${event.sourceId} has no matching reader for system triggers; it may miss the start`;
      case 'stop-request':
        return `a controller requested the stop of vehicle ${event.vehicleId}; all are stopped`;
      case 'parameter-request':
        return event.answered ? undefined : `no value for the requested parameter ${event.name}`;
      case 'log':
        return `${event.entry.id}: ${event.entry.content}`;
      case 'malformed':
        return `writer ${event.writerGuid} sent bytes on topic ${event.topicName} that are no sample of its type (${event.cause})`;
      case 'fault':
        return `fault: ${String(event.error)}`;
      case 'participant':
        return undefined;
    }
  }
}

function isSimulated(time: RealTimeControl | SimulatedTimeControl): time is SimulatedTimeControl {
  return 'step' in time;
}

/** @param timeNs ns since 1970 */
function timeText(timeNs: bigint): string {
  return new Date(Number(timeNs / nsPerMs)).toISOString();
}
