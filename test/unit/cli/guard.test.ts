import { describe, expect, it } from 'vitest';
import { guardFlags } from '../../../src/cli/guard-flags.js';
import { parse } from '../config/parse.js';
import { run } from './run.js';

describe('hlc-middleware guard', () => {
  it('takes the flags of run, and one of its own', async () => {
    const { configs, labs, exitCode } = await run(
      'guard --dds-domain=7 --guard-after-ms=450 --end-with-stdin',
    );
    expect(exitCode).toBe(0);
    expect(labs).toEqual([{ endWithStdin: true }]);
    expect(configs[0]).toMatchObject({
      sides: { lab: { domainId: 7 } },
      safety: { guardAfterNs: 450_000_000n },
    });
  });

  it('is given the configuration of the middleware that starts it', () => {
    const config = parse(
      '--period-ms=50 --dds-domain=7 --domain-number=9 --interface=127.0.0.1 --node-id=a ' +
        '--dds-initial-peer=10.0.0.1,10.0.0.2 --control-socket=/tmp/a.sock --resume=trigger ' +
        '--braking-deceleration=3.5 --vehicle-timeout-ms=0 --zero-speed-ms=900.5 ' +
        '--guard-after-ms=450 --lab-side=ros2 --log-level=warn --log-format=json --qos-file=a.xml',
    );
    const guard = parse(guardFlags(config).join(' '));
    expect(guard.nodeId).toBe(config.nodeId);
    expect(guard.sides.lab).toEqual(config.sides.lab);
    expect(guard.sides.qosFile).toBe(config.sides.qosFile);
    expect(guard.output.controlSocket).toEqual(config.output.controlSocket);
    for (const key of ['logLevel', 'logFormat'] as const) {
      expect(guard.output[key]).toBe(config.output[key]);
    }
    for (const key of [
      ...(['resume', 'brakingMps2', 'vehicleTimeoutNs', 'zeroForNs', 'guardAfterNs'] as const),
    ]) {
      expect(guard.safety[key]).toBe(config.safety[key]);
    }
  });

  it('is refused a silence below two periods', async () => {
    const { exitCode, error } = await run('guard --period-ms=400 --guard-after-ms=799');
    expect(exitCode).toBe(2);
    expect(error).toContain('at least two periods, 800 ms');
  });

  it('has defaults where the middleware has them', () => {
    const config = parse('--period-ms=50 --control-socket=off');
    const guard = parse(guardFlags(config).join(' '));
    expect(guard.output.controlSocket).toBeNull();
    expect(guard.safety.guardAfterNs).toBeNull();
    expect(guard.sides.lab.initialPeers).toEqual([]);
  });
});
