import type { CertificationReport } from '../../../src/certify/judging/index.js';
import type { Gateways, LabPrograms, Recordings } from '../../../src/cli/command-context.js';
import { execute, type Shell } from '../../../src/cli/execute.js';
import type { RunConfig } from '../../../src/config/index.js';

/** A check that came to nothing. */
export const emptyReport: CertificationReport = {
  vehicle_ids: [1],
  domain: 1,
  period_ms: 50,
  seed: 1,
  appeared: false,
  passed: 0,
  failed: 0,
  not_tested: 0,
  rules: [],
  reply_time_ms: {},
};

const nothing = () => Promise.resolve(0);

/** Programs of a lab that do not run. */
export const noLab: LabPrograms = { runLabFleet: nothing, runLabDriver: nothing, runLab: nothing };

/** Gateways that do not run. */
export const noGateways: Gateways = {
  runCarla: nothing,
  runCave: nothing,
  runDancers: nothing,
  runSynchrono: nothing,
};

/** Commands about recordings that read and write nothing. */
export const noRecordings: Recordings = {
  recordRun: () => Promise.resolve(0),
  recover: () => Promise.resolve(),
  replayToRules: () => Promise.resolve(true),
  replayToPage: () => Promise.resolve(0),
  replayController: () => Promise.resolve(true),
  compare: () => Promise.resolve(),
  report: () => Promise.resolve(),
};

/** What a command line did. */
export interface Outcome {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
  /** What was to be run, played or simulated. */
  readonly configs: readonly RunConfig[];
  /** The further flags of commands that simulate a lab. */
  readonly labs: readonly object[];
}

/** Runs a command line whose arguments have blanks between them, without starting anything. */
export const run = async (commandLine: string, shell: Partial<Shell> = {}): Promise<Outcome> => {
  const texts = { out: '', error: '' };
  const configs: RunConfig[] = [];
  const labs: object[] = [];
  const started = (config: RunConfig, values: object) => {
    configs.push(config);
    labs.push(values);
    return Promise.resolve(0);
  };
  const exitCode = await execute(commandLine.split(' ').filter(Boolean), {
    version: '1.2.3',
    environment: {},
    readFile: (path) => {
      throw new Error(`no file ${path}`);
    },
    write: (text) => (texts.out += text),
    writeError: (text) => (texts.error += text),
    runMiddleware: (config) => {
      configs.push(config);
      return Promise.resolve(0);
    },
    observe: (config, _socket, values) => started(config, values),
    runGuard: started,
    play: started,
    lab: () => Promise.resolve({ runLabFleet: started, runLabDriver: started, runLab: started }),
    gateways: () =>
      Promise.resolve({
        runCarla: started,
        runCave: started,
        runDancers: started,
        runSynchrono: started,
      }),
    recordings: () => Promise.resolve(noRecordings),
    runDoctor: (config) => {
      configs.push(config);
      return Promise.resolve({ text: '', exitCode: 0 });
    },
    certify: (config, values, command) => {
      configs.push(config);
      labs.push({ ...values, command });
      return Promise.resolve({ reports: [emptyReport], exitCode: 1 });
    },
    ...shell,
  });
  return { exitCode, configs, labs, ...texts };
};
