import type { CheckValues, RunConfig } from '../config/index.js';
import { runCheck, type CheckResult } from '../certify/examination/index.js';
import { sideNetwork } from '../sides/index.js';

/** The check of `hlc-middleware check`. */
export async function runCertification(
  config: RunConfig,
  { seed, realTimeOnly }: CheckValues,
  command: readonly string[],
): Promise<CheckResult> {
  const { vehicleIds, periodNs, readyTimeoutNs } = config.session;
  return runCheck(
    {
      vehicleIds,
      network: await sideNetwork(config.sides.controller),
      periodNs: periodNs ?? 0n,
      seed,
      readyTimeoutNs: readyTimeoutNs ?? 0n,
      realTimeOnly,
      command,
    },
    (text) => void process.stderr.write(`${text}\n`),
  );
}
