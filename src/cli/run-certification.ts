import type { CheckValues, RunConfig } from '../config/index.js';
import { runCheck, type CheckResult } from '../certify/examination/index.js';
import { controllerRequest } from '../node/index.js';
import { sideNetwork } from '../sides/index.js';

/** The check of `hlc-middleware check`. */
export async function runCertification(
  config: RunConfig,
  { seed, realTimeOnly }: CheckValues,
  command: readonly string[],
): Promise<CheckResult> {
  const { vehicleIds, periodNs, readyTimeoutNs } = config;
  return runCheck(
    {
      vehicleIds,
      network: await sideNetwork(controllerRequest(config)),
      periodNs: periodNs ?? 0n,
      seed,
      readyTimeoutNs,
      realTimeOnly,
      command,
    },
    (text) => void process.stderr.write(`${text}\n`),
  );
}
