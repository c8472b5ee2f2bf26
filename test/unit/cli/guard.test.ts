import { describe, expect, it } from 'vitest';
import { guardFlags } from '../../../src/cli/guard-child.js';
import { parse } from '../config/parse.js';
import { run } from './run.js';

describe('hlc-middleware guard', () => {
  it('takes the flags of run, and one of its own', async () => {
    const { configs, labs, exitCode } = await run(
      'guard --dds-domain=7 --guard-after-ms=450 --end-with-stdin',
    );
    expect(exitCode).toBe(0);
    expect(labs).toEqual([{ endWithStdin: true }]);
    expect(configs[0]).toMatchObject({ ddsDomain: 7, safety: { guardAfterNs: 450_000_000n } });
  });

  it('is given the configuration of the middleware that starts it', () => {
    const config = parse(
      '--period-ms=50 --dds-domain=7 --domain-number=9 --interface=127.0.0.1 --node-id=a ' +
        '--dds-initial-peer=10.0.0.1,10.0.0.2 --control-socket=/tmp/a.sock --resume=trigger ' +
        '--braking-deceleration=3.5 --vehicle-timeout-ms=0 --zero-speed-ms=900.5 ' +
        '--guard-after-ms=450 --lab-naming=ros2 --log-level=warn --log-format=json --qos-file=a.xml',
    );
    const guard = parse(guardFlags(config).join(' '));
    for (const key of [
      ...(['ddsDomain', 'domainNumber', 'networkInterface', 'nodeId', 'initialPeers'] as const),
      ...(['controlSocket', 'resume', 'brakingDeceleration', 'labNaming', 'qosFile'] as const),
      ...(['logLevel', 'logFormat', 'localAddresses'] as const),
    ]) {
      expect(guard[key], key).toEqual(config[key]);
    }
    const { vehicleTimeoutNs, zeroForNs, guardAfterNs } = config.safety;
    expect(guard.safety).toMatchObject({ vehicleTimeoutNs, zeroForNs, guardAfterNs });
  });

  it('has defaults where the middleware has them', () => {
    const config = parse('--period-ms=50 --control-socket=off');
    const guard = parse(guardFlags(config).join(' '));
    expect(guard.controlSocket).toBeNull();
    expect(guard.safety.guardAfterNs).toBeNull();
    expect(guard.initialPeers).toEqual([]);
  });
});
