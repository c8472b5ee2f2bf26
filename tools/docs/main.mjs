// `npm run docs`: writes the pages of docs/reference that follow from the code: flags, errors, exit
// codes, topics and the tap. Uses the build in dist/.

import path from 'node:path';
import process from 'node:process';
import { writeChanged } from '../codegen/write-changed.mjs';
import { root } from '../paths.mjs';
import { topicFacts } from './topic-facts.mjs';
import { tapPage } from './tap-page.mjs';
import { topicsPage } from './topics-page.mjs';

/**
 * @param {string} module below dist/
 * @returns {Promise<unknown>}
 */
function built(module) {
  return import(new URL(`../../dist/${module}`, import.meta.url).href);
}

const [cliErrors, cliExitCodes, config, messages, qos, tap] =
  /**
   * @type {[
   *   typeof import('../../src/cli/errors-document.js'),
   *   typeof import('../../src/cli/exit-codes-document.js'),
   *   typeof import('../../src/config/index.js'),
   *   typeof import('../../src/messages/index.js'),
   *   typeof import('../../src/dds/qos/index.js'),
   *   typeof import('../../src/tap/index.js'),
   * ]}
   */ (
    await Promise.all([
      built('cli/errors-document.js'),
      built('cli/exit-codes-document.js'),
      built('config/index.js'),
      built('messages/index.js'),
      built('dds/qos/index.js'),
      built('tap/index.js'),
    ])
  );

const pages = {
  'flags.md': config.flagsDocument(),
  'errors.md': cliErrors.errorsDocument(),
  'exit-codes.md': cliExitCodes.exitCodesDocument(),
  'tap.md': tapPage(tap),
  'topics.md': topicsPage(topicFacts({ messages, qos })),
};

for (const [name, text] of Object.entries(pages)) {
  const changed = writeChanged(path.join(root, 'docs/reference', name), text);
  process.stdout.write(`docs: docs/reference/${name} ${changed ? 'written' : 'unchanged'}\n`);
}
