import type { NodeEvent } from '../observers/session-observer.js';

/** An event of a period: a start signal that went out, or an answer. */
type PeriodEvent = Extract<NodeEvent, { kind: 'command' | 'startSent' }>;

export interface HeldCommandsOptions {
  /**
   * True after a stall, while what a guard did meanwhile may not have been read.
   * @param nowNs monotonic, ns.
   */
  readonly isBehind: (nowNs: bigint) => boolean;
  /** True while nothing may come from the controllers. */
  readonly holdsAll: () => boolean;
  readonly nowNs: () => bigint;
  readonly handle: (event: NodeEvent) => unknown;
}

/**
 * Holds commands back after a stall. A guard may have stopped their vehicles meanwhile: each side has sockets of
 * its own, so a command may be read before the status of the guard that came long before it. Start signals that
 * went out meanwhile are held with them, since each period ends with the start signal after its commands. The wait
 * is short, which bounds how many are held.
 */
export class HeldCommands {
  #events: NodeEvent[] = [];
  /** Something else is held: nothing overtakes it. */
  #holdsAll = false;

  constructor(private readonly options: HeldCommandsOptions) {}

  /** An event of the controller side, or a start signal: it is handled now, or held. */
  receive(event: NodeEvent): void {
    const { isBehind, holdsAll, handle } = this.options;
    // No command overtakes those that are held.
    const isLate = isOfPeriod(event) && (this.#events.length > 0 || isBehind(event.atNs));
    if (!isLate && !this.#holdsAll && !holdsAll()) {
      handle(event);
      return;
    }
    this.#holdsAll ||= !isOfPeriod(event);
    this.#events.push(isOfPeriod(event) ? withOwnBytes(event) : event);
  }

  /** Handles what was held, in the order in which it came. */
  release(): void {
    const { nowNs, handle } = this.options;
    const events = this.#events;
    this.#events = [];
    this.#holdsAll = false;
    for (const event of events) handle(isOfPeriod(event) ? { ...event, atNs: nowNs() } : event);
  }
}

function isOfPeriod(event: NodeEvent): event is PeriodEvent {
  return event.kind === 'command' || event.kind === 'startSent';
}

/** The bytes of an event are valid during its call only. */
function withOwnBytes(event: PeriodEvent): PeriodEvent {
  if (event.kind === 'startSent') return { ...event, bytes: event.bytes.slice() };
  const { command } = event;
  return { ...event, command: { ...command, bytes: command.bytes.slice() } };
}
