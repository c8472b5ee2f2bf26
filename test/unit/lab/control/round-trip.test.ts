import { afterEach, describe, expect, it } from 'vitest';
import type { Transport } from '../../../../src/ports/index.js';
import { topics } from '../../../../src/messages/index.js';
import { bestEffort, closeLabs, ms, openRealTime, second } from './network.js';

afterEach(closeLabs);

describe('round trips of the lab control', () => {
  /** Answers every question under a name. */
  function answering(side: Transport, sourceId: string): void {
    const writer = side.createWriter(topics.round_trip_time, bestEffort);
    side.createReader(topics.round_trip_time, bestEffort, {
      onSample: ({ bytes }) => {
        const { is_answer, count } = topics.round_trip_time.codec.decode(bytes);
        if (is_answer) return;
        const answer = { source_id: sourceId, is_answer: true, count };
        writer.write(topics.round_trip_time.codec.encode(answer));
      },
    });
  }

  it('are asked for until half a second after the first answer', async () => {
    const { lab, side, advance, send, network } = openRealTime();
    answering(side, 'vehicle');
    const asked = lab.askAll();
    await network.idle();
    await advance(30n * ms);
    await send(
      topics.round_trip_time,
      { source_id: 'vehicle', is_answer: true, count: 1 },
      bestEffort,
    );
    await send(
      topics.round_trip_time,
      { source_id: 'hlc', is_answer: true, count: 99 },
      bestEffort,
    );
    let settled = false;
    void asked.then(() => (settled = true));
    await advance(469n * ms);
    expect(settled).toBe(false);
    await advance(1n * ms);
    expect(await asked).toEqual(['vehicle']);
  });

  it('wait for further answers also when the first came late', async () => {
    const { lab, advance, send } = openRealTime();
    const asked = lab.askAll();
    await advance(1900n * ms);
    for (const source_id of ['first', 'second']) {
      await send(topics.round_trip_time, { source_id, is_answer: true, count: 1 }, bestEffort);
      await advance(200n * ms);
    }
    await advance(300n * ms);
    expect(await asked).toEqual(['first', 'second']);
  });

  it('are none without an answer for two seconds', async () => {
    const { lab, advance } = openRealTime();
    const asked = lab.askAll();
    await advance(2n * second);
    expect(await asked).toEqual([]);
  });

  it('wait as long as the options say', async () => {
    const { lab, side, advance, network } = openRealTime();
    answering(side, 'middleware');
    const asked = lab.askAll({ firstAnswerNs: 20n * ms, furtherAnswersNs: 10n * ms });
    await network.idle();
    await advance(10n * ms);
    expect(await asked).toEqual(['middleware']);
    const unanswered = openRealTime();
    const none = unanswered.lab.askAll({ firstAnswerNs: 20n * ms });
    await unanswered.advance(20n * ms);
    expect(await none).toEqual([]);
  });

  it('join the question that is open', async () => {
    const { lab, listen, network, advance } = openRealTime();
    const questions = listen(topics.round_trip_time, bestEffort);
    const both = [lab.askAll(), lab.askAll()];
    await network.idle();
    expect(questions).toEqual([{ source_id: 'lab_control_center', is_answer: false, count: 1 }]);
    await advance(2n * second);
    expect(await Promise.all(both)).toEqual([[], []]);
  });

  it('are numbered from 1 to 255, and go on with 0', async () => {
    const { lab, listen, network, advance } = openRealTime();
    const questions = listen(topics.round_trip_time, bestEffort);
    for (let i = 0; i < 257; i++) {
      void lab.askAll({ firstAnswerNs: ms });
      await network.idle();
      await advance(ms);
    }
    const counts = questions.map(({ count }) => count);
    expect(counts.slice(0, 2)).toEqual([1, 2]);
    expect(counts.slice(-3)).toEqual([255, 0, 1]);
  });

  it('have no answers to the question before', async () => {
    const { lab, advance, send } = openRealTime();
    const answer = { source_id: 'hlc', is_answer: true, count: 1 };
    const first = lab.askAll({ firstAnswerNs: ms });
    await advance(ms);
    expect(await first).toEqual([]);
    await send(topics.round_trip_time, answer, bestEffort);
    const second = lab.askAll({ firstAnswerNs: ms });
    await send(topics.round_trip_time, answer, bestEffort);
    await advance(ms);
    expect(await second).toEqual([]);
  });

  it('end with what is there when the lab control closes', async () => {
    const { lab, side, network } = openRealTime();
    answering(side, 'hlc');
    const asked = lab.askAll();
    await network.idle();
    lab.close();
    expect(await asked).toEqual(['hlc']);
  });

  it('are answered to others, but not to itself', async () => {
    const { send, listen } = openRealTime();
    const heard = listen(topics.round_trip_time, bestEffort);
    await send(
      topics.round_trip_time,
      { source_id: 'someone', is_answer: false, count: 200 },
      bestEffort,
    );
    await send(
      topics.round_trip_time,
      { source_id: 'lab_control_center', is_answer: false, count: 201 },
      bestEffort,
    );
    expect(heard.filter(({ is_answer }) => is_answer)).toEqual([
      { source_id: 'lab_control_center', is_answer: true, count: 200 },
    ]);
  });
});
