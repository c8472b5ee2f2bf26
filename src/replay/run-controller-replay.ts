import { ControllerProcess, listenForOtherMiddleware } from '../certify/examination/index.js';
import type { Transport } from '../ports/index.js';
import { DdsContext, type DomainNetwork } from '../dds/index.js';
import { loadShippedQos } from '../dds/qos/index.js';
import { type EndSignal, HlcError, signalExitCodes } from '../errors/index.js';
import { readTap } from '../record/index.js';
import { ControllerSide, createSide, reportedTopicErrors } from '../sides/index.js';
import { ControllerReplay, type ControllerReplayOptions } from './controller-replay.js';
import type { ControllerReplayReport } from './controller-report.js';
import {
  type ControllerScript,
  type ScriptStep,
  ScriptSurvey,
  StepReader,
} from './controller-script.js';

export interface RunControllerReplayOptions extends Omit<
  ControllerReplayOptions,
  'script' | 'domainId'
> {
  /** The controller side. */
  readonly network: DomainNetwork;
  /** A command line for the shell that starts the controllers; null: they run already. */
  readonly command: string | null;
}

/**
 * Plays a recording to controllers in lock-step, and compares their commands. SIGHUP, SIGINT and
 * SIGTERM end the process and a controller that it started.
 * @param report called with what goes wrong on the way.
 * @throws HlcError `HLC_RECORDING_READ`, `HLC_OTHER_MIDDLEWARE` beside a running middleware,
 *   `HLC_READY_TIMEOUT`, `HLC_REPLAY_CONTROLLER`, `HLC_CONTROLLER_START`, `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export async function runControllerReplay(
  { network, command, ...options }: RunControllerReplayOptions,
  report: (text: string) => void,
): Promise<ControllerReplayReport> {
  for (const signal of Object.keys(signalExitCodes) as EndSignal[]) {
    process.once(signal, () => process.exit(signalExitCodes[signal]));
  }
  const script = await readScript(options.file);
  const replay = new ControllerReplay({ ...options, script, domainId: network.domainId });
  const dds = DdsContext.open({
    onFault: (fault) => report(`fault: ${String(fault)}`),
    onLibraryLog: report,
  });
  let child: ControllerProcess | undefined;
  try {
    const transport = dds.join(network);
    const side = openSide(transport, replay, report);
    try {
      await listenForOtherMiddleware(transport, 'a replay');
      if (command !== null) {
        child = await ControllerProcess.start(['sh', '-c', command], (how) =>
          replay.controllerEnded(how),
        );
      }
      return await replay.play(side);
    } finally {
      side.close();
      await child?.kill();
    }
  } finally {
    dds.close();
  }
}

function openSide(
  transport: Transport,
  replay: ControllerReplay,
  report: (text: string) => void,
): ControllerSide {
  const side = createSide('Controller', transport, loadShippedQos());
  const events = {
    readySignal: (sourceId: string) => replay.readySignal(sourceId),
    command: (command: Parameters<ControllerReplay['command']>[0]) => replay.command(command),
    writerChanged: () => undefined,
    deaf: (sourceId: string) => report(`${sourceId} has no reader for start signals`),
  };
  return new ControllerSide(
    side,
    events,
    reportedTopicErrors(({ message }) => report(message)),
  );
}

/**
 * Reads the recording twice: it may be larger than the memory.
 * @throws HlcError `HLC_RECORDING_READ`, also when there is no start signal.
 */
async function readScript(file: string): Promise<ControllerScript> {
  const survey = new ScriptSurvey();
  for await (const item of readTap(file)) survey.add(item);
  const facts = survey.facts();
  if (facts.stepCount > 0) return { ...facts, steps: stepsOf(file) };
  throw new HlcError('HLC_RECORDING_READ', { file, cause: 'it has no start signals' });
}

async function* stepsOf(file: string): AsyncGenerator<ScriptStep, void, void> {
  const reader = new StepReader();
  for await (const item of readTap(file)) {
    const step = item.kind === 'record' ? reader.add(item.record) : undefined;
    if (step !== undefined) yield step;
  }
  yield* reader.rest();
}
