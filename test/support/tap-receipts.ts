import { onTestFinished } from 'vitest';
import { connectTap } from '../../src/observe/index.js';
import { readTap } from '../../src/record/index.js';

/** What a recording has of a tap that it was killed at. */
interface Kept {
  /** Age of the oldest event that is not in it, when it was killed, ms; 0 when it has all. */
  readonly lostMs: number;
  /** Its highest log time, ns. */
  readonly lastNs: bigint;
}

/**
 * When a reader of a tap received each event. What a recorder loses is judged by that: while a middleware has
 * nothing to send, nothing is lost.
 */
export class TapReceipts {
  /** By the number of the event, ms. */
  readonly #receivedMs: number[] = [];

  /** Ends with the test. @param path of a tap that listens. */
  static async open(path: string): Promise<TapReceipts> {
    const receipts = new TapReceipts();
    const tap = await connectTap(path);
    onTestFinished(() => tap.close());
    void (async () => {
      for await (const records of tap.records()) {
        const nowMs = performance.now();
        for (const record of records) {
          if (record.type === 'event') receipts.#receivedMs[Number(record.number)] = nowMs;
        }
      }
    })();
    return receipts;
  }

  /** @param file whose recorder was killed. @param killedMs instant of that. */
  async judge(file: string, killedMs: number): Promise<Kept> {
    let lastNs = 0n;
    let last = -1;
    for await (const item of readTap(file)) {
      if (item.kind !== 'record') continue;
      const { record } = item;
      lastNs = item.logTimeNs;
      if (record.type === 'session') last = Number(record.content.nextEvent) - 1;
      if (record.type === 'event') last = Number(record.number);
    }
    const lostAtMs = this.#receivedMs[last + 1] ?? killedMs;
    return { lostMs: Math.max(0, killedMs - lostAtMs), lastNs };
  }
}
