import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const mainScript = fileURLToPath(new URL('main.js', import.meta.url));

/** A second process is ready within this time, ms. */
const startMs = 30_000;

/** One that is not needed any more ends within this time, ms. */
const endMs = 2000;

export interface SecondProcessOptions {
  /** It stays when all processes of the terminal's job are ended or stopped: default false. */
  readonly outlivesGroup?: boolean;
}

/**
 * A command of this program as a process of its own. It ends when its standard input is closed.
 */
export class SecondProcess {
  readonly child: ChildProcess;
  readonly #ended: Promise<void>;
  /** How it ended; undefined while it runs. */
  #end: string | undefined;
  #isExpectedToEnd = false;

  /** Called with its exit code or signal when it ends without a request. */
  onUnexpectedEnd: (how: string) => void = () => undefined;

  /** @param args the command with its flags. */
  constructor(args: readonly string[], { outlivesGroup = false }: SecondProcessOptions = {}) {
    this.child = spawn(process.execPath, [mainScript, ...args], {
      env: environmentOfSecond(),
      // Its log must not end with this process.
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: outlivesGroup,
    });
    // The end of the process says more.
    this.child.stdin?.on('error', () => undefined);
    this.#ended = new Promise((resolve) => {
      const end = (how: string) => {
        this.#end = how;
        if (!this.#isExpectedToEnd) this.onUnexpectedEnd(how);
        resolve();
      };
      this.child.once('error', (error) => end(error.message));
      this.child.once('exit', (code, signal) => end(signal ?? `exit code ${code ?? 0}`));
    });
  }

  /**
   * Settles when it writes to its standard output: it is ready.
   * @returns why it is not; undefined when it is.
   */
  async ready(): Promise<string | undefined> {
    const isReady = await Promise.race([
      new Promise<true>((resolve) => this.child.stdout?.once('data', () => resolve(true))),
      this.#ended.then(() => false),
      wait(startMs, false, { ref: false }),
    ]);
    return isReady ? undefined : (this.#end ?? 'it is not ready in time');
  }

  /**
   * Closes its standard input, and settles when it has ended, or after two seconds.
   * @param how `leave`: one that goes on is left alone; `kill`: it is ended by force.
   * @param aloneMs so long it may end without that before, ms.
   */
  async end(how: 'leave' | 'kill', aloneMs = 0): Promise<void> {
    this.#isExpectedToEnd = true;
    if (aloneMs > 0) await Promise.race([this.#ended, wait(aloneMs, undefined, { ref: false })]);
    this.child.stdin?.end();
    await Promise.race([this.#ended, wait(endMs, undefined, { ref: false })]);
    if (how === 'kill') this.child.kill('SIGKILL');
    this.child.unref();
  }
}

/**
 * The flags say all; an option that is in the environment may not fit the command. The service manager
 * waits for messages of this process, not of the second one.
 */
function environmentOfSecond(): NodeJS.ProcessEnv {
  const isForParent = /^(HLC_MIDDLEWARE_.*|NOTIFY_SOCKET|WATCHDOG_USEC|WATCHDOG_PID)$/;
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter(([name]) => !isForParent.test(name)));
}
