import { describe, expect, it } from 'vitest';
import { topics } from '../../../src/messages/index.js';
import type { NodeLog } from '../../../src/node/logger.js';
import { LabLog } from '../../../src/node/middleware/lab-log.js';
import type { Transport, TransportReader, TransportWriter } from '../../../src/ports/index.js';
import { reportedTopicErrors } from '../../../src/sides/index.js';
import { createSide } from '../../../src/sides/side.js';
import { loadShippedQos } from '../../../src/dds/qos/index.js';

/** The texts that come on the topic of the lab for these of the log. */
function published(...texts: readonly string[]): string[] {
  const contents: string[] = [];
  const transport = {
    knowsWriters: true,
    createReader: () => ({ matchedWriters: 0 }) as TransportReader,
    createWriter: () =>
      ({
        write: (bytes: Uint8Array) => contents.push(topics.log.codec.decode(bytes).content),
      }) as unknown as TransportWriter,
  } as unknown as Transport;
  let write: (line: string) => void = () => undefined;
  const nodeLog = { listen: (listener: typeof write) => (write = listener) } as unknown as NodeLog;
  const errors = reportedTopicErrors((error) => expect.fail(error.message));
  const side = createSide('Lab', transport, loadShippedQos());
  new LabLog(side, nodeLog, 'middleware', () => 0n, errors);
  for (const msg of texts) write(JSON.stringify({ level: 50, msg }));
  return contents;
}

describe('the log for the lab', () => {
  it('has each text, with what cannot be printed as a number', () => {
    expect(published('one', 'quotes "\0\u001b[2J"')).toEqual(['one', 'quotes "\\u{0}\\u{1b}[2J"']);
  });

  it('cuts a text at 255 bytes, between characters', () => {
    const [content = ''] = published('ä'.repeat(300));
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(255);
    expect(content).toMatch(/^ä+…$/);
  });
});
