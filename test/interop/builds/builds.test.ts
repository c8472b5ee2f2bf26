import { describe, it } from 'vitest';
import { languages } from '../languages.js';
import { installReaders } from '../recording-readers.js';
import { buildNode, missingForNode } from '../synchrono-node.js';

const node = { name: 'SynChrono', missing: () => missingForNode, build: buildNode };
const readers = { name: 'readers of recordings', missing: () => undefined, build: installReaders };

// The interop tests build what they need, too; this part does it before, while nothing is measured.
describe('The programs of the interop tests are built', () => {
  it.for([...languages, node, readers])('$name', (each, { skip }) => {
    const missing = each.missing();
    if (missing !== undefined) return skip(`${missing} is missing`);
    each.build();
  });
});
