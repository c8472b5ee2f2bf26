import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/** Which rooms of src/ each room may import from. Anything not listed is refused. */
const mayImport = {
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
  cli: [
    'errors',
    'ports',
    'core',
    'diagnosis',
    'messages',
    'dds',
    'ros2',
    'sides',
    'tap',
    'config',
    'remote',
    'controller',
    'lab',
    'certify',
    'gateways',
    'node',
    'observe',
    'doctor',
    'guard',
    'install',
    'record',
    'replay',
  ],
};

const rooms = Object.keys(mayImport);

/** What no file of a room may import. */
function refusedIn(room) {
  const allowed = mayImport[room];
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
 */
function importRule(files, room, ...patterns) {
  const rule = ['error', { patterns: [...refusedIn(room), ...patterns] }];
  return { files, rules: { 'no-restricted-imports': rule } };
}

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'build/',
      'node_modules/',
      'src/messages/generated/',
      'src/gateways/generated/',
    ],
  },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // They took a sixth of the time of the lint, and had found nothing.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
    },
  },
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
    ignores: ['src/sides/**', 'src/dds/**', 'src/ros2/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name=/^create(Reader|Writer)$/]',
          message: 'src/sides makes the endpoints of topics: use readTopic or writeTopic.',
        },
      ],
    },
  },
  { files: ['eslint.config.js'], ...tseslint.configs.disableTypeChecked },
  // The compiler knows the globals of plain scripts, too (checkJs).
  { files: ['**/*.mjs'], rules: { 'no-undef': 'off' } },
  ...rooms.map((room) => importRule([`src/${room}/**/*.ts`], room)),
  importRule(['src/gateways/*/protocol/**/*.ts'], 'gateways', {
    regex: '^node:(?!zlib$)',
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
  prettier,
);
