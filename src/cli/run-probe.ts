import type { CheckValues, RunConfig } from '../config/index.js';
import { controllerNetwork } from '../node/index.js';
import { runCheck, type CheckResult } from '../probe/index.js';

/** The check of `hlc-middleware check`. */
export async function runProbe(
  config: RunConfig,
  { seed, realTimeOnly }: CheckValues,
  command: readonly string[],
): Promise<CheckResult> {
  const { vehicleIds, periodNs, readyTimeoutNs } = config;
  return runCheck(
    {
      vehicleIds,
      network: await controllerNetwork(config),
      periodNs: periodNs ?? 0n,
      seed,
      readyTimeoutNs,
      realTimeOnly,
      command,
    },
    (text) => void process.stderr.write(`${text}\n`),
  );
}
