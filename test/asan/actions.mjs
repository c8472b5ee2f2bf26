// What the program of test/asan does to the add-on, one step at a time: each action takes one thing
// that is open, or was, and opens it, uses it or closes it. What must be refused is checked here.

import assert from 'node:assert/strict';
import { DdsContext, loadNative, topics } from './built.mjs';
import { pacerActions, useClosedPacers } from './pacer-actions.mjs';
import { qosKinds, refusedQos, sampleFor, usedTopics } from './traffic.mjs';

const native = loadNative();

const domains = [3, 4];
const mostParticipants = 4;
const mostEndpoints = 24;

/**
 * @typedef {import('./traffic.mjs').Random} Random
 * @typedef {import('../../src/dds/index.js').DdsContext} Context
 * @typedef {import('../../src/dds/index.js').DdsParticipant} Participant
 * @typedef {import('../../src/dds/index.js').DdsReader} Reader
 * @typedef {import('../../src/dds/index.js').DdsWriter} Writer
 */

/** @type {Context | undefined} */
let context;
/** Open ones, or closed by their owner since. @type {Participant[]} */
let participants = [];
/** @type {Reader[]} */
let readers = [];
/** @type {Writer[]} */
let writers = [];

/** Handles of endpoints that are closed; the library does not give them again. @type {number[]} */
const closedHandles = [];

/** How often each action was done and each event came. @type {Record<string, number>} */
export const counts = {};
const count = (/** @type {string} */ what) => (counts[what] = (counts[what] ?? 0) + 1);

/** @param {Reader | Writer} endpoint */
const handleOf = (endpoint) =>
  /** @type {{ entity: number }} */ (/** @type {unknown} */ (endpoint)).entity;

/** @param {() => unknown} use of what is closed */
function refused(use) {
  assert.throws(use, { code: 'HLC_CLOSED' });
  count('refused after close');
}

/**
 * @template T
 * @param {Random} random
 * @param {readonly T[]} list
 * @returns {T}
 */
const oneOf = (random, list) => /** @type {T} */ (list[random(list.length)]);

/** @param {Random} random @returns {import('../../src/ports/index.js').ReaderListener} */
function readerListener(random) {
  return {
    onSample: ({ bytes }) => {
      count('sample');
      // Reads all of the batch's memory that this sample claims.
      assert.equal(Buffer.from(bytes).length, bytes.length);
      if (random(400) === 0) {
        count('close within a listener');
        oneOf(random, [...readers, ...writers]).close();
      }
      if (random(2000) === 0) {
        count('context closed within a listener');
        closeContext();
      }
    },
    onMatched: () => count('reader matched'),
    onIncompatibleQos: () => count('reader incompatible'),
    onSampleLost: () => count('sample lost'),
    onMalformed: () => count('malformed'),
  };
}

const writerListener = {
  onWriteFailed: () => count('write failed'),
  onMatched: () => count('writer matched'),
  onIncompatibleQos: () => count('writer incompatible'),
};

/** Closes it with all that is open in it, twice, and then uses all that was. */
export function closeContext() {
  if (context === undefined) return;
  const closed = context;
  context = undefined;
  closed.close();
  closed.close();
  refused(() => closed.join({ domainId: 3, networkInterface: 'lo', initialPeers: [] }));
  refused(() => closed.createPacer());
  useClosedPacers(refused);
  for (const participant of participants) useClosedParticipant(participant);
  for (const writer of writers) useClosedWriter(writer);
  for (const { stalls } of readers) assert.equal(stalls, 0);
  assert.throws(() => native.createParticipant(3, {}), /closed/);
  [participants, readers, writers] = [[], [], []];
}

/** @param {Participant} participant */
function useClosedParticipant(participant) {
  participant.close();
  refused(() => participant.discovered());
  refused(() => participant.createWriter(topics.log, {}));
  refused(() => participant.createReader(topics.log, {}, { onSample: () => undefined }));
}

/** @param {Writer} writer */
function useClosedWriter(writer) {
  writer.close();
  refused(() => writer.write(new Uint8Array(8)));
  assert.equal(writer.matchedParticipants().size, 0);
}

/**
 * Of each name: how likely it is, and what it does with the open context.
 * @type {Record<string, [weight: number, (context: Context, random: Random) => void]>}
 */
