// The rules of the lint, "npm run lint". Oxlint looks for types with TypeScript's own compiler, and reports
// what that finds, too: this is the type check as well.

/** Which rooms of src/ each room may import from. Anything not listed is refused. */
const belowCommands = {
  errors: [],
  ports: ['errors'],
  core: ['errors', 'ports'],
  diagnosis: ['ports'],
  messages: ['errors', 'ports', 'core'],
  dds: ['errors', 'ports', 'core'],
  ros2: ['errors', 'ports', 'core', 'messages'],
  sides: ['errors', 'ports', 'core', 'diagnosis', 'messages', 'dds'],
  tap: ['errors', 'ports', 'core', 'messages', 'sides', 'remote'],
  config: ['errors', 'core'],
  remote: ['errors', 'core'],
  controller: ['errors', 'ports', 'core', 'messages', 'dds', 'sides'],
  lab: ['errors', 'ports', 'core', 'messages', 'dds', 'ros2', 'sides', 'controller'],
  certify: ['errors', 'ports', 'core', 'messages', 'dds', 'sides', 'lab'],
  gateways: ['errors', 'ports', 'core', 'messages', 'dds', 'ros2', 'sides', 'controller', 'lab'],
  node: [
    'errors',
    'ports',
    'core',
    'diagnosis',
    'messages',
    'dds',
    'ros2',
    'sides',
    'config',
    'remote',
    'tap',
  ],
  observe: ['errors', 'ports', 'core', 'messages', 'config', 'remote', 'sides', 'tap'],
  doctor: ['errors', 'ports', 'core', 'diagnosis', 'messages', 'dds', 'sides', 'config', 'node'],
  guard: ['errors', 'ports', 'core', 'messages', 'dds', 'ros2', 'sides', 'config', 'node'],
  install: ['errors', 'dds'],
  record: ['errors', 'core', 'messages', 'tap', 'observe'],
  replay: [
    'errors',
    'ports',
    'core',
    'messages',
    'dds',
    'sides',
    'certify',
    'tap',
    'observe',
    'record',
  ],
};

/** As above, of all rooms: the commands use all others. @type {Record<string, string[]>} */
export const mayImport = { ...belowCommands, cli: Object.keys(belowCommands) };

const rooms = Object.keys(mayImport);

/** @typedef {{ regex?: string, group?: string[], message: string }} Pattern of names of modules */

/** What no file of a room may import. @param {string} room @returns {Pattern[]} */
function refusedIn(room) {
  const allowed = mayImport[room] ?? [];
  const refused = rooms.filter((other) => other !== room && !allowed.includes(other));
  return [
    {
      regex: `^(\\.\\./)+(${refused.join('|') || '$none'})/`,
      message: `src/${room} may import only from: ${[room, ...allowed].join(', ')}.`,
    },
    ...(['errors', 'ports', 'core', 'diagnosis'].includes(room)
      ? [{ regex: '^[^.]', message: `src/${room} does no I/O and has no dependencies.` }]
      : []),
  ];
}

/**
 * Of several entries for a file, only the last one counts: an entry for a part of a room has the
 * patterns of the room, too.
 * @param {string[]} files
 * @param {string} room
 * @param {Pattern[]} patterns
 */
function importRule(files, room, ...patterns) {
  const rule = ['error', { patterns: [...refusedIn(room), ...patterns] }];
  return { files, rules: { 'no-restricted-imports': rule } };
}

/** Beyond what is wrong in any project (the category "correctness"). */
const furtherRules = [
  ...['no-array-constructor', 'no-case-declarations', 'no-empty', 'no-empty-function'],
  ...['no-fallthrough', 'no-prototype-builtins', 'no-regex-spaces'],
  ...['no-useless-assignment', 'no-useless-constructor', 'no-var', 'prefer-const'],
  ...['prefer-rest-params', 'prefer-spread', 'preserve-caught-error'],
];

