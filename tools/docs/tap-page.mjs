// docs/reference/tap.md: the frames of the tap, from the tables in src/tap.

import { markdownTable } from '../markdown-table.mjs';

/** @typedef {typeof import('../../src/tap/index.js')} Tap */

/** @param {number} version */
const introduction = (version) => `# Tap

<!-- Generated from src/tap by "npm run docs"; do not edit by hand. -->

The tap is a Unix socket beside the control socket: \`middleware.sock\` has \`middleware.tap\`. It gives other
processes everything that a session takes in and does. \`hlc-middleware observe\` reads it, and
\`connectTap\` of \`hlc-middleware/observe\` reads it in a program of yours. This page describes version ${version} of the
format. A new kind of frame, event or effect is added at the end of its table, and a frame of JSON may get further
members; any other change raises the version.

- Up to eight readers connect; only processes of the same user can. A reader sends nothing, with one exception.
- A reader that must have everything, as a recorder, sends one byte, 1, when \`waitMs\` of \`hello\` is above 0: in
  simulated time. While more than 256 KiB wait for it, no further step begins: the session is paused. After
  \`waitMs\`, 5 s, time continues, the log names the reader once, and the reader loses frames until it has read what
  waits. In real time nothing waits for a reader. A connection of \`hlc-middleware/observe\` sends this
  byte with its option \`needAll\`.
- A reader that waits for a middleware listens at a socket with the path of the tap and its process id,
  \`middleware.tap.123\`. The middleware connects to it, and begins its session when the reader has closed that
  connection, after a second at most. \`awaitTap\` of \`hlc-middleware/observe\` does that.
- Without a reader the middleware encodes nothing. Frames are written after the effects of an event, together with
  those of the next 25 ms or up to 64 KiB. In real time a start signal sets the time of this write anew, to half a
  period after it, at most 10 ms. So a frame waits at most 35 ms, and periods below 35 ms have one write each.
- Up to 1 MiB waits for each reader. Then it loses frames of priority 0 first, then 1, then 2, and of these the
  oldest. A frame \`dropped\` counts what it lost. An event and its effects are dropped together.
- \`core\` is pure: a new session with the settings of \`session\` and the recorded events has the recorded effects.
  \`openSession\`, \`settingsOf\` and \`encodeMembers\` do that.

## Frame

All numbers are little endian. \`text\` is UTF-8 after its length (u32), \`bytes\` follow their number (u32), a
\`list\` follows its number of entries (u32), \`bool\` is a byte, 0 or 1. Instants named \`…Ns\` are nanoseconds: i64 of the
monotonic clock, or u64 since 1970 or of simulated time. An \`f64\` is IEEE 754.

| Bytes | Contents                                                                  |
| ----- | ------------------------------------------------------------------------- |
| 0–3   | u32: bytes after these eight                                              |
| 4     | type of the frame                                                         |
| 5     | kind of the event or effect                                               |
| 6     | priority: 0 bulk, 1 start signals and commands, 2 others, 3 never dropped |
| 7     | topic of the sample in the frame                                          |
| 8–    | contents                                                                  |
`;

const contents = {
  hello:
    'first frame: JSON with `format`, `version`, node id, time mode, domains, versions (`program`, `node`, `cyclone`), the effective configuration as JSON text (`config`), both clocks and `waitMs`',
  session:
    'a session begins, or has begun before this reader came (`nextEvent` above 0): JSON with the settings of `core`',
  event:
    '`number` u64; `at` both clocks (i64 monotonic, i64 since 1970); then the members of its kind',
  effect:
    '`number` u64 of its event; `written` bool; `latenessNs` i64; `sample` bytes as sent; then the members of its kind',
  dropped: 'JSON: type, kind, topic and number of the frames that this reader lost',
  summary:
    'JSON: phase, controllers and the [summary](summary.md) so far; once per second, and at the end',
  log: 'JSON: an entry of the log',
  stalled: 'JSON: the event loop stood still for `stallNs`',
  end: 'last frame: JSON with the reason, `closed` or `full` (eight other readers)',
  remoteAgents:
    'JSON: all vehicles of other simulations, with their parts, files and states; when a list changed, at most ten times per second',
};

const json = `In JSON, integers of 64 bits are \`{"$int":"12"}\`, and numbers that JSON does not have are
\`{"$float":"Infinity"}\`.
`;

/**
 * @param {string} title
 * @param {string} heading
 * @param {readonly (readonly [string, string])[]} rows
 */
function numbered(title, heading, rows) {
  const table = markdownTable(
    ['Number', heading, 'Contents'],
    rows.map(([name, text], i) => [String(i), name === '' ? '' : `\`${name}\``, text]),
  );
  return `## ${title}\n\n${table}`;
}

/**
 * @param {Tap} tap
 * @returns {string}
 */
export function tapPage({ tapVersion, frameTypes, sampleTopics, eventFields, effectFields }) {
  /** @param {Readonly<Record<string, { readonly layout: string }>>} fields */
  const layouts = (fields) =>
    Object.entries(fields).map(
      ([kind, { layout }]) => /** @type {const} */ ([kind, layout.replaceAll('|', '\\|')]),
    );
  return [
    introduction(tapVersion),
    numbered(
      'Types',
      'Type',
      frameTypes.map((type) => /** @type {const} */ ([type, contents[type]])),
    ),
    json,
    numbered(
      'Topics',
      'Topic',
      sampleTopics.map(
        (topic) => /** @type {const} */ ([topic, topic === '' ? 'no sample' : 'CDR']),
      ),
    ),
    numbered('Events', 'Kind', layouts(eventFields)),
    'The bytes of an event are a sample as received; those of `startSent` are the start signal that went out.\n',
    numbered('Effects', 'Kind', layouts(effectFields)),
    `\`forwardCommand\`, \`refuseCommand\` and \`flagCommand\` share the command of their event. The payloads of the states
and observations of a start signal are in its sample.
`,
  ].join('\n');
}
