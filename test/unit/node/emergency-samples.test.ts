import { expect, it } from 'vitest';
import { stopSymbol, type StandStill } from '../../../src/core/index.js';
import type { EmergencySample, EmergencyStop } from '../../../src/dds/index.js';
import { topics } from '../../../src/messages/index.js';
import { EmergencySamples } from '../../../src/node/middleware/emergency-samples.js';
import type { TransportWriter } from '../../../src/ports/index.js';
import { MS, S, speedCommand } from '../core/support.js';

const atNs = 5n * S;
const stampNs = 1_700_000_000n * S;
const writer = {} as TransportWriter;
const still = (id: number): StandStill => {
  const command = speedCommand(id, stampNs);
  return {
    command: { ...command, message: { ...command.message, speed: 0 } },
    ahead: false,
    stampNs,
    occasion: 'always',
    keepsTimes: false,
  };
};

/** Samples, those that are set, and the vehicles that were asked for. @param silent get no command */
function begun(silent: ReadonlySet<number> = new Set()) {
  const set = new Map<number, EmergencySample>();
  const asked: (readonly number[])[] = [];
  const emergencyStop: Partial<EmergencyStop> = {
    set: (key, sample) => {
      if (sample === undefined) set.delete(key);
      else set.set(key, sample);
      return true;
    },
  };
  const samples = new EmergencySamples({
    emergencyStop: emergencyStop as EmergencyStop,
    standStill: (_, ids) => {
      asked.push(ids);
      return ids.filter((id) => !silent.has(id)).map(still);
    },
    writerOf: () => writer,
    triggers: writer,
    nowNs: () => atNs,
    simulatedTime: false,
  });
  return { samples, set, asked };
}

it('has the stop trigger of the controllers from the beginning', () => {
  const { set } = begun();
  const [trigger] = [...set.values()].map(({ bytes }) => topics.systemTrigger.codec.decode(bytes));
  expect(trigger).toEqual({ next_start: { nanoseconds: stopSymbol } });
});

it('covers vehicles at their first commands of a kind, once these were handled, and no others', async () => {
  const { samples, set, asked } = begun();
  samples.commanded(speedCommand(2, stampNs));
  samples.commanded(speedCommand(2, stampNs + MS));
  expect(asked).toEqual([]);
  await Promise.resolve();
  expect(asked).toEqual([[2]]);
  samples.commanded(speedCommand(2, stampNs + 2n * MS));
  await Promise.resolve();
  expect(asked).toEqual([[2]]);
  const [, sample] = [...set.values()];
  expect(sample && topics.vehicleCommandSpeedCurvature.codec.decode(sample.bytes)).toEqual(
    still(2).command.message,
  );
});

it('removes a sample that would not be right any more', () => {
  const silent = new Set<number>();
  const { samples, set } = begun(silent);
  for (const id of [1, 2]) samples.commanded(speedCommand(id, stampNs));
  samples.cover();
  expect(set.size).toBe(3);
  silent.add(2);
  samples.refresh(atNs);
  expect(set.size).toBe(2);
});

it('makes the samples of a few vehicles anew every 50 ms once they were commanded', () => {
  const { samples, asked } = begun();
  samples.refresh(atNs);
  expect(asked).toEqual([]);
  samples.commanded(speedCommand(1, stampNs));
  samples.commanded(speedCommand(3, stampNs));
  samples.refresh(atNs);
  samples.refresh(atNs + 49n * MS);
  expect(asked).toEqual([[1, 3]]);
  samples.refresh(atNs + 50n * MS);
  expect(asked).toEqual([
    [1, 3],
    [1, 3],
  ]);
});

it('makes the samples of a large fleet anew by quarters, each vehicle within 200 ms', () => {
  const { samples, asked } = begun();
  const fleet = Array.from({ length: 100 }, (_, index) => index + 1);
  for (const id of fleet) samples.commanded(speedCommand(id, stampNs));
  for (let part = 0n; part < 4n; part++) samples.refresh(atNs + part * 50n * MS);
  expect(asked.map((ids) => ids.length)).toEqual([25, 25, 25, 25]);
  expect(asked.flat()).toEqual(fleet);
  samples.refresh(atNs + 200n * MS);
  expect(asked.at(-1)).toEqual(fleet.slice(0, 25));
});
