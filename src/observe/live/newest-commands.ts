import { type EventRecord, RecordReader, TapFormatError } from '../../tap/index.js';
import { commandView } from './page-views.js';
import type { CommandView } from './page-protocol.js';

const keptCommands = 10;

/**
 * The newest commands of each controller, undecoded, in memory that is used again. A record would keep all
 * bytes that came together with it, and 2000 of them a second would outlive the young generation of V8.
 */
export class NewestCommands {
  readonly #controllers = new Map<number, KeptCommand[]>();

  /** @param event with a command of this controller. */
  add(id: number, event: EventRecord, t: number, forwarded: boolean): void {
    const commands = this.#controllers.get(id) ?? [];
    this.#controllers.set(id, commands);
    const oldest = commands.length < keptCommands ? undefined : commands.pop();
    const kept = oldest ?? new KeptCommand();
    kept.set(event.frame, t, forwarded);
    commands.unshift(kept);
  }

  /** The newest first. @throws TapFormatError when one cannot be decoded. */
  of(id: number): CommandView[] {
    return (this.#controllers.get(id) ?? []).map((kept) => kept.view());
  }

  clear(): void {
    this.#controllers.clear();
  }
}

class KeptCommand {
  #bytes = Buffer.alloc(0);
  #size = 0;
  #t = 0;
  #forwarded = false;

  set(frame: Buffer, t: number, forwarded: boolean): void {
    // Not from the pool of Node: a small part of it would keep all of it.
    if (frame.length > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(frame.length);
    this.#size = frame.copy(this.#bytes);
    this.#t = t;
    this.#forwarded = forwarded;
  }

  view(): CommandView {
    const record = new RecordReader().read(this.#bytes.subarray(0, this.#size));
    if (record.type !== 'event') throw new TapFormatError('a command is no event');
    return commandView(record, this.#t, this.#forwarded);
  }
}
