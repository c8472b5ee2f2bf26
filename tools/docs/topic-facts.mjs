import path from 'node:path';
import { loadIdl } from '../codegen/load-idl.mjs';
import { buildModel } from '../codegen/model.mjs';
import { root } from '../paths.mjs';

/** @import { Endpoint, SideName, TopicFacts } from './topics-page.mjs' */

/**
 * The parts of the product that know the topics and their QoS; the tests give those of src/, the
 * generator those of dist/.
 * @typedef {object} TopicModules
 * @property {Pick<typeof import('../../src/messages/index.js'), 'topics' | 'topicsBySide'>} messages
 * @property {Pick<typeof import('../../src/dds/qos/index.js'), 'findProfile' | 'formatEffectiveQos' | 'loadShippedQos'>} qos
 */

/** @type {Readonly<Record<SideName, string>>} */
const profileNames = { lab: 'HlcMiddleware::Lab', controller: 'HlcMiddleware::Controller' };

/**
 * The facts of the page about topics.
 * @param {TopicModules} modules
 * @returns {TopicFacts}
 */
export function topicFacts({ messages: { topics, topicsBySide }, qos }) {
  const libraries = qos.loadShippedQos();
  const endpointsOf = (/** @type {SideName} */ side) => {
    const profile = qos.findProfile(libraries, profileNames[side]);
    /** @type {(kind: 'writer' | 'reader', key: keyof typeof topics) => Endpoint} */
    const endpoint = (kind, key) => {
      const { name, typeName } = topics[key];
      const entities = qos.formatEffectiveQos(profile, [{ kind, topic: name }], profile);
      return { topic: name, type: typeName, qos: entities.map(({ lines }) => shortQos(lines)) };
    };
    const { writers, readers } = topicsBySide[side];
    return {
      writers: writers.map((key) => endpoint('writer', key)),
      readers: readers.map((key) => endpoint('reader', key)),
    };
  };
  return {
    types: buildModel(loadIdl(path.join(root, 'idl'))),
    topics: Object.values(topics),
    sides: { lab: endpointsOf('lab'), controller: endpointsOf('controller') },
  };
}

/**
 * `['reliability: reliable', 'history: keep all']` gives `reliable, keep all`.
 * @param {readonly string[]} lines
 */
function shortQos(lines) {
  return lines.map((line) => line.replace(/^(?:reliability|durability|history): /, '')).join(', ');
}
