import { topics } from '../../messages/index.js';
import type { LabControlEvent } from './events.js';
import { LabControlIo } from './io.js';
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

type Report = (event: LabControlEvent) => void;

/**
 * Starts a lab control: the parameter server, the starts and stops of time, the log, goal
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
  const report: Report = (event) => options.onEvent?.(event);
  const io = new LabControlIo(options.transport, options.clock, report);
  try {
    return open(io, options, report);
  } catch (error) {
    io.close();
    throw error;
  }
}

function open(
  io: LabControlIo,
  options: LabControlOptions & { readonly simulatedTime?: SimulatedTimeOptions | undefined },
  report: Report,
): LabControl<RealTimeControl | SimulatedTimeControl> {
  const { clock, simulatedTime } = options;
  io.read(topics.log, (entry) => report({ kind: 'log', entry }));
  const setParameter = serveParameters(io, options, report);
  const logLevels = io.writer(topics.logLevel);
  const openGoalStates = () => io.writer(topics.commonroad_dds_goal_states);
  let goalWriter = openGoalStates();
  const probe = new RoundTripProbe(io);
  const time = simulatedTime
    ? openSimulatedTime(io, simulatedTime, report)
    : openRealTime(io, clock, report);
  return {
    time,
    setParameter,
    setLogLevel: (level) => logLevels.write({ log_level: level }),
    setGoalStates(goalStates) {
      goalWriter.close();
      goalWriter = openGoalStates();
      for (const goalState of goalStates) goalWriter.write(goalState);
    },
    askAll: async (waits = {}) => probe.askAll(waits),
    close() {
      probe.end();
      io.close();
    },
  };
}

function serveParameters(
  io: LabControlIo,
  { parameters = {} }: LabControlOptions,
  report: Report,
): LabControl<RealTimeControl>['setParameter'] {
  const table = new ParameterTable();
  for (const [name, parameter] of Object.entries(parameters)) table.set(name, parameter);
  const writer = io.writer(topics.parameter);
  io.read(topics.parameterRequest, ({ name }) => {
    const answer = table.request(name);
    report({ kind: 'parameter-request', name, answered: answer !== undefined });
    if (answer) writer.write(answer);
  });
  return (name, parameter) => {
    table.set(name, parameter);
    writer.write(parameterMessage(name, parameter));
  };
}
