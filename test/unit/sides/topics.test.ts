import { beforeEach, describe, expect, it } from 'vitest';
import { HlcError } from '../../../src/errors/index.js';
import type { QosPolicies, TopicSpec, Transport } from '../../../src/ports/index.js';
import { topics } from '../../../src/messages/index.js';
import {
  commandTopics,
  controllerQos,
  groupEndpoints,
  labControlQos,
  localEndpoints,
  readCommands,
  readTopic,
  writeCommands,
  writeTopic,
} from '../../../src/sides/index.js';
import { vehicleQos } from '../../../src/sides/peer-qos.js';
import { commandsOfAllKinds } from '../../support/commands.js';
import { bestEffort, openSide, recordErrors, reliable, type RecordedErrors } from './sides.js';

const stop = { vehicle_id: 3 };
const garbage = Uint8Array.of(0, 1, 0, 0);

let errors: RecordedErrors;
beforeEach(() => {
  errors = recordErrors();
});

describe('readTopic', () => {
  it('decodes the samples of reliable and best-effort writers, each once', async () => {
    const { side, network, writer } = openSide('Controller');
    const messages: unknown[] = [];
    readTopic(side, topics.stopRequest, (message) => messages.push(message), errors);
    for (const qos of [reliable, bestEffort]) {
      writer(topics.stopRequest, qos).write(topics.stopRequest.codec.encode(stop));
    }
    await network.idle();
    expect(messages).toEqual([stop, stop]);
    expect(errors.lines).toEqual([]);
  });

  it('reports bytes that are no message of the type, and goes on', async () => {
    const { side, send, writer } = openSide('Lab');
    const messages: unknown[] = [];
    readTopic(side, topics.log, (message) => messages.push(message), errors);
    writer(topics.log).write(garbage);
    const entry = { id: 'a', content: 'b', stamp: { nanoseconds: 1n }, log_level: 1 };
    await send(topics.log, entry);
    expect(messages).toEqual([entry]);
    expect(errors.lines).toEqual(['malformed log']);
  });

  it('reports a writer that no reader matches, and none that one of two matches', async () => {
    const { side, network, writer } = openSide('Controller');
    readTopic(side, topics.readyStatus, () => undefined, errors);
    readTopic(side, topics.stopRequest, () => undefined, errors);
    writer(topics.readyStatus, reliable);
    writer(topics.stopRequest, bestEffort);
    await network.idle();
    expect(errors.lines).toEqual(['reader of readyStatus: DURABILITY']);
  });

  it('reports writers that come and go', async () => {
    const { side, network, writer } = openSide('Controller');
    const joined: boolean[] = [];
    const onChange = (change: { readonly joined: boolean }) => joined.push(change.joined);
    readTopic(side, topics.stopRequest, () => undefined, errors, onChange);
    const peer = writer(topics.stopRequest);
    await network.idle();
    peer.close();
    await network.idle();
    expect(joined).toEqual([true, false]);
  });

  it('has one reader on a transport without identities, which can become best effort', () => {
    const { side } = openSide('Controller');
    const opened: unknown[] = [];
    const transport: Transport = {
      ...side.transport,
      knowsWriters: false,
      createReader: (topic, qos, listener, options) => {
        opened.push([topic.name, options]);
        return side.transport.createReader(topic, qos, listener);
      },
    };
    readTopic({ ...side, transport }, topics.stopRequest, () => undefined, errors);
    readTopic({ ...side, transport }, topics.readyStatus, () => undefined, errors);
    expect(opened).toEqual([
      ['stopRequest', { yieldToBestEffort: true }],
      ['readyStatus', { yieldToBestEffort: false }],
    ]);
  });
});

describe('writeTopic', () => {
  it('reports a write that fails, and throws it at its endpoint', () => {
    const { side } = openSide('Lab');
    const failure = new HlcError('HLC_DDS_WRITE', { topic: 'log', cause: 'timeout' });
    const transport: Transport = {
      ...side.transport,
      createWriter: (...args) => ({
        ...side.transport.createWriter(...args),
        write: () => {
          throw failure;
        },
      }),
    };
    const writer = writeTopic({ ...side, transport }, topics.stopRequest, errors);
    writer.write(stop);
    writer.writeSample(garbage);
    expect(errors.lines).toEqual(['HLC_DDS_WRITE', 'HLC_DDS_WRITE']);
    expect(() => writer.endpoint.write(garbage)).toThrow(failure);
  });

  it('throws for a field that does not fit its type', () => {
    const { side } = openSide('Lab');
    const writer = writeTopic(side, topics.stopRequest, errors);
    expect(() => writer.write({ vehicle_id: 256 })).toThrow(RangeError);
    expect(errors.lines).toEqual([]);
  });
});

describe('the commands of a side', () => {
  it('are written and read by their kinds, bit by bit', async () => {
    const { side, network } = openSide('Controller');
    const received: unknown[] = [];
    readCommands(side, (command) => received.push(command), errors);
    const group = groupEndpoints({ transport: network.join(), qos: controllerQos });
    const writers = writeCommands(group.side, errors);
    const commands = commandsOfAllKinds(7, 1_700_000_000_000_000_000n);
    for (const { kind, message } of commands) writers[kind].write(message);
    await network.idle();
    expect(received).toEqual(commands);
    expect(errors.lines).toEqual([]);
  });
});

