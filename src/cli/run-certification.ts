import type { CheckValues, RunConfig } from '../config/index.js';
import { runCheck, type CheckResult } from '../certify/examination/index.js';
import type { DdsContext, DomainNetwork } from '../dds/index.js';
import { BothNamesTransport, participantData, RosNamedTransport } from '../ros2/on-dds/index.js';
import { sideNetwork } from '../sides/index.js';

/** The check of `hlc-middleware check`. */
export async function runCertification(
  config: RunConfig,
  { seed, realTimeOnly, separately }: CheckValues,
  command: readonly string[],
): Promise<CheckResult> {
  const { vehicleIds, periodNs, readyTimeoutNs } = config.session;
  const network = await sideNetwork(config.sides.controller);
  return runCheck(
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
