import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { RunConfig } from '../config/index.js';
import { toMs } from '../core/index.js';
import { HlcError } from '../errors/index.js';

const mainScript = fileURLToPath(new URL('main.js', import.meta.url));

/** A guard listens within this time, ms. */
const startMs = 30_000;

/** A guard that is not needed any more ends within this time, ms. */
const endMs = 2000;

/**
 * A guard as a process of its own, in the process group of this one. It survives this process, and
 * then ends by itself once a middleware has taken over the vehicles that it holds.
 */
export class GuardChild {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  /** How it ended; undefined while it runs. */
  #end: string | undefined;
  #isExpectedToEnd = false;

  /** Called with its exit code or signal when it ends without a request. */
  onUnexpectedEnd: (how: string) => void = () => undefined;

  constructor(config: RunConfig, environment: NodeJS.ProcessEnv) {
    const args = [mainScript, 'guard', '--end-with-stdin', ...guardFlags(config)];
    this.#child = spawn(process.execPath, args, {
      env: withoutOptions(environment),
      // Its log must not end with this process.
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    // The end of the process says more.
    this.#child.stdin?.on('error', () => undefined);
    this.#ended = new Promise((resolve) => {
      const end = (how: string) => {
        this.#end = how;
        if (!this.#isExpectedToEnd) this.onUnexpectedEnd(how);
        resolve();
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (code, signal) => end(signal ?? `exit code ${code ?? 0}`));
    });
  }

  /**
   * Settles when the guard listens on the lab side.
   * @throws HlcError `HLC_GUARD` when it ended before, or took too long.
   */
  async ready(): Promise<void> {
    const listens = await Promise.race([
      new Promise<true>((resolve) => this.#child.stdout?.once('data', () => resolve(true))),
      this.#ended.then(() => false),
      wait(startMs, false, { ref: false }),
    ]);
    if (listens) return;
    throw new HlcError('HLC_GUARD', { cause: this.#end ?? 'it does not listen' });
  }

  /**
   * Ends the guard, unless it holds a vehicle: then it goes on without this process. Settles when it
   * has ended, or after two seconds.
   * @param how `leave`: one that goes on is left alone; `kill`: it is ended by force.
   */
  async end(how: 'leave' | 'kill'): Promise<void> {
    this.#isExpectedToEnd = true;
    this.#child.stdin?.end();
    await Promise.race([this.#ended, wait(endMs, undefined, { ref: false })]);
    if (how === 'kill') this.#child.kill('SIGKILL');
    this.#child.unref();
  }
}

/** What a guard must know of the configuration of its middleware. */
export function guardFlags(config: RunConfig): string[] {
  const { safety, sides, output } = config;
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

/**
 * The flags say all; an option that is in the environment may not fit a guard. The service manager
 * waits for messages of this process, not of the guard.
 */
function withoutOptions(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isForParent = /^(HLC_MIDDLEWARE_.*|NOTIFY_SOCKET|WATCHDOG_USEC|WATCHDOG_PID)$/;
  const entries = Object.entries(environment);
  return Object.fromEntries(entries.filter(([name]) => !isForParent.test(name)));
}
