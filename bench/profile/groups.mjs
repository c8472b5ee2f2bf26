/**
 * What a function of the middleware does within a period.
 * @typedef {typeof groups[number]} Group
 */

/** In the order of a period, as they are printed. */
export const groups = /** @type {const} */ ([
  'take',
  'decode',
  'rules',
  'encode',
  'write',
  'pacer',
  'prepare',
  'wiring',
  'statistics and log',
  'garbage collection',
  'the probe of the bench',
  'everything else',
]);

/**
 * @typedef {object} Rule
 * @property {Group} group
 * @property {RegExp} file relative to the project
 * @property {RegExp} [functions] in that file; absent: all that no rule before it has
 * @property {boolean} [whole] what these functions call belongs to the group, too
 */

/**
 * The first rule that fits a function has it. What fits none (the add-on's functions, those of V8 and
 * of Node) counts for its caller.
 * @type {readonly Rule[]}
 */
export const rules = [
  { group: 'write', file: /^dist\/dds\/endpoints\.js$/, functions: /^(write|dispose)$/ },
  { group: 'write', file: /^dist\/sides\/topic-writer\.js$/ },
  { group: 'pacer', file: /^dist\/dds\/native-pacer\.js$/, functions: /^(arm|disarm|beat)$/ },
  {
    group: 'prepare',
    file: /^dist\/node\/middleware\/start-writer\.js$/,
    functions: /^prepare$/,
    whole: true,
  },
  { group: 'take', file: /^dist\/dds\// },
  { group: 'take', file: /^dist\/sides\/topic-reader\.js$/ },
  { group: 'decode', file: /^dist\/messages\/cdr-reader\.js$/ },
  { group: 'encode', file: /^dist\/messages\/cdr-writer\.js$/ },
  { group: 'decode', file: /^dist\/messages\//, functions: /^(read|decode)/ },
  { group: 'encode', file: /^dist\/messages\// },
  { group: 'encode', file: /^dist\/node\/middleware\/start-signal\.js$/ },
  { group: 'rules', file: /^dist\/core\// },
  { group: 'statistics and log', file: /^dist\/node\/(observers\/|logger\.js$)/ },
  { group: 'wiring', file: /^dist\/(node|sides)\// },
  { group: 'the probe of the bench', file: /^bench\/profile\/probe\.mjs$/ },
];
