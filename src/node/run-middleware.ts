import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunConfig } from '../config/index.js';
import { startControlServer } from '../control/index.js';
import {
  ExitCode,
  HlcError,
  isHlcError,
  signalExitCodes,
  type EndSignal,
} from '../core/errors/index.js';
import type { Ended, EndReason } from '../core/index.js';
import { DdsContext } from '../dds/index.js';
import { loadQosFile, loadShippedQos, type QosLibraries } from '../dds/qos/index.js';
import { liveTable, statusLines, type Display } from './display.js';
import { LabLog } from './lab-log.js';
import {
  activeVehicleIdsParameter,
  askParameter,
  periodParameter,
  type LabParameter,
  type ParameterServer,
} from './lab-parameters.js';
import { answerRoundTrips } from './lab-round-trip.js';
import { createLog, type Logger } from './logger.js';
import { MiddlewareNode } from './middleware-node.js';
import type { NodeView } from './node-view.js';
import { openSides } from './open-sides.js';
import { ourSide } from './our-sides.js';
import { RunStatistics, type RunSummary } from './run-statistics.js';
import type { LabParameters } from './session-factory.js';
import { SessionLog } from './session-log.js';
import { summaryText } from './summary-text.js';
import { TimeOuts } from './time-outs.js';
import type { TopicTrouble } from './topic-reader.js';
import { countedTrouble } from './trouble.js';

/** What the caller can watch. */
export interface RunHooks {
  /** Called once the node listens on both sides, with its log and a way to end it. */
  readonly onListening?: (running: { readonly log: Logger; readonly stop: () => void }) => void;
  /** Called once, when the session is over and the controllers were told. */
  readonly onEnding?: () => void;
  /** Where there is no live table, print a line on standard output every second. */
  readonly statusLines?: boolean;
}

const exitCodes: Record<EndReason, number> = {
  stopTrigger: ExitCode.ok,
  stopped: ExitCode.ok,
  periodsDone: ExitCode.ok,
  untilReached: ExitCode.ok,
  readyTimeout: ExitCode.readinessTimeout,
  startTimeout: ExitCode.readinessTimeout,
  replyTimeout: ExitCode.lockStepHalt,
  overrun: ExitCode.lockStepHalt,
};

/** What a run has open; closed in the reverse order of their opening. */
type Closers = (() => void | Promise<void>)[];

/**
 * Runs one middleware to its end: until its periods are done, the lab stops it, or SIGHUP, SIGINT
 * or SIGTERM comes (a second one ends the process at once).
 * @returns the exit code of the process.
 * @throws HlcError when it cannot start, or when the summary cannot be written.
 */
export async function runMiddleware(config: RunConfig, hooks: RunHooks = {}): Promise<number> {
  const closers: Closers = [];
  try {
    return await run(config, hooks, closers);
  } finally {
    await closeAll(closers);
  }
}

/** Closes all, the last one first, also when one of them fails. */
async function closeAll(closers: Closers): Promise<void> {
  const close = closers.pop();
  if (close === undefined) return;
  try {
    await close();
  } finally {
    await closeAll(closers);
  }
}

async function run(config: RunConfig, hooks: RunHooks, closers: Closers): Promise<number> {
  const libraries = config.qosFile === undefined ? loadShippedQos() : loadQosFile(config.qosFile);
  const statistics = new RunStatistics(config.vehicleIds);
  let node: MiddlewareNode | undefined;
  const open: { dds?: DdsContext } = {};
  // Closed last, since it waits about a second for a reader that hangs: all is told by then, and
  // signals have their default action again, so that a second one ends the process at once.
  closers.push(() => open.dds?.close());
  const signals = watchSignals(closers);
  const display = openDisplay(config, hooks, () => node?.view());
  const nodeLog = createLog(config, display?.persist);
  const { log } = nodeLog;
  // Opened first, told last: the summary follows on the last line of the log.
  closers.push(() => {
    if (node !== undefined) tellSummary(config, statistics.summary());
  });
  closers.push(() => new Promise((resolve) => log.flush(() => resolve())));
  closers.push(() => display?.close());

  const dds = DdsContext.open({
    onFault: (fault) => log.error({ err: fault }, 'a fault in this program; the run goes on'),
    onLibraryLog: (text) => log.warn({ source: 'Cyclone DDS' }, text),
  });
  open.dds = dds;
  const sides = await openSides(config, dds, libraries, log);
  closers.push(() => sides.close());
  const { lab, controllers } = sides;
  tellQosWarnings(libraries, log);
  for (const argument of config.ignoredArguments) {
    log.warn({ argument }, `"${argument}" on the command line means nothing here and is ignored`);
  }

  const sessionLog = new SessionLog(log, () => dds.clocks.monotonicNs(), {
    lab: config.ddsDomain,
    controllers: config.domainNumber,
  });
  const trouble = countedTrouble(statistics, sessionLog);
  new LabLog(lab, nodeLog, config.nodeId, () => dds.clocks.realtimeNs(), trouble);
  answerRoundTrips(lab, config.nodeId, trouble);
  const ours = {
    lab: ourSide('lab', config.ddsDomain, lab),
    controllers: ourSide('controller', config.domainNumber, controllers),
  };
  const timeOuts = new TimeOuts(
    config,
    { ours: ours.lab, other: ours.controllers, heard: sides.heardOnLab },
    { ours: ours.controllers, other: ours.lab, heard: sides.heardByControllers },
    log,
  );
  const server = {
    side: lab,
    domainId: config.ddsDomain,
    timeoutNs: config.parameterTimeoutNs,
    onTimeout: (parameter: string) => timeOuts.parameter(parameter),
  };
  const parameters = await labParameters(config, server, trouble, log, signals.stopped);
  if (parameters === undefined) return signals.exitCode(ExitCode.ok);

  tellStart(config, parameters, dds.cycloneVersion, log);
  const ended = new Promise<Ended>((resolve) => {
    node = new MiddlewareNode({
      config,
      parameters,
      lab,
      controllers,
      clocks: dds.clocks,
      pacer: dds.pacer,
      statistics,
      log: sessionLog,
      trouble,
      onEnded: resolve,
    });
  });
  const running = node as unknown as MiddlewareNode;
  closers.push(() => running.close());
  const stop = () => running.stop();
  signals.stopped.addEventListener('abort', stop);
  await openControlSocket(config, running, log, closers);
  hooks.onListening?.({ log, stop });
  const { reason, latched } = await ended;
  hooks.onEnding?.();
  const timeOut = timeOuts.errorOf(reason, () => running.readiness());
  if (timeOut !== undefined) throw timeOut;
  if (reason === 'stopTrigger' && config.compat === 'cpm-lab') {
    // The control centre takes a middleware that leaves by itself for one that crashed.
    log.info('stopped by the lab; waiting to be ended');
    await signals.received;
  }
  const exitCode = exitCodes[reason];
  const isLatched = exitCode === ExitCode.ok && latched.length > 0;
  return signals.exitCode(isLatched ? ExitCode.safetyStop : exitCode);
}

