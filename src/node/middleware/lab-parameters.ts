import type { RunConfig } from '../../config/index.js';
import {
  activeVehicleIdsParameter,
  askParameter,
  periodParameter,
  type LabParameter,
  type ParameterRequest,
  type Side,
  type TopicErrors,
} from '../../sides/index.js';
import type { Logger } from '../logger.js';
import { RateLimiter } from '../observers/rate-limiter.js';
import type { LabParameters } from './session-factory.js';
import type { TimeOuts } from './time-outs.js';

/**
 * The period and the active ids; what is not configured is asked for.
 * @throws the reason of `stopped` when it aborts.
 * @throws HlcError `HLC_PARAMETER_TIMEOUT`.
 */
export async function askLabParameters(
  { session, sides }: RunConfig,
  side: Side,
  timeOuts: TimeOuts,
  errors: TopicErrors,
  log: Logger,
  stopped: AbortSignal,
): Promise<LabParameters> {
  const repeated = new RateLimiter();
  const request: ParameterRequest = {
    side,
    timeoutNs: session.parameterTimeoutNs,
    onTimeout: (parameter) => timeOuts.parameter(parameter),
    onRefused: (parameter, cause) => {
      const text = `the lab's answer for ${parameter} is refused: ${cause}`;
      repeated.warn(log, text, process.hrtime.bigint(), { parameter }, text);
    },
    onWaiting: (parameter, waitedS) =>
      log.info(
        { parameter, waited_s: waitedS },
        `waiting for the parameter ${parameter} of the lab's parameter server on DDS domain ${sides.lab.domainId}; --period-ms and --active-vehicle-ids make it unnecessary`,
      ),
  };
  const ask = <T>(parameter: LabParameter<T>) => askParameter(parameter, request, errors, stopped);
  const periodNs = session.periodNs ?? (await ask(periodParameter));
  const activeVehicleIds = session.activeVehicleIds ?? (await ask(activeVehicleIdsParameter));
  return { periodNs, activeVehicleIds };
}
