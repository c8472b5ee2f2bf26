import { describe, expect, it } from 'vitest';

import {
  judgeSeparately,
  type Transcript,
  type TranscriptEvent,
} from '../../../src/certify/judging/index.js';
import { checkOf, sound } from './transcripts.js';

const setting = { domain: 1, seed: 1 };

describe('controllers that are judged separately', () => {
  it('have a report each, and a vehicle without a ready signal has one that did not appear', () => {
    const one = checkOf(sound);
    const transcript: Transcript = { ...one, vehicleIds: [1, 2] };
    const reports = judgeSeparately(transcript, setting);
    expect(reports.map(({ vehicle_ids: ids, appeared }) => [ids, appeared])).toEqual([
      [[1], true],
      [[2], false],
    ]);
    const failed = reports[0]?.rules.filter(({ outcome }) => outcome === 'fail');
    expect(failed?.map(({ id }) => id)).toEqual(['stop']);
  });

  it('are one for the vehicles of one participant', () => {
    const one = checkOf(sound);
    const events = one.events.flatMap((event): TranscriptEvent[] =>
      event.kind === 'readySignal' ? [event, { ...event, sourceId: 'hlc_2' }] : [event],
    );
    const reports = judgeSeparately({ ...one, events, vehicleIds: [1, 2] }, setting);
    expect(reports.map(({ vehicle_ids: ids }) => ids)).toEqual([[1, 2]]);
  });
});
