import { existsSync, watch, type FSWatcher } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { RulesReplay, rulesText } from '../../src/replay/index.js';
import { FrameSplitter, RecordReader } from '../../src/tap/index.js';
import { temporaryFolder } from './temporary-folder.js';

/** True while a test runs that replays the rules over what its middlewares did. */
let isWanted = false;

const awaitTapReader = fileURLToPath(new URL('../peers/await-tap-reader.mjs', import.meta.url));

/** A socket has a name before it listens. */
const retryMs = 1;

/** All that a tap sends, as bytes: decoding while the test runs would disturb its timing. */
class TapSaver {
  readonly #chunks: Buffer[] = [];
  readonly #watcher: FSWatcher;
  /** Settles when the tap has closed. */
  #closed = Promise.resolve();

  /** @param file path of the tap, in a folder that exists. */
  constructor(file: string) {
    this.#watcher = watch(path.dirname(file), (_, name) => {
      if (name === path.basename(file)) this.#closed = this.#closed.then(() => this.#read(file));
    });
  }

  /** @returns the frames; to be called when the middleware has ended. */
  async frames(): Promise<Buffer[]> {
    this.#watcher.close();
    await this.#closed;
    return new FrameSplitter().push(Buffer.concat(this.#chunks));
  }

  async #read(file: string): Promise<void> {
    while (this.#chunks.length === 0 && existsSync(file)) {
      const socket = connect(file).on('data', (chunk) => this.#chunks.push(chunk));
      // A middleware that is killed resets the connection.
      await new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
      await wait(retryMs);
    }
  }
}

/** Those of the test that runs. */
const savers: TapSaver[] = [];

/** From now on the test keeps what its middlewares do, if the environment asks for it. */
export function keepRuns(): void {
  isWanted = process.env.HLC_REPLAY_RULES !== undefined;
}

/**
 * The arguments of `hlc-middleware run`, and what a replay of the rules needs when it is wanted.
 * @param node options of Node come here.
 */
export function replayable(
  node: readonly string[],
  run: readonly string[],
): { readonly node: readonly string[]; readonly run: readonly string[] } {
  if (!isWanted) return { node, run };
  const flag = '--control-socket=';
  const given = run.findLast((each) => each.startsWith(flag))?.slice(flag.length) ?? 'off';
  // Without a control socket there is no tap.
  const socket = given === 'off' ? path.join(temporaryFolder(), 'a.sock') : given;
  savers.push(new TapSaver(socket.replace(/\.sock$/, '.tap')));
  return {
    node: [...node, `--import=${awaitTapReader}`],
    run: [...run.filter((each) => !each.startsWith(flag)), `${flag}${socket}`],
  };
}

/**
 * Replays the rules over all that the middlewares of the test did, which have ended; fails where an
 * effect differs.
 * @returns the number of sessions; undefined when no replay is wanted.
 */
export async function replayRuns(): Promise<number | undefined> {
  if (!isWanted) return undefined;
  isWanted = false;
  let sessions = 0;
  for (const [i, saver] of savers.splice(0).entries()) {
    const reader = new RecordReader();
    const records = (await saver.frames()).map((frame) => reader.read(frame));
    const replay = new RulesReplay();
    for (const record of records) replay.add(record);
    const report = replay.end(records.at(-1)?.type !== 'end');
    if (report.sessions > 0)
      expect(report.same, rulesText(`middleware ${i + 1}`, report)).toBe(true);
    sessions += report.sessions;
  }
  return sessions;
}