/** As above, of types. */
const furtherTypeRules = [
  ...['adjacent-overload-signatures', 'array-type', 'ban-tslint-comment'],
  ...['class-literal-property-style', 'consistent-generic-constructors'],
  ...['consistent-indexed-object-style', 'consistent-type-assertions'],
  ...['consistent-type-definitions', 'consistent-type-imports', 'dot-notation'],
  ...['no-confusing-non-null-assertion', 'no-deprecated', 'no-dynamic-delete'],
  ...['no-empty-object-type', 'no-explicit-any', 'no-extraneous-class'],
  ...['no-generated-empty-object-type', 'no-inferrable-types', 'no-invalid-void-type'],
  ...['no-misused-promises', 'no-mixed-enums', 'no-namespace'],
  ...['no-non-null-asserted-nullish-coalescing', 'no-non-null-assertion', 'no-require-imports'],
  ...['no-unnecessary-boolean-literal-compare', 'no-unnecessary-template-expression'],
  ...['no-unnecessary-type-arguments', 'no-unnecessary-type-assertion'],
  ...['no-unnecessary-type-constraint', 'no-unnecessary-type-conversion'],
  ...['no-unnecessary-type-parameters', 'no-unsafe-argument', 'no-unsafe-assignment'],
  ...['no-unsafe-call', 'no-unsafe-enum-comparison', 'no-unsafe-function-type'],
  ...['no-unsafe-member-access', 'no-unsafe-return', 'non-nullable-type-assertion-style'],
  ...['only-throw-error', 'prefer-find', 'prefer-for-of', 'prefer-function-type'],
  ...['prefer-includes', 'prefer-literal-enum-member', 'prefer-nullish-coalescing'],
  ...['prefer-optional-chain', 'prefer-promise-reject-errors', 'prefer-reduce-type-parameter'],
  ...['prefer-regexp-exec', 'prefer-return-this-type', 'prefer-string-starts-ends-with'],
  ...['related-getter-setter-pairs', 'require-await', 'unified-signatures'],
  ...['use-unknown-in-catch-callback-variable'],
];

export default {
  plugins: ['typescript', 'oxc'],
  categories: { correctness: 'error' },
  options: { typeAware: true, typeCheck: true, denyWarnings: true },
  ignorePatterns: [
    'dist/',
    'build/',
    'node_modules/',
    'src/messages/generated/',
    'src/gateways/generated/',
  ],
  rules: {
    ...Object.fromEntries(furtherRules.map((name) => [name, 'error'])),
    ...Object.fromEntries(furtherTypeRules.map((name) => [`typescript/${name}`, 'error'])),
    'no-unused-vars': ['error', { ignoreRestSiblings: true }],
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    'typescript/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
    'typescript/restrict-plus-operands': [
      'error',
      {
        allowAny: false,
        allowBoolean: false,
        allowNullish: false,
        allowNumberAndString: false,
        allowRegExp: false,
      },
    ],
    'typescript/restrict-template-expressions': [
      'error',
      { allowNumber: true, allowBoolean: true },
    ],
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true },
    ],
  },
  overrides: [
    {
      files: ['src/{errors,ports,core,diagnosis}/**/*.ts', 'src/certify/judging/**/*.ts'],
      rules: {
        'no-restricted-globals': [
          'error',
          'process',
          'setTimeout',
          'setInterval',
          'performance',
          'Date',
        ],
      },
    },
    {
      files: ['src/**/*.ts'],
      excludeFiles: ['src/sides/**', 'src/dds/**', 'src/ros2/**'],
      rules: {
        'no-restricted-properties': [
          'error',
          ...['createReader', 'createWriter'].map((property) => ({
            property,
            message: 'src/sides makes the endpoints of topics: use readTopic or writeTopic.',
          })),
        ],
      },
    },
    ...rooms.map((room) => importRule([`src/${room}/**/*.ts`], room)),
    importRule(['src/gateways/*/protocol/**/*.ts'], 'gateways', {
      group: ['node:*', '!node:zlib'],
      message: 'Protocol code does no I/O.',
    }),
    importRule(
      ['src/certify/judging/**/*.ts'],
      'certify',
      {
        regex: `^(\\.\\./)+(${rooms.filter((r) => r !== 'core' && r !== 'errors').join('|')}|examination)/`,
        message: 'src/certify/judging is pure, and may import only from core.',
      },
      { regex: '^node:', message: 'src/certify/judging does no I/O.' },
    ),
  ],
};
