import { describe, expect, it } from 'vitest';
import type { RunConfig } from '../../../src/config/index.js';
import { runOptionKeys } from '../../../src/config/options/run-options.js';
import { parse } from './parse.js';

const entry = (config: RunConfig, name: string) => {
  const found = config.sides.ros.parameters.find((parameter) => parameter.name === name);
  if (found === undefined) throw new Error(`There is no parameter ${name}.`);
  return found;
};

describe('the options as parameters of ROS 2', () => {
  it('are all there, each with what it means and must be', () => {
    const { parameters } = parse('--period-ms=50').sides.ros;
    expect(parameters).toHaveLength(runOptionKeys.length);
    for (const { name, description, constraints } of parameters) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(description).toMatch(/ \(default: .+\)$/);
      expect(constraints).not.toBe('');
    }
  });

  it('have the values and types of this run', () => {
    const config = parse(
      '--period-ms=50 --vehicle-ids=3,1 --simulated-time --miss-policy=log,3:stop',
    );
    expect(entry(config, 'period_ms')).toMatchObject({ type: 'double', value: 50 });
    expect(entry(config, 'vehicle_ids')).toMatchObject({ type: 'integerArray', value: [3n, 1n] });
    expect(entry(config, 'simulated_time')).toMatchObject({ type: 'bool', value: true });
    expect(entry(config, 'miss_policy')).toMatchObject({ type: 'string', value: 'log,3:stop' });
    expect(entry(config, 'offset_nanoseconds')).toMatchObject({ type: 'integer', value: 1n });
    expect(entry(config, 'node_id')).toMatchObject({ type: 'string', value: 'middleware' });
  });

  it('have the ranges of the schema', () => {
    const config = parse('--period-ms=50');
    expect(entry(config, 'period_ms').range).toEqual({ from: 0.1, to: 86_400_000 });
    expect(entry(config, 'dds_domain').range).toEqual({ from: 0n, to: 232n });
    expect(entry(config, 'steps_until').range).toEqual({ from: 1n, to: 2n ** 63n - 1n });
    expect(entry(config, 'node_id').range).toBeUndefined();
  });

  it('are not set where nothing is given and there is no default', () => {
    const config = parse('--vehicle-ids=1');
    expect(entry(config, 'period_ms')).toMatchObject({ type: 'double', value: undefined });
    expect(entry(config, 'periods')).toMatchObject({ type: 'integer', value: undefined });
    expect(entry(config, 'dds_initial_peer')).toMatchObject({
      type: 'stringArray',
      value: undefined,
    });
  });

  it('do not show a default that another way to say the same sets aside', () => {
    const config = parse('--period-ms=50 --vehicle-amount=3');
    expect(entry(config, 'vehicle_amount')).toMatchObject({ value: 3n });
    expect(entry(config, 'vehicle_ids')).toMatchObject({ value: undefined });
  });
});
