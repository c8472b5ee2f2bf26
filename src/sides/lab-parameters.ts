import { maxVehicleId, nsPerMs, toMs } from '../core/index.js';
import type { HlcError } from '../errors/index.js';
import { ParameterType, topics, type Parameter } from '../messages/index.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';
import { writeTopic } from './topic-writer.js';

/** A parameter of the lab's parameter server, and how its value is read. */
export interface LabParameter<T> {
  readonly name: string;
  /** The value, or what is wrong with the answer. */
  readonly parse: (answer: Parameter) => { readonly value: T } | { readonly wrong: string };
}

const longestPeriodMs = 86_400_000n;

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
    const outside = ids.find((id) => id < 0 || id > maxVehicleId);
    if (outside !== undefined) return { wrong: `${outside} is no vehicle id (0 to 255)` };
    return { value: [...new Set(ids)].sort((a, b) => a - b) };
  },
};

const repeatMs = 1000;

/** A request to the lab's parameter server. */
export interface ParameterRequest {
  /** The lab side. */
  readonly side: Side;
  /** Longest wait for an answer, ns; 0: for ever. */
  readonly timeoutNs: bigint;
  /** Makes the error of a parameter for which no answer came. */
  readonly onTimeout: (parameter: string) => HlcError;
  /** An answer cannot be used, and the wait goes on. */
  readonly onRefused: (parameter: string, cause: string) => void;
  /** No answer came so far; called before each further request. */
  readonly onWaiting: (parameter: string, waitedS: number) => void;
}

/**
 * Asks the lab's parameter server for a value until it answers: at once when a server is there,
 * then every second. Any answer serves, also one to another node's
 * request.
 * @throws the reason of `signal` when it aborts.
 * @throws HlcError `HLC_PARAMETER_TIMEOUT`.
 */
export async function askParameter<T>(
  parameter: LabParameter<T>,
  { side, timeoutNs, onTimeout, onRefused, onWaiting }: ParameterRequest,
  errors: TopicErrors,
  signal: AbortSignal,
): Promise<T> {
  const { name } = parameter;
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const ask = () => writer.write({ name });
    const writer = writeTopic(side, topics.parameterRequest, errors, { onMatched: ask });
    const readers = readTopic(
      side,
      topics.parameter,
      (answer) => {
        if (answer.name !== name) return;
        const parsed = parameter.parse(answer);
        if ('wrong' in parsed) {
          onRefused(name, parsed.wrong);
          return;
        }
        finish();
        resolve(parsed.value);
      },
      errors,
    );
    let asked = 0;
    const timer = setInterval(() => {
      asked++;
      onWaiting(name, (asked * repeatMs) / 1000);
      ask();
    }, repeatMs);
    const fail = (reason: Error) => {
      finish();
      reject(reason);
    };
    const onAbort = () => fail(signal.reason as Error);
    const end =
      timeoutNs === 0n ? undefined : setTimeout(() => fail(onTimeout(name)), toMs(timeoutNs));
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
