import type { CheckValues, RunConfig } from '../config/index.js';
import { runCheck, type CheckResult } from '../certify/examination/index.js';

/** The check of `hlc-middleware check`. */
export function runCertification(
  config: RunConfig,
  { seed, realTimeOnly }: CheckValues,
  command: readonly string[],
): Promise<CheckResult> {
  const { vehicleIds, domainNumber: domainId, networkInterface, periodNs, readyTimeoutNs } = config;
  return runCheck(
    {
      vehicleIds,
      network: { domainId, networkInterface, initialPeers: [] },
      periodNs: periodNs ?? 0n,
      seed,
      readyTimeoutNs,
      realTimeOnly,
      command,
    },
    (text) => void process.stderr.write(`${text}\n`),
  );
}
