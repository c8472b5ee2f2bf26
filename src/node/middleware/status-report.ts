import { earlier, later, type MiddlewareReport, type TakenOverStops } from '../../core/index.js';
import type { TransportWriter } from '../../ports/index.js';
import type { StatusBeacon } from '../../dds/index.js';
import { middlewareStatusStampOffset, topics } from '../../messages/index.js';
import { middlewareStatusOf } from '../../sides/index.js';
import type { SampleSession } from '../../tap/index.js';

/** The status is written once in a period, and within these bounds, ns. */
const shortestIntervalNs = 20_000_000n;
const longestIntervalNs = 100_000_000n;

const stampPatch = { offset: middlewareStatusStampOffset, deltaNs: 0n };

export interface StatusReportOptions {
  readonly nodeId: string;
  /** Begin of the session, ns since 1970. */
  readonly epoch: bigint;
  readonly periodNs: bigint;
  readonly session: SampleSession;
  readonly takenOver: TakenOverStops;
  readonly beacon: StatusBeacon;
  readonly writer: TransportWriter;
  readonly realtimeNs: () => bigint;
  /** Does a write, and reports its failure. */
  readonly attempt: (write: () => void) => boolean;
}

/**
 * The sign of life for a guard. The pacer's thread writes it while the control loop beats, where the
 * transport allows that; otherwise this thread does. While the topic has no reader, nothing is written.
 */
export class StatusReport {
  readonly #options: StatusReportOptions;
  readonly #intervalNs: bigint;
  #tNowNs = 0n;
  #nextAtNs = 0n;

  constructor(options: StatusReportOptions) {
    this.#options = options;
    this.#intervalNs = earlier(later(options.periodNs, shortestIntervalNs), longestIntervalNs);
  }

  /** A start signal with this time went out, ns. */
  started(tNowNs: bigint): void {
    this.#tNowNs = tNowNs;
  }

  /** Makes the status anew when that is due; to be called at every wake-up. */
  refresh(nowNs: bigint): void {
    if (nowNs < this.#nextAtNs) return;
    this.#nextAtNs = nowNs + this.#intervalNs;
    if (this.#options.writer.matchedReaders === 0) this.#endBeacon();
    else if (this.#phase !== 'ended' && !this.#setBeacon()) this.#write();
  }

  /** A stop was taken over: until its guard knows, both command the vehicle. */
  takenOver(): void {
    if (this.#options.writer.matchedReaders === 0 || this.#phase === 'ended') return;
    // Else the beacon would write the old status after the new one.
    this.#setBeacon();
    this.#write();
  }

  /** All vehicles stand, and the session is over: the last status. */
  ended(): void {
    this.#endBeacon();
    this.#write();
  }

  /** To be called before the writer closes. */
  close(): void {
    this.#endBeacon();
  }

  #endBeacon(): void {
    this.#options.beacon.set(undefined, this.#intervalNs);
  }

  /** @returns false where the pacer cannot write it. */
  #setBeacon(): boolean {
    const { beacon, writer } = this.#options;
    const sample = { writer, bytes: this.#encoded(0n), patches: [stampPatch], floorNs: 0n };
    return beacon.set(sample, this.#intervalNs);
  }

  #write(): void {
    const { writer, attempt, realtimeNs } = this.#options;
    attempt(() => writer.write(this.#encoded(realtimeNs())));
  }

  #encoded(stampNs: bigint): Uint8Array {
    const status = middlewareStatusOf(this.#report);
    return topics.middlewareStatus.codec.encode({ ...status, stamp: { nanoseconds: stampNs } });
  }

  get #report(): MiddlewareReport {
    const { nodeId, epoch, periodNs, session, takenOver } = this.#options;
    return {
      sourceId: nodeId,
      epoch,
      tNowNs: this.#tNowNs,
      periodNs,
      simulatedTime: session.mode === 'simulated',
      phase: this.#phase,
      vehicles: session.session.sentCommands(),
      takenOver: takenOver.all,
    };
  }

  get #phase(): MiddlewareReport['phase'] {
    const { phase } = this.#options.session.session;
    switch (phase) {
      case 'waitingForControllers':
      case 'waitingForStart':
      case 'waitingForTrigger':
        return 'waiting';
      case 'stopping':
      case 'ended':
        return phase;
      case 'running':
      case 'paused':
      case 'throttled':
      case 'working':
        return 'running';
    }
  }
}
