import type { Topic } from '../../src/messages/index.js';
import type { PeerName } from '../peers/build-peers.js';
import type { ChildProgram } from './child-program.js';
import type { TestLab } from './test-lab.js';

/** A process that writes whatever octets it is given to a topic. */
export class RawWriter {
  readonly program: ChildProgram;
  #written = 0;

  private constructor(program: ChildProgram) {
    this.program = program;
  }

  /** Settles when a reader of the topic on this side matches. */
  static async open(
    lab: TestLab,
    peers: Readonly<Record<PeerName, string>>,
    side: 'lab' | 'controllers',
    { name, typeName, codec }: Topic<unknown>,
  ): Promise<RawWriter> {
    const key = codec.keyed ? 'keyed' : 'keyless';
    const domain = side === 'lab' ? '0' : '1';
    const program = lab.startProgram(peers['raw-writer'], name, typeName, key, domain);
    await program.stdout.until((line) => line === 'matched');
    return new RawWriter(program);
  }

  /** Writes one sample with its encapsulation header; `zeros` more octets follow it. */
  write(octets: Uint8Array, zeros = 0): void {
    this.#written++;
    this.program.send(`${Buffer.from(octets).toString('hex')}${zeros > 0 ? ` ${zeros}` : ''}`);
  }

  /** Settles when the library has taken all that was written. */
  async flushed(): Promise<void> {
    this.program.send('count');
    await this.program.stdout.until((line) => line === `written ${this.#written}`);
  }
}
