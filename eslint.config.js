import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/** Which rooms of src/ each room may import from. Anything not listed is refused. */
const mayImport = {
  core: [],
  messages: ['core'],
  dds: ['core'],
  ros2: ['core', 'messages'],
  sides: ['core', 'messages', 'dds'],
  config: ['core'],
  control: ['core'],
  controller: ['core', 'messages', 'dds', 'sides'],
  lab: ['core', 'messages', 'dds', 'sides', 'controller'],
  check: ['core'],
  probe: ['core', 'messages', 'dds', 'sides', 'lab', 'check'],
  node: ['core', 'messages', 'dds', 'ros2', 'sides', 'config', 'control'],
  doctor: ['core', 'messages', 'dds', 'sides', 'config', 'node'],
  cli: [
    'core',
    'messages',
    'dds',
    'ros2',
    'sides',
    'config',
    'control',
    'controller',
    'lab',
    'check',
    'probe',
    'node',
    'doctor',
  ],
};

const rooms = Object.keys(mayImport);

const layerRules = Object.entries(mayImport).map(([room, allowed]) => ({
  files: [`src/${room}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^(\\.\\./)+(${rooms.filter((r) => r !== room && !allowed.includes(r)).join('|') || '$none'})/`,
            message: `src/${room} may import only from: ${[room, ...allowed].join(', ')}.`,
          },
          ...(room === 'core'
            ? [{ regex: '^[^.]', message: 'src/core does no I/O and has no dependencies.' }]
            : []),
        ],
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ['dist/', 'build/', 'node_modules/', 'src/messages/generated/'] },
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
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['src/core/**/*.ts', 'src/check/**/*.ts'],
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
  { files: ['eslint.config.js'], ...tseslint.configs.disableTypeChecked },
  // The compiler knows the globals of plain scripts, too (checkJs).
  { files: ['**/*.mjs'], rules: { 'no-undef': 'off' } },
  ...layerRules,
  prettier,
);
