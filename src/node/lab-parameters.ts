import type { RunConfig } from '../config/index.js';
import type { HlcError } from '../core/errors/index.js';
import { ParameterType, topics, type Parameter } from '../messages/index.js';
import type { Logger } from './logger.js';
import type { LabParameters } from './session-factory.js';
import type { Side } from './side.js';
import type { TimeOuts } from './time-outs.js';
import { readTopic, type TopicTrouble } from './topic-reader.js';
import { writeTopic } from './topic-writer.js';

/** A parameter of the lab's parameter server, and how its value is read. */
export interface LabParameter<T> {
  readonly name: string;
  /** The value, or what is wrong with the answer. */
  readonly parse: (answer: Parameter) => { readonly value: T } | { readonly wrong: string };
}

const nsPerMs = 1_000_000n;
const longestPeriodMs = 86_400_000n;
const highestVehicleId = 255;

/** `middleware_period_ms`, as ns. */
export const periodParameter: LabParameter<bigint> = {
  name: 'middleware_period_ms',
  parse({ type, value_uint64_t: ms }) {
    if (type !== ParameterType.UInt64) return { wrong: 'its type is not UInt64' };
    if (ms < 1n || ms > longestPeriodMs) return { wrong: `${ms} ms is no period` };
    return { value: ms * nsPerMs };
  },
};

/** `active_vehicle_ids`, each once, ascending; the lab control starts with an empty list. */
export const activeVehicleIdsParameter: LabParameter<readonly number[]> = {
  name: 'active_vehicle_ids',
  parse({ type, values_int32: ids }) {
    if (type !== ParameterType.Vector_Int32) return { wrong: 'its type is not Vector_Int32' };
    const outside = ids.find((id) => id < 0 || id > highestVehicleId);
    if (outside !== undefined) return { wrong: `${outside} is no vehicle id (0 to 255)` };
    return { value: [...new Set(ids)].sort((a, b) => a - b) };
  },
};

/**
 * The period and the active ids; what is not configured is asked for.
 * @throws the reason of `stopped` when it aborts.
 * @throws HlcError `HLC_PARAMETER_TIMEOUT`.
 */
export async function askLabParameters(
  config: RunConfig,
  side: Side,
  timeOuts: TimeOuts,
  trouble: TopicTrouble,
  log: Logger,
  stopped: AbortSignal,
): Promise<LabParameters> {
  const server: ParameterServer = {
    side,
    domainId: config.ddsDomain,
    timeoutNs: config.parameterTimeoutNs,
    onTimeout: (parameter) => timeOuts.parameter(parameter),
  };
  const ask = <T>(parameter: LabParameter<T>) =>
    askParameter(parameter, server, trouble, log, stopped);
  const periodNs = config.periodNs ?? (await ask(periodParameter));
  const activeVehicleIds = config.activeVehicleIds ?? (await ask(activeVehicleIdsParameter));
  return { periodNs, activeVehicleIds };
}

const repeatMs = 1000;

/** Where the parameter server of the lab is looked for, and for how long. */
export interface ParameterServer {
  readonly side: Side;
  readonly domainId: number;
  /** Longest wait for an answer, ns; 0: for ever. */
  readonly timeoutNs: bigint;
  /** Makes the error of a parameter for which no answer came. */
  readonly onTimeout: (parameter: string) => HlcError;
}

/**
 * Asks the lab's parameter server for a value until it answers: at once when a server is there,
 * then every second, saying what is awaited. Any answer serves, also one to another node's
 * request.
 * @throws the reason of `signal` when it aborts.
 * @throws HlcError `HLC_PARAMETER_TIMEOUT`.
 */
export async function askParameter<T>(
  parameter: LabParameter<T>,
  { side, domainId, timeoutNs, onTimeout }: ParameterServer,
  trouble: TopicTrouble,
  log: Logger,
  signal: AbortSignal,
): Promise<T> {
  const { name } = parameter;
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const ask = () =>
      trouble.attempt(() => writer.write(topics.parameterRequest.codec.encode({ name })));
    const writer = writeTopic(side, topics.parameterRequest, trouble, { onMatched: ask });
    const readers = readTopic(
      side,
      topics.parameter,
      (answer) => {
        if (answer.name !== name) return;
        const parsed = parameter.parse(answer);
        if ('wrong' in parsed) {
          log.warn({ parameter: name }, `the lab's answer for ${name} is refused: ${parsed.wrong}`);
          return;
        }
        finish();
        resolve(parsed.value);
      },
      trouble,
    );
    let asked = 0;
    const timer = setInterval(() => {
      asked++;
      log.info(
        { parameter: name, waited_s: (asked * repeatMs) / 1000 },
        `waiting for the parameter ${name} of the lab's parameter server on DDS domain ${domainId}; --period-ms and --active-vehicle-ids make it unnecessary`,
      );
      ask();
    }, repeatMs);
    const fail = (reason: Error) => {
      finish();
      reject(reason);
    };
    const onAbort = () => fail(signal.reason as Error);
    const end =
      timeoutNs === 0n
        ? undefined
        : setTimeout(() => fail(onTimeout(name)), Number(timeoutNs) / 1e6);
    const finish = () => {
      clearInterval(timer);
      clearTimeout(end);
      signal.removeEventListener('abort', onAbort);
      writer.close();
      for (const reader of readers) reader.close();
    };
    signal.addEventListener('abort', onAbort);
  });
}