describe('a group of endpoints', () => {
  it('closes its readers and writers, the newest first, and leaves the transport open', () => {
    const { side } = openSide('Lab');
    const closed: string[] = [];
    const noted = <E extends { readonly topic: TopicSpec; close(): void }>(endpoint: E): E => ({
      ...endpoint,
      close: () => closed.push(endpoint.topic.name),
    });
    const transport: Transport = {
      knowsWriters: true,
      createReader: (topic, ...rest) =>
        noted({ ...side.transport.createReader(topic, ...rest), topic }),
      createWriter: (topic, ...rest) =>
        noted({ ...side.transport.createWriter(topic, ...rest), topic }),
      close: () => closed.push('the transport'),
    };
    const group = groupEndpoints({ ...side, transport });
    readTopic(group.side, topics.parameter, () => undefined, errors);
    writeTopic(group.side, topics.log, errors);
    group.close();
    group.close();
    expect(closed).toEqual(['log', 'parameter']);
  });
});

describe('the QoS of peers', () => {
  const allTopics = Object.values(topics);
  const linesOf = (kind: string, name: string, { reliability, durability, history }: QosPolicies) =>
    `${kind} ${name} ${reliability?.kind ?? ''} ${durability?.kind ?? ''} ${history?.kind ?? ''} ${history?.depth ?? ''}`.trim();

  /** All endpoints of an end, in the order of the topics. */
  function table(qos: typeof controllerQos): string[] {
    return allTopics.flatMap(({ name }) => {
      const lines: string[] = [];
      const unlessAbsent = (add: () => void) => {
        try {
          add();
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
        }
      };
      unlessAbsent(() => lines.push(linesOf('W', name, qos.writer(name))));
      unlessAbsent(() =>
        lines.push(...qos.readers(name).map((one) => linesOf('R', name, one.qos))),
      );
      return lines;
    });
  }

  const commandNames = Object.values(commandTopics).map(({ name }) => name);

  it('of a controller is that of the wire contract', () => {
    expect(table(controllerQos)).toEqual([
      'W readyStatus reliable transient-local keep-all',
      'R systemTrigger reliable volatile keep-all',
      'W stopRequest reliable volatile keep-all',
      'R vehicleStateList reliable volatile keep-last 1',
      'R vehicleStateList best-effort volatile keep-last 1',
      ...commandNames.map((name) => `W ${name} reliable volatile keep-all`),
    ]);
    expect(controllerQos.writer('readyStatus').durabilityService).toEqual({
      history: { kind: 'keep-all' },
    });
  });

  it('of vehicles takes commands of both kinds of writers, and no write of theirs waits long', () => {
    expect(table(vehicleQos('real'))).toEqual([
      'W readyStatus reliable volatile keep-all',
      'R systemTrigger reliable volatile keep-all',
      'W vehicleState reliable volatile keep-last 1',
      'R vehicleState best-effort volatile keep-last 1',
      'W vehicleObservation reliable volatile keep-last 1',
      ...commandNames.flatMap((name) => [
        `R ${name} reliable volatile keep-last 64`,
        `R ${name} best-effort volatile keep-last 64`,
      ]),
      'W round_trip_time reliable volatile keep-last 1',
      'R round_trip_time best-effort volatile keep-all',
    ]);
    const { reliability } = vehicleQos('real').writer('vehicleState');
    expect(reliability?.maxBlockingTimeNs).toBe(5_000_000n);
    const options = vehicleQos('real')
      .readers('vehicleCommandDirect')
      .map((reader) => reader.options);
    expect(options).toEqual([{ ignoreReliableWriters: false }, { ignoreReliableWriters: true }]);
  });

  it('of vehicles keeps all states of a step in simulated time', () => {
    const [real, simulated] = [table(vehicleQos('real')), table(vehicleQos('simulated'))];
    expect(simulated.filter((line) => !real.includes(line))).toEqual([
      'W vehicleState reliable volatile keep-last 100',
      'W vehicleObservation reliable volatile keep-last 100',
    ]);
  });

  it('names a topic that an end does not have', () => {
    expect(() => labControlQos.writer('vehicleState')).toThrow('"vehicleState"');
    expect(() => controllerQos.readers('log')).toThrow('"log"');
  });
});

describe('the local endpoints of a side', () => {
  it('are those that a middleware opens there, two readers where there are two', () => {
    const { side } = openSide('Controller');
    const { endpoints, domainId } = localEndpoints('controller', 7, side);
    expect(domainId).toBe(7);
    const lines = endpoints.map(({ kind, topic, qos }) => {
      return `${kind} ${topic} ${qos.reliability?.kind ?? ''}`;
    });
    expect(lines).toEqual([
      'writer vehicleStateList reliable',
      'writer systemTrigger reliable',
      'writer commonroad_dds_goal_states reliable',
      'reader readyStatus reliable',
      ...[...Object.values(commandTopics), topics.stopRequest].flatMap(({ name }) => [
        `reader ${name} reliable`,
        `reader ${name} best-effort`,
      ]),
    ]);
  });
});
