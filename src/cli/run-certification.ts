import type { CertifyValues, RunConfig } from '../config/index.js';
import { runExamination, type CertificationResult } from '../certify/examination/index.js';
import type { DdsContext, DomainNetwork } from '../dds/index.js';
import { isHlcError } from '../errors/index.js';
import { writeFinding } from '../observe/index.js';
import { BothNamesTransport, participantData, RosNamedTransport } from '../ros2/on-dds/index.js';
import { sideNetwork } from '../sides/index.js';

/**
 * Runs `hlc-middleware certify`. Its findings are kept for the page of `hlc-middleware observe`.
 * @param version of this program.
 */
export async function runCertification(
  config: RunConfig,
  { seed, realTimeOnly, separately }: CertifyValues,
  command: readonly string[],
  version: string,
): Promise<CertificationResult> {
  const { vehicleIds, periodNs, readyTimeoutNs } = config.session;
  const network = await sideNetwork(config.sides.controller);
  const result = await runExamination(
    {
      vehicleIds,
      domainId: network.domainId,
      join: (dds) => joinControllers(dds, network, config),
      periodNs: periodNs ?? 0n,
      seed,
      readyTimeoutNs: readyTimeoutNs ?? 0n,
      realTimeOnly,
      separately,
      command,
    },
    log,
  );
  await keepFindings(result, config, version);
  return result;
}

/** A finding that cannot be kept does not change the result. */
async function keepFindings(
  { reports }: CertificationResult,
  { output: { controlSocket } }: RunConfig,
  version: string,
): Promise<void> {
  if (controlSocket === null) return;
  const time = new Date().toISOString();
  for (const { appeared, rules, ...report } of reports) {
    if (!appeared) continue;
    const notPassed = rules.flatMap(({ outcome, ...rule }) =>
      outcome === 'pass' ? [] : [{ outcome, ...rule }],
    );
    const finding = { ...report, time, version, rules: notPassed };
    await writeFinding(controlSocket.path, finding).catch((error: unknown) => {
      if (!isHlcError(error)) throw error;
      log(`${error.message} [${error.code}]`);
    });
  }
}

/** The controller side with the names that `--controller-side` wants. */
function joinControllers(
  dds: DdsContext,
  network: DomainNetwork,
  { session, sides: { controller, ros } }: RunConfig,
) {
  if (controller.kind === 'dds') return dds.join(network);
  const Named = controller.kind === 'both' ? BothNamesTransport : RosNamedTransport;
  return new Named(dds.join(network, { userData: participantData }), {
    node: ros.node,
    topicRemaps: ros.topicRemaps,
    writtenVehicles: session.vehicleIds.length,
    nowNs: () => dds.clocks.realtimeNs(),
    onError: ({ message }) => log(message),
  });
}

function log(text: string): void {
  process.stderr.write(`${text}\n`);
}
