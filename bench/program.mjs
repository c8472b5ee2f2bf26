import { spawn } from 'node:child_process';
import process from 'node:process';
import { readUsage } from './usage.mjs';

const usualLongestMs = 120_000;
const shownCharacters = 2000;

/** The running programs. @type {Set<Program>} */
const alive = new Set();

/** Kills all running programs; for the exit of this process. */
export function killAll() {
  for (const program of alive) program.kill();
}

/** A child process, with waits for its output. */
export class Program {
  /**
   * @param {string} name for messages
   * @param {readonly string[]} command with its arguments
   * @param {NodeJS.ProcessEnv} env
   * @param {number} [longestMs] a longer run has hung
   */
  constructor(name, command, env, longestMs = usualLongestMs) {
    this.name = name;
    this.startedMs = performance.now();
    this.output = '';
    /** @type {Set<() => void>} */
    this.listeners = new Set();
    const [file = '', ...args] = command;
    this.child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        this.output += text;
        this.#notify();
      });
    }
    alive.add(this);
    this.gone = false;
    /** It was asked to end. */
    this.asked = false;
    this.failed = false;
    /** Exit code or signal. */
    this.how = '';
    this.timer = setTimeout(() => this.child.kill('SIGKILL'), longestMs);
    /** @type {Promise<void>} Settles when the process has ended and all its output is read. */
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code, signal) => {
        clearTimeout(this.timer);
        alive.delete(this);
        this.gone = true;
        this.failed = code !== 0 && !(this.asked && (signal === 'SIGTERM' || code === 143));
        this.how = signal ?? `exit code ${code ?? 'unknown'}`;
        this.#notify();
        resolve();
      });
    });
  }

  /**
   * Waits for a text on either output.
   * @param {string} text
   * @returns {Promise<number>} milliseconds since the start
   * @throws {Error} when the program ends without it
   */
  async untilOutput(text) {
    while (!this.output.includes(text)) {
      if (this.gone) throw this.failure(`ended (${this.how}) before it printed "${text}"`);
      /** @type {Promise<void>} */
      const change = new Promise((resolve) => this.listeners.add(resolve));
      await change;
    }
    return performance.now() - this.startedMs;
  }

  /** @throws {Error} when it does not end with code 0, or as a program that was asked to end */
  async untilDone() {
    await this.ended;
    if (this.failed) throw this.failure(`failed (${this.how})`);
  }

  /** Asks it to end, and waits until it has. @throws {Error} when it fails. */
  async end() {
    this.asked = true;
    this.child.kill('SIGTERM');
    await this.untilDone();
  }

  /** Asks it to end, and waits for its report. @throws {Error} when it fails or reports nothing. */
  async report() {
    await this.end();
    const line = this.output.split('\n').findLast((text) => text.startsWith('{'));
    if (line === undefined) throw this.failure('ended without a report');
    /** @type {unknown} */
    const report = JSON.parse(line);
    return report;
  }

  /** Undefined after its end. */
  usage() {
    return this.child.pid === undefined ? undefined : readUsage(this.child.pid);
  }

  kill() {
    this.child.kill('SIGKILL');
  }

  /** @param {string} what */
  failure(what) {
    return new Error(`${this.name} ${what}; it wrote:\n${this.output.slice(-shownCharacters)}`);
  }

  #notify() {
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }
}

/** The environment of this process without variables that configure a middleware. */
export function plainEnvironment() {
  const names = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('HLC_MIDDLEWARE_') && name !== 'NODE_OPTIONS',
  );
  return Object.fromEntries(names);
}
