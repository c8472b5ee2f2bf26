import { topics } from '../../messages/index.js';
import { ComputerBook } from './computers.js';
import type { LabControlEvent } from './events.js';
import { LabControlIo } from './io.js';
import { LogBook } from './log.js';
import type {
  LabControl,
  LabControlOptions,
  RealTimeControl,
  SimulatedTimeControl,
  SimulatedTimeOptions,
} from './options.js';
import { parameterMessage, ParameterTable } from './parameters.js';
import { RoundTripProbe } from './round-trip.js';
import { openRealTime, openSimulatedTime } from './time.js';

type Tell = (event: LabControlEvent) => void;

/**
 * Starts a lab control: the parameter server, the starts and stops of time, the log viewer, goal
 * states and round trips of the lab, for tests and for users without a lab.
 * @throws HlcError `HLC_DDS_ENTITY` when an endpoint cannot be made.
 * @throws RangeError when a parameter's value does not fit its type.
 */
export function createLabControl(
  options: LabControlOptions & { readonly simulatedTime: SimulatedTimeOptions },
): LabControl<SimulatedTimeControl>;
export function createLabControl(
  options: LabControlOptions & { readonly simulatedTime?: undefined },
): LabControl<RealTimeControl>;
export function createLabControl(
  options: LabControlOptions & { readonly simulatedTime?: SimulatedTimeOptions | undefined },
): LabControl<RealTimeControl | SimulatedTimeControl> {
  const tell: Tell = (event) => options.onEvent?.(event);
  const io = new LabControlIo(options.transport, options.clock, tell);
  try {
    return open(io, options, tell);
  } catch (error) {
    io.close();
    throw error;
  }
}

function open(
  io: LabControlIo,
  options: LabControlOptions & { readonly simulatedTime?: SimulatedTimeOptions | undefined },
  tell: Tell,
): LabControl<RealTimeControl | SimulatedTimeControl> {
  const { clock, simulatedTime } = options;
  const logs = readLogs(io, tell);
  const computers = readHellos(io, options, tell);
  const setParameter = serveParameters(io, options, tell);
  const logLevels = io.writer(topics.logLevel);
  const openGoalStates = () => io.writer(topics.commonroad_dds_goal_states);
  let goalWriter = openGoalStates();
  const probe = new RoundTripProbe(io, options.id ?? 'lab_control_center', options.monotonicNs);
  const time = simulatedTime
    ? openSimulatedTime(io, simulatedTime, tell)
    : openRealTime(io, clock, tell);
  return {
    time,
    setParameter,
    setLogLevel: (level) => logLevels.write({ log_level: level }),
    logs: (maxLevel) => logs.entries(maxLevel),
    setGoalStates(goalStates) {
      goalWriter.close();
      goalWriter = openGoalStates();
      for (const goalState of goalStates) goalWriter.write(goalState);
    },
    measureRoundTrips: async (waits = {}) => probe.measure(waits),
    computers: () => computers.online(clock.nowNs()),
    close() {
      probe.end();
      io.close();
    },
  };
}

function readLogs(io: LabControlIo, tell: Tell): LogBook {
  const logs = new LogBook();
  io.read(topics.log, (entry) => {
    logs.add(entry);
    tell({ kind: 'log', entry });
  });
  return logs;
}

function readHellos(io: LabControlIo, { clock }: LabControlOptions, tell: Tell): ComputerBook {
  const computers = new ComputerBook();
  io.read(topics.hlc_hello, (message) => {
    const computer = computers.hello(message, clock.nowNs());
    if (computer) tell({ kind: 'hello', computer });
    else tell({ kind: 'hello-refused', sourceId: message.source_id });
  });
  return computers;
}

function serveParameters(
  io: LabControlIo,
  { parameters = {} }: LabControlOptions,
  tell: Tell,
): LabControl<RealTimeControl>['setParameter'] {
  const table = new ParameterTable();
  for (const [name, parameter] of Object.entries(parameters)) table.set(name, parameter);
  const writer = io.writer(topics.parameter);
  io.read(topics.parameterRequest, ({ name }) => {
    const answer = table.request(name);
    tell({ kind: 'parameter-request', name, answered: answer !== undefined });
    if (!answer) return;
    if (answer.delayNs > 0n) io.later(answer.delayNs, () => writer.write(answer.message));
    else writer.write(answer.message);
  });
  return (name, parameter) => {
    table.set(name, parameter);
    writer.write(parameterMessage(name, parameter));
  };
}
