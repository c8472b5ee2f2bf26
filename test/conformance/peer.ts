import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** What the peer does with a sample after it has read it into the C struct of its type. */
export const Operation = {
  /** Writes it again as CDR, little endian. */
  encodeLittleEndian: 'L',
  /** Writes it again as CDR, big endian. */
  encodeBigEndian: 'B',
  /** Writes the members of the struct as JSON; see `parseDump`. */
  dump: 'J',
  /** Answers in one octet with the number of key members of the type. */
  countKeys: 'K',
} as const;

export type Operation = (typeof Operation)[keyof typeof Operation];

const done = 0;
const refused = 1;

interface Waiting {
  readonly resolve: (result: Buffer | undefined) => void;
  readonly reject: (reason: Error) => void;
}

/** The C program of the conformance test, as a child process. Answers come in order. */
export class Peer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting: Waiting[] = [];
  readonly #ended: Promise<void>;
  #received = Buffer.alloc(0);

  /** @param program its path, from `buildPeer` */
  constructor(program: string) {
    this.#child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => undefined); // the end of the child says more
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#takeAnswers();
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        const reason = new Error(
          `The peer ended (code ${code ?? 'none'}, ${signal ?? 'no signal'}).`,
        );
        for (const { reject } of this.#waiting.splice(0)) reject(reason);
        resolve();
      });
    });
  }

  /**
   * Lets Cyclone DDS read a sample and answer with the result of the operation.
   * @returns undefined when Cyclone refuses the sample
   */
  ask(operation: Operation, typeName: string, sample: Uint8Array): Promise<Buffer | undefined> {
    const name = Buffer.from(typeName);
    const head = Buffer.alloc(6);
    head.writeUInt32LE(2 + name.length + sample.length);
    head.write(operation, 4);
    head.writeUInt8(name.length, 5);
    return new Promise((resolve, reject) => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        reject(new Error('The peer has ended.'));
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#child.stdin.write(Buffer.concat([head, name, sample]));
    });
  }

  /** Ends the child process. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.#ended;
  }

  #takeAnswers(): void {
    while (this.#received.length >= 4) {
      const end = 4 + this.#received.readUInt32LE();
      if (this.#received.length < end) return;
      const status = this.#received[4];
      const result = this.#received.subarray(5, end);
      this.#received = this.#received.subarray(end);
      const waiting = this.#waiting.shift();
      if (status === done) waiting?.resolve(result);
      else if (status === refused) waiting?.resolve(undefined);
      else waiting?.reject(new Error('The peer does not know this type or operation.'));
    }
  }
}