export const actions = {
  join: [
    6,
    (open, random) => {
      if (participants.length >= mostParticipants) return;
      const domainId = oneOf(random, domains);
      const network = { domainId, networkInterface: 'lo', initialPeers: [] };
      participants.push(open.join(network, {}, random(2) === 0 ? undefined : 'random'));
    },
  ],
  joinRefused: [
    1,
    (open) => {
      const network = { domainId: 9, networkInterface: 'no-such-one', initialPeers: [] };
      assert.throws(() => open.join(network), { code: 'HLC_DDS_DOMAIN' });
    },
  ],
  openTwice: [
    1,
    () => assert.throws(() => DdsContext.open({ onFault: () => undefined }), /already open/),
  ],
  createReader: [
    12,
    (_, random) => {
      if (participants.length === 0 || readers.length >= mostEndpoints) return;
      const options = {
        ignoreReliableWriters: random(2) === 0,
        ignoreOwnWriters: random(2) === 0,
      };
      const [topic, qos] = [oneOf(random, usedTopics), oneOf(random, qosKinds)];
      const side = oneOf(random, participants);
      readers.push(side.createReader(topic, qos, readerListener(random), options));
    },
  ],
  createWriter: [
    12,
    (_, random) => {
      if (participants.length === 0 || writers.length >= mostEndpoints) return;
      const [topic, qos] = [oneOf(random, usedTopics), oneOf(random, qosKinds)];
      writers.push(oneOf(random, participants).createWriter(topic, qos, writerListener));
    },
  ],
  createRefused: [
    2,
    (_, random) => {
      if (participants.length === 0) return;
      const side = oneOf(random, participants);
      const typeName = random(2) === 0 ? 'NoSuchType' : topics.log.typeName;
      const topic = { name: `refused ${typeName}`, typeName };
      const code = { code: 'HLC_DDS_ENTITY' };
      assert.throws(() => side.createWriter(topic, refusedQos), code);
      assert.throws(() => side.createReader(topic, refusedQos, readerListener(random)), code);
    },
  ],
  write: [
    60,
    (_, random) => {
      if (writers.length === 0) return;
      const writer = oneOf(random, writers);
      if (writer.closed) return;
      for (let left = random(20); left > 0; left--) {
        const order = oneOf(random, /** @type {const} */ ([undefined, 'with-all', 'with-others']));
        tolerated(() => writer.write(sampleFor(writer.topic.name, random), order));
      }
    },
  ],
  writeBroken: [
    8,
    (_, random) => {
      const writer = writers.find(({ closed }) => !closed);
      if (writer === undefined) return;
      const bytes = sampleFor(writer.topic.name, random);
      assert.throws(() => writer.write(bytes.slice(0, random(4))), { code: 'HLC_DDS_WRITE' });
      tolerated(() => writer.write(bytes.slice(0, random(bytes.length))));
    },
  ],
  look: [
    8,
    (_, random) => {
      for (const writer of writers) writer.matchedParticipants();
      for (const reader of readers) assert.ok(reader.stalls >= 0);
      if (participants.length > 0) oneOf(random, participants).discovered();
    },
  ],
  ...pacerActions(count, (random) => {
    const open = writers.filter(({ closed }) => !closed);
    return open[random(open.length)];
  }),
  closeEndpoint: [
    6,
    (_, random) => {
      const list = oneOf(random, [readers, writers]);
      const [endpoint] = list.splice(random(list.length), 1);
      if (endpoint === undefined) return;
      endpoint.close();
      endpoint.close();
      if ('write' in endpoint) useClosedWriter(endpoint);
      closedHandles.push(handleOf(endpoint));
    },
  ],
  closeParticipant: [
    2,
    (_, random) => {
      const [participant] = participants.splice(random(participants.length), 1);
      if (participant === undefined) return;
      participant.close();
      useClosedParticipant(participant);
      for (const writer of writers.filter(({ closed }) => closed)) useClosedWriter(writer);
      readers = readers.filter(({ closed }) => !closed);
      writers = writers.filter(({ closed }) => !closed);
    },
  ],
  useClosedHandle: [
    3,
    (_, random) => {
      if (closedHandles.length === 0) return;
      const handle = oneOf(random, closedHandles);
      native.closeEntity(handle);
      assert.equal(native.stalls(handle), 0);
      for (const use of [
        () => native.write(handle, new Uint8Array(8), random(2) === 0),
        () => native.matchedParticipants(handle),
        () => native.guid(handle),
        () => native.discovered(handle),
        () => native.createTopic(handle, 'Log', 'log'),
        () => native.createWriter(handle, handle, {}),
        () => native.createReader(handle, handle, {}, false, false, 100),
      ]) {
        assert.throws(use);
      }
    },
  ],
  closeContext: [1, closeContext],
};

/** A reliable write that no reader takes in time is refused; that is no fault of the add-on. */
function tolerated(/** @type {() => void} */ write) {
  try {
    write();
    count('written');
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code !== 'HLC_DDS_WRITE') throw error;
    count('write refused');
  }
}

/** The open context; a new one when there is none, with little room or much. @param {Random} random */
export function openContext(random) {
  context ??= DdsContext.open({
    onFault: (fault) => {
      throw fault;
    },
    queueBytes: random(2) === 0 ? 4096 : 1024 * 1024,
  });
  return context;
}

/** @param {string} name */
export function countAction(name) {
  count(`did ${name}`);
}
