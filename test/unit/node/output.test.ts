import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Output, type LostTexts, type WriteBytes } from '../../../src/node/host/output.js';

type Done = (error: NodeJS.ErrnoException | null, written: number) => void;

/** Writes that the test lets succeed or fail. */
class SlowFile {
  content = '';
  readonly pending: { readonly text: string; readonly done: Done }[] = [];
  readonly write: WriteBytes = (_, bytes, offset, length, __, done) => {
    const text = Buffer.from(bytes).toString('utf8', offset, offset + length);
    this.pending.push({ text, done });
  };

  /** Takes this many bytes of the oldest write, or all. */
  take(bytes = Number.POSITIVE_INFINITY): void {
    const write = this.pending.shift();
    if (write === undefined) throw new Error('nothing is being written');
    const taken = Buffer.from(write.text).subarray(0, bytes).toString();
    this.content += taken;
    write.done(null, Buffer.byteLength(taken));
  }

  fail(code: string): void {
    this.pending.shift()?.done(Object.assign(new Error(`${code}: no`), { code }), 0);
  }

  takeAll(): void {
    while (this.pending.length > 0) this.take();
  }
}

let file: SlowFile;
let recovered: LostTexts[];
let output: Output;

beforeEach(() => {
  file = new SlowFile();
  recovered = [];
  output = new Output(2, (lost) => recovered.push(lost), file.write);
});

describe('an output', () => {
  it('writes in order, one write at a time, and all that waits with the next', () => {
    for (const text of ['a\n', 'b\n', 'c\n']) output.write(text);
    expect(file.pending.map(({ text }) => text)).toEqual(['a\n']);
    file.take();
    expect(file.pending.map(({ text }) => text)).toEqual(['b\nc\n']);
    file.take();
    expect([file.content, output.busy, output.lost]).toEqual(['a\nb\nc\n', false, 0]);
  });

  it('goes on where a write stopped', () => {
    output.write('äbc\n');
    file.take(3);
    file.takeAll();
    expect(file.content).toBe('äbc\n');
  });

  it('counts what a failed write loses, goes on, and reports it with the next success', () => {
    output.write('a\n');
    output.write('b\n');
    output.write('c\n');
    file.fail('ENOSPC');
    file.fail('ENOSPC');
    expect([output.lost, output.busy, recovered]).toEqual([3, false, []]);
    output.write('d\n');
    file.take();
    expect(file.content).toBe('d\n');
    expect(recovered).toEqual([{ count: 3, cause: 'ENOSPC: no' }]);
    output.write('e\n');
    file.take();
    expect([recovered.length, output.lost]).toEqual([1, 3]);
  });

  it('begins a new line after one that was cut, and counts only what is not whole', () => {
    output.write('a\n');
    output.write('bb\n');
    output.write('cc\n');
    file.take();
    file.take(4);
    file.fail('ENOSPC');
    expect(output.lost).toBe(1);
    output.write('dd\n');
    file.takeAll();
    expect(file.content).toBe('a\nbb\nc\ndd\n');
  });

  it('does not begin a new line when a write failed between two lines', () => {
    output.write('a\n');
    output.write('bb\n');
    output.write('cc\n');
    file.take();
    file.take(3);
    file.fail('EIO');
    output.write('dd\n');
    file.takeAll();
    expect([file.content, output.lost]).toEqual(['a\nbb\ndd\n', 1]);
  });

  it('tries again what a terminal does not take at the moment', () => {
    vi.useFakeTimers();
    output.write('a\n');
    file.fail('EAGAIN');
    expect(file.pending).toEqual([]);
    vi.advanceTimersByTime(20);
    file.take();
    expect([file.content, output.lost]).toEqual(['a\n', 0]);
    vi.useRealTimers();
  });

  it('keeps 4 MiB and loses what comes beyond', () => {
    const line = `${'x'.repeat(1023)}\n`;
    for (let i = 0; i < 5000; i++) output.write(line);
    // One line is being written and does not wait any more.
    expect(output.lost).toBe(5000 - 4096 - 1);
    file.takeAll();
    expect(file.content).toHaveLength(4097 * 1024);
    expect(recovered).toEqual([{ count: 903, cause: 'it took no bytes for too long' }]);
  });

  it('may be written to while it reports', () => {
    output = new Output(2, ({ count }) => output.write(`lost ${count}\n`), file.write);
    output.write('a\n');
    file.fail('ENOSPC');
    output.write('b\n');
    file.takeAll();
    expect(file.content).toBe('b\nlost 1\n');
  });
});

describe('a flush', () => {
  it('settles at once when nothing waits', async () => {
    expect(await output.flush(1000)).toBe(true);
  });

  it('settles when all is written, or lost', async () => {
    output.write('a\n');
    output.write('b\n');
    const flushed = output.flush(60_000);
    file.take();
    file.fail('EPIPE');
    expect(await flushed).toBe(true);
  });

  it('waits for a bounded time', async () => {
    output.write('a\n');
    expect(await output.flush(5)).toBe(false);
  });
});
