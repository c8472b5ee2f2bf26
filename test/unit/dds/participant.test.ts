import { expect, it } from 'vitest';
import { DdsParticipant, type ParticipantOwner } from '../../../src/dds/participant.js';
import { topics } from '../../../src/messages/index.js';
import { collectGarbage } from '../../support/collect-garbage.js';

const { systemTrigger: topic } = topics;
const qos = {};

function joined() {
  let entities = 0;
  const closed: number[] = [];
  const native = {
    guid: () => new Uint8Array(16),
    createTopic: () => ++entities,
    createReader: () => ++entities,
    createWriter: () => ++entities,
    closeEntity: (entity: number) => closed.push(entity),
  };
  const owner = { native, remember: () => undefined, forget: () => undefined };
  const all = { ...owner, release: () => undefined } as unknown as ParticipantOwner;
  const domain = { interfaces: [], thisMachineOnly: true, unanswered: new Map() };
  return { participant: new DdsParticipant(all, 0, 1, domain), closed };
}

it('forgets the endpoints that are closed, and closes the others with itself', () => {
  const { participant, closed } = joined();
  const first = participant.createReader(topic, qos, { onSample: () => undefined });
  const second = participant.createReader(topic, qos, { onSample: () => undefined });
  participant.createWriter(topic, qos).close();
  first.close();
  expect(participant.readersOf(topic.name)).toEqual([second]);
  participant.close();
  expect(closed).toEqual([4, 2, 3, 0]);
});

it('keeps nothing of a reader that is closed', async () => {
  const { participant } = joined();
  const listen = () => {
    const session = { onSample: () => undefined };
    participant.createReader(topic, qos, session).close();
    return new WeakRef(session);
  };
  const session = listen();
  // A target that was read or made in this turn is kept until its end.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(session.deref()).toBeUndefined();
});
