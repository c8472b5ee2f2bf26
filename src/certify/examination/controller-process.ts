import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { HlcError } from '../../errors/index.js';

/** A controller must not outlive its certification. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) killGroup(child);
});

/** The controller under test as a child process, which is its own group. */
export class ControllerProcess {
  readonly #child: ChildProcess;
  #gone = false;
  #killed = false;

  private constructor(child: ChildProcess, onEnded: (how: string) => void) {
    this.#child = child;
    running.add(child);
    child.once('exit', (code, signal) => {
      this.#gone = true;
      running.delete(child);
      // What the command itself started ends with it.
      killGroup(child);
      if (!this.#killed) onEnded(signal ?? `exit code ${code ?? 0}`);
    });
  }

  /**
   * Starts the command; what it writes goes to standard error.
   * @param onEnded called when it ends by itself.
   * @throws HlcError `HLC_CONTROLLER_START` when it cannot be started.
   */
  static async start(
    [command = '', ...args]: readonly string[],
    onEnded: (how: string) => void,
  ): Promise<ControllerProcess> {
    const child = spawn(command, args, { stdio: ['ignore', 2, 2], detached: true });
    const result = new ControllerProcess(child, onEnded);
    try {
      await once(child, 'spawn');
    } catch (cause) {
      running.delete(child);
      throw new HlcError(
        'HLC_CONTROLLER_START',
        { command, cause: (cause as Error).message },
        { cause },
      );
    }
    return result;
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Ends it by force; resolves when it is gone. */
  async kill(): Promise<void> {
    if (this.#gone) return;
    this.#killed = true;
    const exited = once(this.#child, 'exit');
    killGroup(this.#child);
    await exited;
  }
}

/** Kills the process and all that it started; it may be gone already. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}
