import { createProgram } from '../../../src/cli/program.js';

const nothing = () => undefined;
const nothingLater = () => Promise.resolve();

/** The commands of `hlc-middleware`. */
export const commandNames: readonly string[] = createProgram(
  '0',
  {
    environment: {},
    readFile: () => '',
    write: nothing,
    writeError: nothing,
    runMiddleware: () => Promise.resolve(0),
    play: () => Promise.resolve(0),
    runFleet: nothingLater,
    setExitCode: nothing,
    showStacks: nothing,
  },
  { writeOut: nothing, writeError: nothing },
).commands.map((command) => command.name());
