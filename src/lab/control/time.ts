import { nsPerMs, nsPerS, stopSymbol } from '../../core/index.js';
import { topics, type ReadyStatus } from '../../messages/index.js';
import { ReadyGate } from '../../sides/index.js';
import type { LabControlEvent } from './events.js';
import type { LabControlIo } from './io.js';
import type { RealTimeControl, SimulatedTimeControl, SimulatedTimeOptions } from './options.js';
import type { TimeEffect } from './participants.js';
import { RealTime } from './real-time.js';
import { SimulatedTime } from './simulated-time.js';
import type { LabClock } from '../lab-clock.js';

/** In real time the lab starts this long after the start is asked for (CPM Lab, `TimerTrigger`). */
const startDelayNs = nsPerS;

/** Their names come from the network. */
const mostParticipants = 1024;

type Report = (event: LabControlEvent) => void;
type Perform = (effects: readonly TimeEffect[]) => void;

/** Opens the endpoints of real time. */
export function openRealTime(io: LabControlIo, clock: LabClock, report: Report): RealTimeControl {
  const time = new RealTime();
  const perform = openEndpoints(io, time, report);
  return {
    start: (startNs = clock.nowNs() + startDelayNs) => perform(time.start(startNs)),
    stop: () => perform(time.stop()),
    participants: () => time.participants(),
  };
}

/** Opens the endpoints of simulated time. */
export function openSimulatedTime(
  io: LabControlIo,
  options: SimulatedTimeOptions,
  report: Report,
): SimulatedTimeControl {
  const time = new SimulatedTime(options);
  const perform = openEndpoints(io, time, report);
  return {
    start: () => perform(time.start()),
    pause: () => perform(time.pause()),
    step(count = 1) {
      if (!Number.isSafeInteger(count) || count < 1) {
        throw new RangeError(`${count} is no number of steps; give one of 1 or more.`);
      }
      perform(time.step(count));
    },
    stop: () => perform(time.stop()),
    participants: () => time.participants(),
    forget: (sourceId) => perform(time.forget(sourceId)),
  };
}

function openEndpoints(io: LabControlIo, time: RealTime | SimulatedTime, report: Report): Perform {
  const triggers = io.writer(topics.systemTrigger, { onMatched: () => gate.readersChanged() });
  const perform = (effects: readonly TimeEffect[]): void => {
    for (const effect of effects) {
      if (effect.kind === 'trigger') {
        triggers.write({ next_start: { nanoseconds: effect.nextStartNs } });
      }
      report(effect);
    }
  };
  const takeUp = ({ source_id, next_start_stamp }: ReadyStatus): void =>
    perform(time.readySignal(source_id, next_start_stamp.nanoseconds));
  const gate = new ReadyGate<ReadyStatus>(
    {
      listeners: () => triggers.endpoint.matchedParticipants(),
      senders: () => readySignals?.matchedParticipants() ?? new Set(),
    },
    {
      ready: takeUp,
      deaf: ({ source_id }) => report({ kind: 'not-listening', sourceId: source_id }),
    },
    (delayMs, callback) => io.later(BigInt(delayMs) * nsPerMs, callback),
  );
  const isFullFor = (sourceId: string): boolean => {
    const all = time.participants();
    return all.length >= mostParticipants && !all.some((each) => each.sourceId === sourceId);
  };
  /** GUID of the newest writer of each source id. */
  const writers = new Map<string, string>();
  const [readySignals] = io.read(
    topics.readyStatus,
    (ready, { writer }) => {
      if (!writers.has(ready.source_id) && isFullFor(ready.source_id)) return;
      writers.set(ready.source_id, writer.guid);
      if (ready.next_start_stamp.nanoseconds === stopSymbol) {
        // It signs off and waits for no trigger: its reader may be gone before this is read.
        gate.writerGone(writer.guid);
        takeUp(ready);
      } else {
        gate.readySignal(ready, writer.guid);
      }
    },
    ({ joined, writer }) => {
      if (joined) return;
      gate.writerGone(writer.guid);
      for (const [sourceId, guid] of writers) {
        if (guid !== writer.guid) continue;
        writers.delete(sourceId);
        perform(time.left(sourceId));
      }
    },
  );
  io.read(topics.stopRequest, ({ vehicle_id }) => {
    report({ kind: 'stop-request', vehicleId: vehicle_id });
    perform(time.stop());
  });
  return perform;
}
