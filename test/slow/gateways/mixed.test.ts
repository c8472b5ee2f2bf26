import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import { readRecording } from '../../../src/record/index.js';
import { root } from '../../../tools/paths.mjs';
import { ChildProgram } from '../../support/child-program.js';
import { favour } from '../../support/favoured.js';
import { freePorts } from '../../support/free-ports.js';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const vehicleIds = [1, 2, 3, 100];

/** The number of start signals in a recording that have a state of each vehicle. */
async function wholeSignalsIn(recording: string): Promise<number> {
  let count = 0;
  for await (const item of readRecording(recording)) {
    if (item.kind !== 'message' || item.channel.topic !== '/controllers/vehicleStateList') continue;
    const { state_list: states } = topics.vehicleStateList.codec.decode(item.message.data);
    if (vehicleIds.every((id) => states.some((state) => state.vehicle_id === id))) count++;
  }
  return count;
}

describe('examples/mixed', () => {
  it('has controllers on DDS, a CARLA client and a CAVE client in the same start signals', async () => {
    const port = await freePorts(4);
    const recording = path.join(temporaryFolder(), 'run.mcap');
    const variables = {
      PERIODS: '100',
      CARLA_PORT: String(port),
      CAVE_PORT: String(port + 3),
      RECORDING: recording,
    };
    const file = path.join(root, 'examples/mixed/run.mjs');
    const program = new ChildProgram(
      'examples/mixed',
      process.execPath,
      [file],
      isolatedCycloneUri(),
      { variables, group: true },
    );
    // The vehicle of a client without a processor for half a second is stopped.
    favour(program.pid, 'driving');
    const { code } = await program.ended;
    expect(program.stderr.items).toEqual([]);
    expect(code).toBe(0);
    const text = program.stdout.items.join('\n');
    const [, whole] = /100 start signals, (\d+) with the states of all vehicles:/.exec(text) ?? [];
    expect(Number(whole)).toBe(await wholeSignalsIn(recording));
    expect(Number(whole)).toBeGreaterThan(75);
    const replies = [...text.matchAll(/vehicle ([123]): .*?, (\d+) replies, \d+ misses, (\S+) m/g)];
    expect(replies.map(([, id]) => id)).toEqual(['1', '2', '3']);
    for (const [, , count, distance] of replies) {
      // A busy machine may miss some periods.
      expect(Number(count)).toBeGreaterThan(75);
      expect(Number(distance)).toBeGreaterThan(1.5);
    }
    const [, driven] = /vehicle 100: CAVE client, (\S+) m/.exec(text) ?? [];
    expect(Number(driven)).toBeGreaterThan(2);
  });
});
