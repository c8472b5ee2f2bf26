import { afterEach, describe, expect, it } from 'vitest';
import { HlcError } from '../../../../src/errors/index.js';
import type { QosPolicies, TopicSpec, Transport } from '../../../../src/ports/index.js';
import { createLabControl } from '../../../../src/lab/control/lab-control.js';
import { topics } from '../../../../src/messages/index.js';
import { closeLabs, openNetwork, openRealTime, reliable, second } from './network.js';

afterEach(closeLabs);

describe('the lab control', () => {
  it('reads and writes with the QoS of the lab control centre', () => {
    const { options } = openNetwork();
    const found: string[] = [];
    const note = (end: string, { name }: TopicSpec, qos: QosPolicies) =>
      found.push(
        [end, name, qos.reliability?.kind, qos.durability?.kind, qos.history?.kind].join(' '),
      );
    const { transport } = options;
    const lab = createLabControl({
      ...options,
      transport: {
        ...transport,
        createReader: (topic, qos, ...rest) => {
          note('R', topic, qos);
          return transport.createReader(topic, qos, ...rest);
        },
        createWriter: (topic, qos, ...rest) => {
          note('W', topic, qos);
          return transport.createWriter(topic, qos, ...rest);
        },
      },
    });
    lab.close();
    expect(found.sort()).toEqual([
      'R log reliable volatile keep-all',
      'R parameterRequest best-effort volatile keep-all',
      'R readyStatus reliable volatile keep-all',
      'R round_trip_time best-effort volatile keep-all',
      'R stopRequest best-effort volatile keep-all',
      'W commonroad_dds_goal_states reliable transient-local keep-all',
      'W logLevel reliable transient-local keep-all',
      'W parameter reliable volatile keep-last',
      'W round_trip_time best-effort volatile keep-last',
      'W systemTrigger reliable volatile keep-last',
    ]);
  });

  it('drops bytes that are no message, and goes on', async () => {
    const { side, network, eventsOf, send } = openRealTime();
    side.createWriter(topics.log, reliable).write(Uint8Array.of(0, 1, 0, 0, 9, 0, 0, 0));
    await network.idle();
    await send(topics.log, {
      id: 'a',
      content: 'b',
      stamp: { nanoseconds: 0n },
      log_level: 1,
    });
    expect(eventsOf('malformed').map(({ topicName }) => topicName)).toEqual(['log']);
    expect(eventsOf('log')).toHaveLength(1);
  });

  it('reports a sample that could not be written, and goes on', () => {
    const { options, eventsOf } = openNetwork();
    const error = new HlcError('HLC_DDS_WRITE', { topic: 'systemTrigger', cause: 'timeout' });
    const stalled: Transport = {
      ...options.transport,
      createWriter: (...args) => ({
        ...options.transport.createWriter(...args),
        write: () => {
          throw error;
        },
      }),
    };
    const lab = createLabControl({ ...options, transport: stalled });
    lab.time.start();
    lab.time.stop();
    expect(eventsOf('fault')).toEqual([
      { kind: 'fault', error },
      { kind: 'fault', error },
    ]);
  });

  it('leaves nothing open when it closes, twice too, and then writes nothing', async () => {
    const { lab, side, network, advance, ready, eventsOf } = openRealTime();
    const writers = [topics.readyStatus, topics.log, topics.parameterRequest].map((topic) =>
      side.createWriter(topic, reliable),
    );
    const reader = side.createReader(topics.systemTrigger, reliable, { onSample: () => undefined });
    await network.idle();
    expect(writers.map((writer) => writer.matchedReaders)).toEqual([1, 1, 1]);
    expect(reader.matchedWriters).toBe(1);
    lab.close();
    lab.close();
    expect(writers.map((writer) => writer.matchedReaders)).toEqual([0, 0, 0]);
    expect(reader.matchedWriters).toBe(0);
    await ready('late', 0n);
    await advance(5n * second);
    expect(eventsOf('participant')).toEqual([]);
    for (const write of [
      () => lab.time.start(),
      () => lab.setLogLevel(1),
      () => lab.setGoalStates([]),
      () => lab.setParameter('p', { type: 'bool', value: true }),
    ]) {
      expect(write).toThrow('lab control is already closed');
    }
    await expect(lab.askAll()).rejects.toMatchObject({ code: 'HLC_CLOSED' });
  });
});