/** The period and the active ids; what was not configured is asked for. Undefined when stopped. */
async function labParameters(
  config: RunConfig,
  server: ParameterServer,
  trouble: TopicTrouble,
  log: Logger,
  stopped: AbortSignal,
): Promise<LabParameters | undefined> {
  try {
    const ask = <T>(parameter: LabParameter<T>) =>
      askParameter(parameter, server, trouble, log, stopped);
    const periodNs = config.periodNs ?? (await ask(periodParameter));
    const activeVehicleIds = config.activeVehicleIds ?? (await ask(activeVehicleIdsParameter));
    return { periodNs, activeVehicleIds };
  } catch (error) {
    if (stopped.aborted) return undefined;
    throw error;
  }
}

/** The control socket; the default one is worth a warning, not the run, when it is not to be had. */
async function openControlSocket(
  config: RunConfig,
  node: MiddlewareNode,
  log: Logger,
  closers: Closers,
): Promise<void> {
  if (config.controlSocket === null) return;
  try {
    const server = await startControlServer({
      path: config.controlSocket,
      onRequest: (request) => ({ ok: true, status: node.control(request) }),
    });
    closers.push(() => server.close());
  } catch (error) {
    if (config.controlSocketRequired || !isHlcError(error)) throw error;
    log.warn({ code: error.code }, error.message);
  }
}

function openDisplay(
  config: RunConfig,
  hooks: RunHooks,
  view: () => NodeView | undefined,
): Display | undefined {
  const onTerminal = process.stdout.isTTY && process.stderr.isTTY;
  if (config.table === 'on' || (config.table === 'auto' && onTerminal)) return liveTable(view);
  return hooks.statusLines === true ? statusLines(view) : undefined;
}

/**
 * The first SIGHUP, SIGINT or SIGTERM asks for the end, a second one ends the process. SIGHUP is how
 * the CPM Lab's control centre ends a middleware (`tmux kill-session`).
 */
function watchSignals(closers: Closers) {
  const controller = new AbortController();
  let received: EndSignal | undefined;
  const onSignal = (signal: EndSignal) => {
    if (received === undefined) {
      received = signal;
      controller.abort();
      return;
    }
    // The system's own way out: that of Node closes DDS, which may take its time.
    restore();
    process.kill(process.pid, signal);
  };
  const signals = Object.keys(signalExitCodes) as EndSignal[];
  const restore = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  closers.push(async () => {
    // A signal that came during the last steps is still to be noticed.
    await wait(1);
    restore();
  });
  return {
    stopped: controller.signal,
    /** Settles when a signal has come. */
    received: new Promise<void>((resolve) => {
      controller.signal.addEventListener('abort', () => resolve());
    }),
    /** That of the signal, or the other one when none came. */
    exitCode: (otherwise: number) =>
      received === undefined ? otherwise : signalExitCodes[received],
  };
}

function tellStart(
  config: RunConfig,
  parameters: LabParameters,
  cycloneVersion: string,
  log: Logger,
): void {
  log.info(
    {
      vehicle_ids: config.vehicleIds,
      active_vehicle_ids: parameters.activeVehicleIds,
      period_ms: Number(parameters.periodNs) / 1e6,
      simulated_time: config.simulatedTime,
      lab_domain: config.ddsDomain,
      controller_domain: config.domainNumber,
      interface: config.networkInterface,
      cyclone: cycloneVersion,
    },
    `waiting for controllers ${config.vehicleIds.join(', ')}`,
  );
}

function tellQosWarnings(libraries: QosLibraries, log: Logger): void {
  for (const { file, line, element, message } of libraries.warnings) {
    log.warn({ file, line, element }, `${file}:${line}: ${element}: ${message}`);
  }
}

/** Tells how the run was, on standard output and in the file that the user named. */
function tellSummary(config: RunConfig, summary: RunSummary): void {
  process.stdout.write(`${summaryText(summary)}\n`);
  if (config.summary === undefined) return;
  try {
    writeFileSync(config.summary, `${JSON.stringify(summary, null, 2)}\n`);
  } catch (cause) {
    throw new HlcError(
      'HLC_SUMMARY_FILE',
      { file: config.summary, cause: (cause as Error).message },
      { cause },
    );
  }
}
