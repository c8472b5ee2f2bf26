import type { QosPolicies } from '../../src/ports/index.js';
import type { DdsParticipant, DdsWriter } from '../../src/dds/index.js';
import { PeerMessages, type PeerAgent } from '../unit/gateways/synchrono/messages.js';
import { readAsOriginal, type ReadMessage } from '../unit/gateways/synchrono/original-reader.js';
import { Recorder } from './recorder.js';
import type { TestLab } from './test-lab.js';

const original: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'transient-local' },
  history: { kind: 'keep-last', depth: 1 },
  durabilityService: { history: { kind: 'keep-last', depth: 1 } },
};
const topicOf = (node: number) => ({ name: `/syn/node/${node}.0`, typeName: 'SynDDSMessage' });

/** What another node sent, read as an original node reads it. */
export interface SeenBuffer {
  readonly node: number;
  readonly messages: readonly ReadMessage[];
  /** How many buffers this node had sent by then. */
  readonly afterSent: number;
}

/** A node of SynChrono on Cyclone DDS, in the process of the test: it sends what the test says. */
export class ScriptedNode {
  readonly seen = new Recorder<SeenBuffer>('buffers of other nodes');
  readonly #participant: DdsParticipant;
  readonly #writers: readonly DdsWriter[];
  #sent = 0;

  /**
   * @param others nodes whose topics it reads
   * @param copies writers, as an original node has one for each agent
   */
  constructor(
    lab: TestLab,
    readonly node: number,
    others: readonly number[],
    copies = 1,
  ) {
    const network = { domainId: 33, networkInterface: 'lo', initialPeers: [] };
    this.#participant = lab.context.join(network, {}, topicOf(node).name);
    this.#writers = Array.from({ length: copies }, () =>
      this.#participant.createWriter(topicOf(node), original),
    );
    for (const other of others) {
      this.#participant.createReader(topicOf(other), original, {
        onSample: ({ bytes }) => {
          const data = new Uint8Array(bytes.subarray(12));
          const size = new DataView(data.buffer).getUint32(0, true) + 4;
          const messages = readAsOriginal(data.subarray(0, size));
          this.seen.add({ node: other, messages, afterSent: this.#sent });
        },
      });
    }
  }

  /** Sends bytes as the data of one sample. */
  sendData(data: Uint8Array): void {
    this.#sent++;
    const sample = new Uint8Array(12 + Math.ceil(data.length / 4) * 4);
    sample.set([0, 1, 0, sample.length - 12 - data.length]);
    new DataView(sample.buffer).setUint32(8, data.length, true);
    sample.set(data, 12);
    for (const writer of this.#writers) writer.write(sample);
  }

  describe(...agents: Omit<PeerAgent, 'node'>[]): void {
    const m = new PeerMessages();
    this.sendData(
      m.buffer(...agents.map((agent) => m.wheeledDescription({ ...agent, node: this.node }))),
    );
  }

  state(...agents: Omit<PeerAgent, 'node'>[]): void {
    const m = new PeerMessages();
    this.sendData(
      m.buffer(...agents.map((agent) => m.wheeledState({ ...agent, node: this.node }))),
    );
  }

  quit(): void {
    const m = new PeerMessages();
    this.sendData(m.buffer(m.quit()));
  }

  /** What a node sent of one type, in its order. */
  ofType(node: number, type: ReadMessage['type']): SeenBuffer[] {
    return this.seen.items.filter((one) => one.node === node && one.messages[0]?.type === type);
  }

  /** Settles with the buffer of this node for a heartbeat, 0 or more. */
  async untilState(node: number, beat: number): Promise<SeenBuffer> {
    let left = beat;
    return this.seen.until(
      (one) => one.node === node && one.messages[0]?.type === 'state' && left-- === 0,
    );
  }

  close(): void {
    this.#participant.close();
  }
}
