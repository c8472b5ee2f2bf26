import { afterEach, describe, expect, it } from 'vitest';
import { stopSymbol } from '../../../../src/core/index.js';
import { topics } from '../../../../src/messages/index.js';
import {
  bestEffort,
  closeLabs,
  openRealTime,
  openSimulatedTime,
  peer,
  reliable,
  second,
  t,
} from './network.js';

afterEach(closeLabs);

describe('real time of the lab control', () => {
  it('starts a second from now, at a given time, and stops with the stop symbol', async () => {
    const { lab, triggers, network } = openRealTime();
    const times = triggers();
    lab.time.start();
    lab.time.start(t + 7n);
    lab.time.stop();
    await network.idle();
    expect(times).toEqual([t + second, t + 7n, stopSymbol]);
  });

  it('refuses a start time that no trigger can carry', () => {
    const { lab } = openRealTime();
    expect(() => lab.time.start(stopSymbol)).toThrow(RangeError);
    expect(() => lab.time.start(-1n)).toThrow(RangeError);
  });

  it('knows who signed in, each once', async () => {
    const { lab, ready, triggers, eventsOf } = openRealTime();
    triggers();
    await ready('middleware_1', 0n);
    await ready('middleware_2', 0n);
    await ready('middleware_1', 0n);
    expect(lab.time.participants().map(({ sourceId, state }) => [sourceId, state])).toEqual([
      ['middleware_1', 'ready'],
      ['middleware_2', 'ready'],
    ]);
    expect(eventsOf('participant')).toHaveLength(3);
  });

  it('lists no participant that has left, and no more than 1024', async () => {
    const { lab, ready, triggers, network, eventsOf } = openRealTime();
    triggers();
    const other = network.join();
    const gone = peer(other, network);
    gone.triggers();
    await gone.ready('gone', 0n);
    expect(lab.time.participants()).toHaveLength(1);
    other.close();
    await network.idle();
    expect(lab.time.participants()).toEqual([]);
    for (let i = 0; i < 1030; i++) await ready(`middleware_${i}`, 0n);
    await ready('middleware_3', 0n);
    expect(lab.time.participants()).toHaveLength(1024);
    expect(eventsOf('participant')).toHaveLength(1 + 1024 + 1);
  });

  it('counts a participant as signed in only when it reads triggers, or after a second', async () => {
    const { lab, ready, triggers, network, advance, eventsOf } = openRealTime();
    await ready('middleware', 0n);
    expect(lab.time.participants()).toEqual([]);
    triggers();
    await network.idle();
    expect(lab.time.participants()).toHaveLength(1);

    const other = peer(network.join(), network);
    await other.ready('deaf', 0n);
    expect(lab.time.participants()).toHaveLength(1);
    await advance(second);
    expect(lab.time.participants()).toHaveLength(2);
    expect(eventsOf('not-listening')).toEqual([{ kind: 'not-listening', sourceId: 'deaf' }]);
  });

  it('stops all at a request to stop one vehicle, on each of the topics', async () => {
    for (const qos of [reliable, bestEffort]) {
      const { triggers, send, eventsOf } = openRealTime();
      const times = triggers();
      await send(topics.stopRequest, { vehicle_id: 7 }, qos);
      expect(times).toEqual([stopSymbol]);
      expect(eventsOf('stop-request')).toEqual([{ kind: 'stop-request', vehicleId: 7 }]);
    }
  });
});

describe('simulated time of the lab control', () => {
  it('steps middlewares of different periods and offsets through one time', async () => {
    const { lab, network } = openSimulatedTime({ expected: ['a', 'b'] });
    const steps: string[] = [];
    const member = (id: string, offset: bigint, period: bigint) => {
      const side = network.join();
      const writer = side.createWriter(topics.readyStatus, reliable);
      let wanted = offset;
      const ready = () =>
        writer.write(
          topics.readyStatus.codec.encode({
            source_id: id,
            next_start_stamp: { nanoseconds: wanted },
          }),
        );
      side.createReader(topics.systemTrigger, reliable, {
        onSample: ({ bytes }) => {
          const { nanoseconds } = topics.systemTrigger.codec.decode(bytes).next_start;
          if (nanoseconds !== wanted) return;
          steps.push(`${id}${nanoseconds}`);
          if (steps.length === 8) lab.time.pause();
          wanted += period;
          ready();
        },
      });
      ready();
    };
    member('a', 1n, 10n);
    member('b', 6n, 25n);
    lab.time.start();
    await network.idle();
    expect(steps).toEqual(['a1', 'b6', 'a11', 'a21', 'a31', 'b31', 'a41', 'a51']);
  });

  it('begins single steps for debugging, and refuses half ones', async () => {
    const { lab, ready, triggers, network } = openSimulatedTime();
    const times = triggers();
    await ready('middleware', 1n);
    lab.time.step();
    await network.idle();
    await ready('middleware', 11n);
    expect(times).toEqual([1n]);
    lab.time.step(2);
    await network.idle();
    await ready('middleware', 21n);
    await ready('middleware', 31n);
    expect(times).toEqual([1n, 11n, 21n]);
    for (const count of [0, -1, 1.5, Infinity]) {
      expect(() => lab.time.step(count)).toThrow(RangeError);
    }
  });

  it('ends with the stop symbol after a stop request', async () => {
    const { lab, ready, triggers, send } = openSimulatedTime();
    const times = triggers();
    lab.time.start();
    await ready('middleware', 1n);
    await send(topics.stopRequest, { vehicle_id: 1 });
    await ready('middleware', 11n);
    expect(times).toEqual([1n, stopSymbol]);
  });

  it('goes on without a participant that is forgotten', async () => {
    const { lab, ready, triggers, network } = openSimulatedTime({ expected: ['a', 'b'] });
    const times = triggers();
    lab.time.start();
    await ready('a', 1n);
    lab.time.forget('b');
    await network.idle();
    expect(times).toEqual([1n]);
    expect(lab.time.participants()).toEqual([{ sourceId: 'a', nextStartNs: 1n, state: 'working' }]);
  });

  it('goes on without a participant that signs off, even when its reader of triggers is gone before', async () => {
    const { lab, ready, network, triggers, eventsOf } = openSimulatedTime();
    const times = triggers();
    const other = network.join();
    const leaving = peer(other, network);
    const reader = other.createReader(topics.systemTrigger, reliable, {
      onSample: () => undefined,
    });
    await leaving.ready('leaving', 1n);
    await ready('middleware', 11n);
    lab.time.start();
    await network.idle();
    expect(times).toEqual([1n]);
    reader.close();
    await network.idle();
    await leaving.ready('leaving', 2n);
    await leaving.ready('leaving', stopSymbol);
    other.close();
    await network.idle();
    expect(times).toEqual([1n, 11n]);
    expect(eventsOf('old-ready-signal')).toEqual([]);
  });

  it('reports a ready signal that is older than the one before', async () => {
    const { ready, triggers, eventsOf } = openSimulatedTime();
    triggers();
    await ready('a', 5n);
    await ready('a', 4n);
    expect(eventsOf('old-ready-signal')).toEqual([
      { kind: 'old-ready-signal', sourceId: 'a', nextStartNs: 4n },
    ]);
  });
});
