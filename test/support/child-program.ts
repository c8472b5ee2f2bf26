import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { Recorder } from './recorder.js';

/** How a process ended: one of the two is null. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How a program is started, beside its command. */
export interface ProgramOptions {
  /** What else is in its environment. */
  readonly variables?: NodeJS.ProcessEnv;
  /**
   * Its own process group: a signal reaches the processes that it started, too, as Ctrl-C does on a
   * terminal, and none of them outlives the test. SIGSTOP, SIGCONT and the end of the test reach those in a group
   * of their own as well.
   */
  readonly group?: boolean;
  /** How long a wait for one of its lines takes at most, ms; by default that of a Recorder. */
  readonly patienceMs?: number;
}

const markName = 'HLC_TEST_GROUP';

/** Ends each program that runs. */
const running = new Set<() => void>();
process.once('exit', () => {
  for (const kill of running) kill();
});

/** A running program whose lines can be waited for. It does not outlive the test. */
export class ChildProgram {
  readonly stdout: Recorder<string>;
  readonly stderr: Recorder<string>;
  /** Settles when the process is gone and all it wrote is recorded. */
  readonly ended: Promise<ProgramEnd>;
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #group: boolean;
  /** Value of {@link markName} in the environment of all processes of its group, and of those that left it. */
  readonly #mark = randomUUID();
  #gone = false;

  /** @param cycloneUri value of `CYCLONEDDS_URI` in its environment */
  constructor(
    name: string,
    command: string,
    args: readonly string[],
    cycloneUri: string,
    { variables = {}, group = false, patienceMs }: ProgramOptions = {},
  ) {
    this.#group = group;
    this.stdout = new Recorder(`lines of ${name} on standard output`, patienceMs);
    this.stderr = new Recorder(`lines of ${name} on standard error`, patienceMs);
    this.#process = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...environment(cycloneUri), ...variables, ...(group && { [markName]: this.#mark }) },
      detached: group,
    });
    this.#process.stdin.on('error', () => undefined); // the end of the process says more
    createInterface(this.#process.stdout).on('line', (line) => this.stdout.add(line));
    createInterface(this.#process.stderr).on('line', (line) => this.stderr.add(line));
    const kill = () => void this.#sendAll('SIGKILL');
    running.add(kill);
    this.ended = new Promise((resolve, reject) => {
      this.#process.once('error', reject);
      this.#process.once('close', (code, signal) => {
        this.#gone = true;
        running.delete(kill);
        const reason = `but ${name} ended (${signal ?? `exit code ${code ?? 'unknown'}`})`;
        this.stdout.end(reason);
        this.stderr.end(reason);
        resolve({ code, signal });
      });
    });
    onTestFinished(() => this.kill());
  }

  /** Its process id; undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** True once `ended` has settled. */
  get gone(): boolean {
    return this.#gone;
  }

  signal(signal: NodeJS.Signals): void {
    const isForAll = signal === 'SIGSTOP' || signal === 'SIGCONT';
    const isSent = isForAll ? this.#sendAll(signal) : this.#send(signal);
    if (!isSent) throw new Error(`${signal} cannot be sent any more.`);
  }

  /** Kills the process where it still runs, and settles when it is gone. */
  async kill(): Promise<void> {
    this.#sendAll('SIGKILL');
    await this.ended;
  }

  /** Writes a line to its standard input. */
  send(line: string): void {
    this.#process.stdin.write(`${line}\n`);
  }

  /** To the group, and to the processes that have left it. False when all are gone. */
  #sendAll(signal: NodeJS.Signals): boolean {
    let isSent = this.#send(signal);
    if (!this.#group) return isSent;
    for (const pid of processesMarked(this.#mark)) {
      try {
        process.kill(pid, signal);
        isSent = true;
      } catch {
        // It has ended meanwhile.
      }
    }
    return isSent;
  }

  /** False when the process is gone. */
  #send(signal: NodeJS.Signals): boolean {
    const { pid } = this.#process;
    if (!this.#group || pid === undefined) return this.#process.kill(signal);
    try {
      return process.kill(-pid, signal);
    } catch {
      return false;
    }
  }
}

/** The processes with this mark in their environment. */
function processesMarked(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8')
          .split('\0')
          .includes(`${markName}=${mark}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The environment of this process without what would configure a middleware. */
function environment(cycloneUri: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('HLC_MIDDLEWARE_'),
  );
  return { ...Object.fromEntries(inherited), CYCLONEDDS_URI: cycloneUri };
}
