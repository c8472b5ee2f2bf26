import type { HLCHello } from '../../messages/index.js';

/** Computers say hello every second; after this time without one they are gone (CPM Lab). */
const timeToLiveNs = 3_000_000_000n;

/** A computer that runs controllers. */
export interface Computer {
  /** 0 to 255; in the lab the end of its address, 192.168.1.2xx. */
  readonly id: number;
  readonly scriptRunning: boolean;
  readonly middlewareRunning: boolean;
  /** When it last said hello, nanoseconds since 1970. */
  readonly lastHeardNs: bigint;
}

/** The computers that say hello (CPM Lab, `HLCReadyAggregator`). */
export class ComputerBook {
  readonly #computers = new Map<number, Computer>();

  /** @returns undefined when the source is no number from 0 to 255: the lab refuses such a hello. */
  hello(message: HLCHello, nowNs: bigint): Computer | undefined {
    const id = /^\d{1,3}$/.test(message.source_id) ? Number(message.source_id) : 256;
    if (id > 255) return undefined;
    const computer = {
      id,
      scriptRunning: message.script_running,
      middlewareRunning: message.middleware_running,
      lastHeardNs: nowNs,
    };
    this.#computers.set(id, computer);
    return computer;
  }

  /** Those with a message within the last 3 s, by their ids. */
  online(nowNs: bigint): Computer[] {
    return Array.from(this.#computers.values())
      .filter(({ lastHeardNs }) => nowNs - lastHeardNs < timeToLiveNs)
      .sort((a, b) => a.id - b.id);
  }
}
