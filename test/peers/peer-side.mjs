// What the scripted peers in processes of their own share: the library as built, a participant from
// the options on the command line, orders on standard input and events on standard output, each a
// line of JSON. Whole numbers of more than 53 bits travel as strings.

import process from 'node:process';
import { createInterface } from 'node:readline';

/** @param {string} module */
const built = async (module) => {
  /** @type {unknown} */
  const loaded = await import(new URL(`../../dist/${module}/index.js`, import.meta.url).href);
  return loaded;
};
export const { DdsContext } = /** @type {typeof import('../../src/dds/index.js')} */ (
  await built('dds')
);
export const { topics } = /** @type {typeof import('../../src/messages/index.js')} */ (
  await built('messages')
);

/**
 * @typedef {{
 *   readonly domain: number,
 *   readonly networkInterface?: string,
 *   readonly peers?: readonly string[],
 * }} SideOptions
 */

/** @type {unknown} */
const given = JSON.parse(process.argv[2] ?? '{}');
/** What the test asked for; each program says what it takes. */
export const options = /** @type {SideOptions & Record<string, unknown>} */ (given);

export const context = DdsContext.open({
  onFault: (fault) => {
    throw fault;
  },
});

/** A participant where the options say. */
export const side = context.join({
  domainId: options.domain,
  networkInterface: options.networkInterface ?? 'lo',
  initialPeers: options.peers ?? [],
});

/** @param {Record<string, unknown>} event */
export function report(event) {
  const text = JSON.stringify(event, (_, value) =>
    typeof value === 'bigint' ? value.toString() : /** @type {unknown} */ (value),
  );
  process.stdout.write(`${text}\n`);
}

/** @param {(order: { readonly do: string } & Record<string, unknown>) => void} obey */
export function takeOrders(obey) {
  createInterface(process.stdin).on('line', (line) => {
    /** @type {unknown} */
    const order = JSON.parse(line);
    obey(/** @type {{ do: string }} */ (order));
  });
}
