import { ExitCode } from '../exit-codes.js';
import { entry } from './entry.js';

/** Errors of the gateways. */
export const gatewayErrors = {
  HLC_GATEWAY_LISTEN: entry<{ host: string; port: number; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The gateway cannot listen on port ${d.port} of ${d.host} (${d.cause}); end the program that has the port, or choose another one with --port, or an address of this machine with --listen.`,
  ),
  HLC_GATEWAY_REFUSED: entry<{ address: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The client at ${d.address} is refused: ${d.cause}; the gateway serves the other clients and the next one, so correct this client and start it again.`,
  ),
  HLC_GATEWAY_BUFFER: entry<{ node: number; cause: string }>(
    ExitCode.failure,
    (d) =>
      `A buffer of SynChrono node ${d.node} is refused: ${d.cause}; the gateway waits for the next one, so correct this node and start the simulation again.`,
  ),
  HLC_DANCERS_LISTEN: entry<{ side: string; address: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The gateway cannot listen for the ${d.side} side at ${d.address} (${d.cause}); end the other program, or change the address in the DANCERS configuration.`,
  ),
  HLC_DANCERS_SIDE: entry<{ side: string; address: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The ${d.side} side of DANCERS at ${d.address} failed: ${d.cause}; the run has ended, and the other side received CLOSE. Correct this side and start all of them again.`,
  ),
  HLC_DANCERS_COORDINATOR: entry<{ address: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The DANCERS coordinator at ${d.address} failed: ${d.cause}; start it, and then the physics side again.`,
  ),
  HLC_DANCERS_CONFIG: entry<{ path: string; cause: string }>(
    ExitCode.usage,
    (d) => `The DANCERS configuration ${d.path} cannot be used: ${d.cause}.`,
  ),
} as const;
