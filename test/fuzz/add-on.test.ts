import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CdrError, topics } from '../../src/messages/index.js';
import { builtPeers } from '../peers/build-peers.js';
import { RawWriter } from '../support/raw-writer.js';
import { Recorder } from '../support/recorder.js';
import { openTestLab } from '../support/test-lab.js';
import { messageCases } from '../unit/messages/message-arbitraries.js';
import { mutate, seededRandom } from './mutate.js';
import { samplesPerTopic, seed } from './settings.js';

const goodSamples = 50;
/** One of each shape: fixed, with a list, with texts, with lists of lists, without a key. */
const chosen: readonly string[] = [
  topics.vehicleState.name,
  topics.vehicleCommandTrajectory.name,
  topics.parameter.name,
  topics.commonroad_dds_goal_states.name,
  topics.readyStatus.name,
];

/** Second octet of the encapsulations that there are (OMG DDS-XTypes 1.3, section 7.6.3.1.2). */
const encapsulations: readonly number[] = [0, 1, 2, 3, 6, 7, 8, 9, 10, 11];

it.each(messageCases.filter(({ topic }) => chosen.includes(topic.name)))(
  'The add-on delivers each broken sample of $topic.name or reports that it is malformed',
  async ({ topic, values }) => {
    const lab = openTestLab();
    const outcomes = new Recorder<'decoded' | 'refused' | 'malformed'>('broken samples');
    lab.join('controllers').createReader(
      topic,
      { reliability: { kind: 'reliable' }, history: { kind: 'keep-all' } },
      {
        onSample: ({ bytes }) => {
          try {
            topic.codec.decode(bytes);
            outcomes.add('decoded');
          } catch (error) {
            if (!(error instanceof CdrError)) throw error;
            outcomes.add('refused');
          }
        },
        onMalformed: () => outcomes.add('malformed'),
      },
    );
    const writer = await RawWriter.open(lab, builtPeers(), 'controllers', topic);
    const random = seededRandom(seed);
    const good = fc
      .sample(values, { seed, numRuns: goodSamples })
      .map((value) => topic.codec.encode(value));
    for (let i = 0; i < samplesPerTopic; i++) {
      const broken = mutate(good[random.next(good.length)] ?? new Uint8Array(4), random);
      // A message with less than a header, or with an encapsulation that does not exist, is no RTPS:
      // the library throws it away as a whole, and it is never acknowledged.
      const sample = new Uint8Array(Math.max(4, broken.length));
      sample.set(broken);
      sample[0] = 0;
      if (!encapsulations.includes(sample[1] ?? 0)) sample[1] = random.next(2);
      writer.write(sample);
    }
    // A good one in the end: when it is there, all before it were dealt with.
    const last = good[0] ?? new Uint8Array(4);
    await writer.flushed();
    writer.write(last);
    await writer.flushed();
    await outcomes.untilCount(samplesPerTopic + 1);
    const count = (what: string) => outcomes.items.filter((outcome) => outcome === what).length;
    console.log(
      `fuzz: seed ${seed}, ${topic.name} through the add-on: ${samplesPerTopic} samples, ` +
        `${count('decoded') - 1} decoded, ${count('refused')} refused, ${count('malformed')} malformed`,
    );
    expect(outcomes.items).toHaveLength(samplesPerTopic + 1);
    expect(count('decoded')).toBeGreaterThan(1);
    expect(count('malformed')).toBeGreaterThan(0);
  },
  600_000,
);
