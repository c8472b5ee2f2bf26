import type { OutputSettings } from '../../config/index.js';
import { printable } from '../../core/index.js';
import { topics, type Log } from '../../messages/index.js';
import {
  readTopic,
  writeTopic,
  type Side,
  type TopicErrors,
  type TopicWriter,
} from '../../sides/index.js';
import type { NodeLog } from '../logger.js';

type LogLevel = OutputSettings['logLevel'];

/** pino's numbers; more severe is higher. */
const warn = 40;
const info = 30;
/** The lab's levels: 1 for what must be seen, 2 for rare events, 3 for every detail (CPM Lab). */
const leastSevereByLabLevel: readonly LogLevel[] = ['silent', 'warn', 'info', 'trace'];
const initialLabLevel = 1;
/** RTI's generator bounds strings to 255 bytes; longer ones an original peer cannot read. */
const longestContentBytes = 255;

/** The lab's level of a log entry with this number of pino's. */
export function labLevelOf(pinoLevel: number): number {
  if (pinoLevel >= warn) return 1;
  return pinoLevel >= info ? 2 : 3;
}

/**
 * The node's log entries on the lab side's `log` topic. Entries of a level above the lab's
 * `logLevel` are left out; until one comes that is 1 (CPM Lab middleware).
 */
export class LabLog {
  #shown = initialLabLevel;
  readonly #writer: TopicWriter<Log>;

  constructor(
    side: Side,
    nodeLog: NodeLog,
    private readonly nodeId: string,
    private readonly realtimeNs: () => bigint,
    errors: TopicErrors,
  ) {
    this.#writer = writeTopic(side, topics.log, errors);
    const write = (line: string) => this.#write(line);
    const listen = () => nodeLog.listen(write, leastSevereByLabLevel[this.#shown] ?? 'trace');
    readTopic(
      side,
      topics.logLevel,
      ({ log_level }) => {
        this.#shown = log_level;
        listen();
      },
      errors,
    );
    listen();
  }

  #write(line: string): void {
    const { level, msg } = JSON.parse(line) as { level: number; msg?: string };
    const logLevel = labLevelOf(level);
    if (logLevel > this.#shown) return;
    const entry = {
      id: this.nodeId,
      // A string of DDS has no NUL, and a cause may quote what a file has.
      content: shortened(printable(msg ?? '', longestContentBytes)),
      stamp: { nanoseconds: this.realtimeNs() },
      log_level: logLevel,
    };
    this.#writer.write(entry);
  }
}

/** The text, cut between characters where it is too long. */
function shortened(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= longestContentBytes) return text;
  const ellipsis = '…';
  const room = longestContentBytes - Buffer.byteLength(ellipsis);
  let end = room;
  // A byte 10xxxxxx goes on with a character that began before it.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end) + ellipsis;
}
