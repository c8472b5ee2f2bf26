import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

/** So long a guard has to bring the vehicles to rest before they end, s. */
const restS = 3;

/** Time between SIGTERM and SIGKILL, s. */
const graceS = 2;

/** Reads `add PID` and `remove PID`; the end of its input is the end of the process that started it. */
const script = `
pids=
while read -r change pid; do
  others=
  for each in $pids; do [ "$each" = "$pid" ] || others="$others $each"; done
  pids=$others
  [ "$change" = add ] && pids="$pids $pid"
done
[ -n "$pids" ] || exit 0
sleep ${restS}
kill -TERM $pids
sleep ${graceS}
kill -KILL $pids
`;

/**
 * Ends programs when this process ends without having ended them, as after SIGKILL. A shell watches, so
 * that a program of any language needs nothing for it, and one that was started by a user is not affected.
 */
class OrphanWatch {
  #shell: ChildProcess | undefined;

  /** @param program that was just started. */
  watch(program: ChildProcess): void {
    const { pid } = program;
    if (pid === undefined) return;
    this.#shell ??= startShell();
    this.#write(`add ${pid}`);
    // From then on its id may be that of another program.
    program.once('exit', () => this.#write(`remove ${pid}`));
  }

  /** Ends the watch, and leaves the programs as they are. */
  close(): void {
    this.#shell?.kill('SIGKILL');
  }

  #write(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }
}

/** Of the programs that this process starts. */
export const orphanWatch = new OrphanWatch();

function startShell(): ChildProcess {
  const shell = spawn('/bin/sh', ['-c', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A signal to the group of this process must not end the watch.
    detached: true,
  });
  // Without a shell the programs run on, as they do without a watch.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return shell;
}
