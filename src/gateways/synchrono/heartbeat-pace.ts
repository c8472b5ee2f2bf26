import type { Pacer } from '../../dds/index.js';

/** The heartbeats of real time: none begins earlier than one heartbeat after the last one. */
export class HeartbeatPace {
  #dueNs: bigint;

  /**
   * @param heartbeatNs Time between two heartbeats, ns.
   * @param onDue The time of the next heartbeat has come.
   */
  constructor(
    private readonly pacer: Pick<Pacer, 'arm' | 'onTick'>,
    private readonly heartbeatNs: bigint,
    onDue: () => void,
  ) {
    this.#dueNs = 0n;
    pacer.onTick(onDue);
  }

  /** The first heartbeat is now. @param nowNs Monotonic clock of the pacer, ns. */
  begin(nowNs: bigint): void {
    this.#dueNs = nowNs;
    this.pacer.arm(nowNs);
  }

  /** A heartbeat is over. A late one may be made up for by at most one heartbeat. */
  next(nowNs: bigint): void {
    const due = this.#dueNs + this.heartbeatNs;
    const earliest = nowNs - this.heartbeatNs;
    this.#dueNs = due > earliest ? due : earliest;
    this.pacer.arm(this.#dueNs);
  }
}
