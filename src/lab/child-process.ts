import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { orphanWatch } from './orphan-watch.js';

/** A program of the simulated lab. */
export interface Program {
  /** What log lines call it, for example `controller 2 (C)`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** What happens to a running program. */
export interface ProgramEvents {
  /** It wrote a line to its standard output or standard error. */
  onLine(name: string, line: string): void;
  /** It ended without a request. */
  onUnexpectedEnd(name: string, how: string): void;
}

/** Programs must not outlive the one that started them, however that ends. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  orphanWatch.close();
  for (const child of running) child.kill('SIGKILL');
});

/** Time between SIGTERM and SIGKILL. */
const graceMs = 2000;

/** A program of the simulated lab in a process of its own. */
export class LabProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #stopping = false;

  constructor(program: Program, events: ProgramEvents) {
    const child = spawn(program.command, program.args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ctrl-C is for the program that started it, which then ends this one.
      detached: true,
    });
    orphanWatch.watch(child);
    running.add(child);
    child.once('exit', () => running.delete(child));
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => events.onLine(program.name, line));
    }
    this.#ended = new Promise((resolve) => {
      const end = (how: string) => {
        if (!this.#stopping) events.onUnexpectedEnd(program.name, how);
        resolve();
      };
      child.once('error', (error) => end(error.message));
      child.once('exit', (code, signal) => end(signal ?? `exit code ${code ?? 0}`));
    });
  }

  /** From now on its end is expected: it may go by itself, as controllers do after the stop. */
  expectEnd(): void {
    this.#stopping = true;
  }

  /** Ends the program, by force when it does not go by itself; resolves when it is gone. */
  async stop(): Promise<void> {
    this.expectEnd();
    this.#child.kill('SIGTERM');
    const force = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
    await this.#ended;
    clearTimeout(force);
  }
}
