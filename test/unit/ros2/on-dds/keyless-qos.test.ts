import { describe, expect, it } from 'vitest';
import { keylessQos } from '../../../../src/ros2/on-dds/keyless-qos.js';

describe('the QoS of a topic that has lost its key', () => {
  it('has room for the depth of each instance', () => {
    const qos = keylessQos({ history: { kind: 'keep-last', depth: 10 } }, 3);
    expect(qos.history).toEqual({ kind: 'keep-last', depth: 30 });
  });

  it('counts the default, one sample, for each instance, too', () => {
    expect(keylessQos({}, 5).history).toEqual({ kind: 'keep-last', depth: 5 });
    expect(keylessQos({ history: { kind: 'keep-last' } }, 5).history).toEqual({
      kind: 'keep-last',
      depth: 5,
    });
  });

  it('leaves a history of everything and the other policies alone', () => {
    const qos = { history: { kind: 'keep-all' }, reliability: { kind: 'reliable' } } as const;
    expect(keylessQos(qos, 256)).toEqual(qos);
  });

  it('keeps what is retained for each instance', () => {
    const durabilityService = { history: { kind: 'keep-last', depth: 2 } } as const;
    expect(keylessQos({ durabilityService }, 4).durabilityService?.history).toEqual({
      kind: 'keep-last',
      depth: 8,
    });
  });

  it('never asks for a deeper history than the limits let it have', () => {
    const qos = keylessQos(
      {
        history: { kind: 'keep-last', depth: 10 },
        resourceLimits: { maxSamples: 50, maxInstances: 3, maxSamplesPerInstance: 20 },
      },
      8,
    );
    expect(qos.history).toEqual({ kind: 'keep-last', depth: 50 });
    expect(qos.resourceLimits).toEqual({
      maxSamples: 50,
      maxInstances: null,
      maxSamplesPerInstance: 50,
    });
  });
});
