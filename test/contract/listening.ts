import type {
  IncompatibleQos,
  MalformedSample,
  QosPolicies,
  ReaderListener,
  ReaderOptions,
  ReceivedSample,
  Transport,
  TransportReader,
  WriterChange,
} from '../../src/ports/index.js';
import type { Topic } from '../../src/messages/index.js';
import { Recorder } from '../support/recorder.js';

/** A sample that stays. */
export interface KeptSample extends ReceivedSample {
  readonly bytes: Uint8Array;
}

/** A reader, and all that its listener received. */
export class Listening<T> implements ReaderListener {
  readonly samples = new Recorder<KeptSample>('samples');
  readonly changes = new Recorder<WriterChange & { readonly matched: number }>('matches');
  readonly incompatible = new Recorder<IncompatibleQos>('refused writers');
  readonly malformed = new Recorder<MalformedSample>('malformed samples');
  readonly reader: TransportReader;

  constructor(
    side: Transport,
    private readonly topic: Topic<T>,
    qos: QosPolicies,
    options?: ReaderOptions,
  ) {
    this.reader = side.createReader(topic, qos, this, options);
  }

  get values(): T[] {
    return this.samples.items.map(({ bytes }) => this.topic.codec.decode(bytes));
  }

  onSample(sample: ReceivedSample): void {
    this.samples.add({ ...sample, bytes: Uint8Array.from(sample.bytes) });
  }

  onMatched(matched: number, change: WriterChange): void {
    this.changes.add({ ...change, matched });
  }

  onIncompatibleQos(event: IncompatibleQos): void {
    this.incompatible.add(event);
  }

  onMalformed(event: MalformedSample): void {
    this.malformed.add(event);
  }
}
