import { createProgram } from '../../../src/cli/program.js';

const nothing = () => undefined;

/** The command line of `hlc-middleware`, whose commands do nothing. */
export const program = createProgram('0', {
  environment: {},
  readFile: () => '',
  write: nothing,
  writeError: nothing,
  runMiddleware: () => Promise.resolve(0),
  runGuard: () => Promise.resolve(0),
  play: () => Promise.resolve(0),
  observe: () => Promise.resolve(0),
  runDoctor: () => Promise.resolve({ text: '', exitCode: 0 }),
  certify: () => Promise.reject(new Error('no certification')),
  lab: () => Promise.reject(new Error('no lab')),
  gateways: () => Promise.reject(new Error('no gateways')),
  recordings: () => Promise.reject(new Error('no recordings')),
  childCommand: [],
  setExitCode: nothing,
  showStacks: nothing,
});

/** The commands of `hlc-middleware`. */
export const commandNames: readonly string[] = program.commands.map((command) => command.name());
