import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { RunConfig } from '../config/index.js';

const mainScript = fileURLToPath(new URL('main.js', import.meta.url));

/** A guard that is not needed any more ends within this time, ms. */
const endMs = 2000;

/**
 * A guard as a process of its own, in the process group of this one. It survives this process, and
 * then ends by itself once a middleware has taken over the vehicles that it holds.
 */
export class GuardChild {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #isExpectedToEnd = false;

  /** @param onUnexpectedEnd called with its exit code or signal, or why it was not started. */
  constructor(
    config: RunConfig,
    environment: NodeJS.ProcessEnv,
    onUnexpectedEnd: (how: string) => void,
  ) {
    const args = [mainScript, 'guard', '--end-with-stdin', ...guardFlags(config)];
    this.#child = spawn(process.execPath, args, {
      env: withoutOptions(environment),
      // Its log must not end with this process.
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    // The end of the process says more.
    this.#child.stdin?.on('error', () => undefined);
    this.#ended = new Promise((resolve) => {
      const end = (how: string) => {
        if (!this.#isExpectedToEnd) onUnexpectedEnd(how);
        resolve();
      };
      this.#child.once('error', (error) => end(error.message));
      this.#child.once('exit', (code, signal) => end(signal ?? `exit code ${code ?? 0}`));
    });
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
  const { safety, ros, qosFile, labNaming, controlSocket, initialPeers } = config;
  const flags = {
    'dds-domain': config.ddsDomain,
    'domain-number': config.domainNumber,
    'lab-naming': labNaming,
    interface: config.networkInterface,
    'local-addresses': config.localAddresses,
    'dds-initial-peer': initialPeers.length === 0 ? undefined : initialPeers.join(','),
    'qos-file': qosFile,
    'node-id': config.nodeId,
    'control-socket': controlSocket ?? 'off',
    resume: config.resume,
    'braking-deceleration': config.brakingDeceleration,
    'vehicle-timeout-ms': milliseconds(safety.vehicleTimeoutNs ?? 0n),
    'zero-speed-ms': milliseconds(safety.zeroForNs),
    'guard-after-ms': safety.guardAfterNs === null ? undefined : milliseconds(safety.guardAfterNs),
    'interrupt-exit-code': config.interruptExitCode,
    'log-level': config.logLevel,
    'log-format': config.logFormat,
  };
  const given = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  return [...given, ...(labNaming === 'ros2' ? ros.arguments : [])];
}

function milliseconds(ns: bigint): string {
  return String(Number(ns) / 1e6);
}

/** The flags say all; an option that is in the environment may not fit a guard. */
function withoutOptions(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(environment);
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith('HLC_MIDDLEWARE_')));
}
