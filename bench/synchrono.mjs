import { fleetCommand, synchronoGatewayCommand, synchronoNodeCommand } from './commands.mjs';
import { isolatedNetwork, unmeasured, withPrograms } from './deployment.mjs';

/** @import { Measurement } from './deployment.mjs' */
/** @import { Load, Side } from './load.mjs' */

/** Fast DDS discovers no participants with a tag. */
const network = { CYCLONEDDS_URI: isolatedNetwork({ tag: false }) };

/**
 * Heartbeats of the gateway and a node on Fast DDS that has agents. The reference is the work of that node.
 * @param {number} agents of the node
 * @returns {(load: Load, side: Side) => Promise<Measurement>} periods are heartbeats
 */
export function synchronoHeartbeats(agents) {
  return ({ periods }, side) =>
    withPrograms(async (start, _, watchOthers) => {
      const others = watchOthers();
      const command = synchronoNodeCommand(agents, periods);
      start('the vehicle', fleetCommand(), network);
      const gateway = start('the SynChrono gateway', synchronoGatewayCommand(agents), network);
      await gateway.untilOutput('node 2 waits for');
      const node = start('the SynChrono node', command);
      await Promise.all([node.untilDone(), gateway.untilDone()]);
      const { output } = side === 'product' ? gateway : node;
      const [, p50Ms] = /work per heartbeat: p50 (\S+) ms/.exec(output) ?? [];
      return { ...unmeasured, stepP50Us: 1000 * Number(p50Ms), otherShare: others.share() };
    });
}
