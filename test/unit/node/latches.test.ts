import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../src/node/logger.js';
import { readLatchFile } from '../../../src/node/middleware/latch-file.js';
import { Latches } from '../../../src/node/middleware/latches.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { parse } from '../config/parse.js';

/** A run of vehicles 1 and 2 that finds this text in its latch file, and what it logs. */
async function read(text: string, flags = '') {
  const socket = path.join(temporaryFolder(), 'control.sock');
  writeFileSync(`${socket}.latch`, text);
  const config = parse(`--period-ms=50 --vehicle-ids=1,2 --control-socket=${socket} ${flags}`);
  const logged: unknown[] = [];
  const note = (fields: object, message: string) => void logged.push({ ...fields, message });
  const latches = new Latches(config, { warn: note, error: note } as unknown as Logger);
  const latched = await latches.read();
  return { socket, latches, latched, logged };
}

describe('the latches of a run', () => {
  it('name also vehicles that the run does not list, which stay in the file', async () => {
    const { socket, latches, latched, logged } = await read('{"latched":[2,7]}');
    expect(latched.map(({ id }) => id)).toEqual([2, 7]);
    expect(logged).toMatchObject([
      { vehicles: [2], message: expect.stringContaining('"hlc-middleware resume 2"') as string },
      { vehicles: [7], code: 'HLC_LATCH_UNLISTED' },
    ]);
    const ended = { kind: 'ended', reason: 'stopped', latched: [2], moving: [] } as const;
    const at = { monotonicNs: 0n, realtimeNs: 0n };
    for (const file of latches.observers)
      file.effect?.(ended, { written: true, latenessNs: 0n }, at);
    await latches.close();
    expect(await readLatchFile(`${socket}.latch`)).toMatchObject([{ id: 7 }]);
  });

  it('are those of the file with --resume=auto, too', async () => {
    const { latched, logged } = await read('{"latched":[1]}', '--resume=auto');
    expect(latched).toMatchObject([{ id: 1 }]);
    expect(logged).toMatchObject([
      { message: expect.stringContaining('when their controllers are back') as string },
    ]);
  });

  it('outrank what a run in real time may have sent until now, not only the stamps of its file', async () => {
    const text = (stamp: string) => `{"latched":[1],"stamps":{"1":["${stamp}","${stamp}"]}}`;
    const fromNs = BigInt(Date.now()) * 1_000_000n;
    const [real] = (await read(text('1700000000000000000'))).latched;
    expect(real?.sent?.createNs).toBeGreaterThanOrEqual(fromNs);
    const [simulated] = (await read(text('5000'))).latched;
    expect(simulated?.sent).toEqual({ createNs: 5000n, validNs: 5000n });
  });
});
