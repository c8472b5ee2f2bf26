import type { RunConfig } from '../config/index.js';
import { toMs } from '../core/index.js';

/** What a guard must know of the configuration of its middleware. */
export function guardFlags(config: RunConfig): string[] {
  const { safety, session, sides, output } = config;
  const { lab, controller, ros, qosFile } = sides;
  const { vehicleTimeoutNs, guardAfterNs } = safety;
  const isRos = lab.kind !== 'dds';
  const flags = {
    'dds-domain': lab.domainId,
    'domain-number': controller.domainId,
    // Without rclnodejs: the guard is a participant of plain DDS.
    'lab-side': isRos ? 'ros2' : 'dds',
    interface: lab.networkInterface,
    'local-addresses': lab.localAddresses,
    'dds-initial-peer': lab.initialPeers.length === 0 ? undefined : lab.initialPeers.join(','),
    'qos-file': qosFile,
    'node-id': config.nodeId,
    'control-socket': output.controlSocket?.path ?? 'off',
    resume: safety.resume,
    'braking-deceleration': safety.brakingMps2,
    'vehicle-timeout-ms': toMs(vehicleTimeoutNs ?? 0n),
    'zero-speed-ms': toMs(safety.zeroForNs),
    'end-timeout-ms': toMs(session.endTimeoutNs),
    'guard-after-ms': guardAfterNs === null ? undefined : toMs(guardAfterNs),
    'interrupt-exit-code': config.interruptExitCode,
    'log-level': output.logLevel,
    'log-format': output.logFormat,
  };
  const given = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  return [...given, ...(isRos ? ros.arguments : [])];
}
