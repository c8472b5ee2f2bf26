import { writeFileSync } from 'node:fs';
import type { RunConfig } from '../config/index.js';
import { startControlServer, type ControlRequest, type ControlStatus } from '../control/index.js';
import { unansweredFindings } from '../core/diagnosis/index.js';
import { ExitCode, HlcError, isHlcError } from '../core/errors/index.js';
import type { Ended, EndReason } from '../core/index.js';
import { DdsContext } from '../dds/index.js';
import { loadQosFile, loadShippedQos, type QosLibraries } from '../dds/qos/index.js';
import { liveTable, statusLines, type Display } from './display.js';
import { LabLog } from './lab-log.js';
import { askLabParameters } from './lab-parameters.js';
import { answerRoundTrips } from './lab-round-trip.js';
import { createLog, type Logger } from './logger.js';
import { ManagedLife } from './managed-life.js';
import { ManagedSession } from './managed-session.js';
import type { NodeView } from './node-view.js';
import { openSides, type Sides } from './open-sides.js';
import { ourSide } from './our-sides.js';
import { RosFace } from './ros-face.js';
import { RunStatistics, type RunSummary } from './run-statistics.js';
import type { LabParameters } from './session-factory.js';
import { SessionLog } from './session-log.js';
import { watchSignals } from './signals.js';
import { SimulatedClock } from './simulated-clock.js';
import { summaryText } from './summary-text.js';
import { TimeOuts } from './time-outs.js';
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
  const open: { dds?: DdsContext; session?: ManagedSession; refused?: true } = {};
  // Closed last, since it waits about a second for a reader that hangs: all is told by then, and
  // signals have their default action again, so that a second one ends the process at once.
  closers.push(() => open.dds?.close());
  const signals = watchSignals();
  closers.push(() => signals.close());
  const display = openDisplay(config, hooks, () => open.session?.view());
  const nodeLog = createLog(config, display?.persist);
  const { log } = nodeLog;
  // Opened first, told last: the summary follows on the last line of the log.
  closers.push(() => {
    if (open.session?.begun === true) tellSummary(config, statistics.summary());
  });
  closers.push(() => new Promise((resolve) => log.flush(() => resolve())));
  closers.push(() => display?.close());

  const dds = DdsContext.open({
    onFault: (fault) => log.error({ err: fault }, 'a fault in this program; the run goes on'),
    onLibraryLog: (text) => {
      // What it said of a domain that it refuses is in the sentence that ends the program.
      if (open.refused === undefined) log.warn({ source: 'Cyclone DDS' }, text);
    },
    onUnanswered: (participant, domainId) => {
      for (const finding of unansweredFindings({ domainId, unanswered: [participant] })) {
        log.warn({ finding }, `${finding.what}; ${finding.advice}`);
      }
    },
  });
  open.dds = dds;
  const sides = await openSides(config, dds, libraries, log).catch((error: unknown) => {
    open.refused = true;
    throw error;
  });
  closers.push(() => sides.close());
  if (config.realtimePriority !== undefined) dds.makeRealtime(config.realtimePriority);
  const { lab, controllers, rosNodes } = sides;
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
  const timeOuts = timeOutsOf(config, sides, log);
  const isTimeSource = config.simulatedTime && config.timeSource === 'self';
  const clock = isTimeSource ? new SimulatedClock(rosNodes, log, signals.stopped) : undefined;
  const session = new ManagedSession({
    config,
    lab,
    controllers,
    clocks: dds.clocks,
    pacer: dds.pacer,
    statistics,
    log: sessionLog,
    trouble,
    timeOuts,
    askParameters: () => askLabParameters(config, lab, timeOuts, trouble, log, signals.stopped),
    givenUp: () => signals.stopped.aborted,
    ...(clock === undefined ? {} : { clock }),
    onBegin: (parameters) => tellStart(config, parameters, dds, log),
    onOver: () => managedLife.sessionOver(),
  });
  open.session = session;
  const managedLife = new ManagedLife(config, session, log);
  const { life } = managedLife;
  const face = new RosFace(rosNodes, { config, life, session, clock, nodeLog });
  closers.push(() => face.close());
  managedLife.onTransition((transition) => face.transition(transition));
  closers.push(() => life.end());

  const stop = () => void life.end();
  signals.stopped.addEventListener('abort', stop);
  if (config.autostart && !(await managedLife.start())) {
    if (signals.stopped.aborted) return signals.exitCode(ExitCode.ok);
    throw managedLife.failure as Error;
  }
  await openControlSocket(config, (request) => session.control(request, life.state), log, closers);
  if (!config.autostart) log.info('unconfigured; other nodes say when to configure and activate');
  hooks.onListening?.({ log, stop });
  await managedLife.over;
  hooks.onEnding?.();
  if (managedLife.failure !== undefined) throw managedLife.failure as Error;
  if (session.lastEnd?.reason === 'stopTrigger' && config.compat === 'cpm-lab') {
    // The control centre takes a middleware that leaves by itself for one that crashed.
    log.info('stopped by the lab; waiting to be ended');
    await signals.received;
  }
  return signals.exitCode(exitCodeOf(session.lastEnd, config.autostart));
}

/** A node that others drive has done its job whenever it ends, unless a safety stop is latched. */
function exitCodeOf(end: Ended | undefined, autostart: boolean): number {
  const exitCode = end === undefined || !autostart ? ExitCode.ok : exitCodes[end.reason];
  const isLatched = end !== undefined && end.latched.length > 0;
  return exitCode === ExitCode.ok && isLatched ? ExitCode.safetyStop : exitCode;
}

function timeOutsOf(
  config: RunConfig,
  { lab, controllers, heardOnLab, heardByControllers }: Sides,
  log: Logger,
): TimeOuts {
  const ours = {
    lab: ourSide('lab', config.ddsDomain, lab),
    controllers: ourSide('controller', config.domainNumber, controllers),
  };
  return new TimeOuts(
    config,
    { ours: ours.lab, other: ours.controllers, heard: heardOnLab },
    { ours: ours.controllers, other: ours.lab, heard: heardByControllers },
    log,
  );
}

/** The control socket; the default one is worth a warning, not the run, when it is not to be had. */
async function openControlSocket(
  config: RunConfig,
  control: (request: ControlRequest) => ControlStatus,
  log: Logger,
  closers: Closers,
): Promise<void> {
  if (config.controlSocket === null) return;
  try {
    const server = await startControlServer({
      path: config.controlSocket,
      onRequest: (request) => ({ ok: true, status: control(request) }),
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

function tellStart(
  config: RunConfig,
  parameters: LabParameters,
  dds: DdsContext,
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
      lab_interfaces: dds.interfacesOf(config.ddsDomain),
      controller_interfaces: dds.interfacesOf(config.domainNumber),
      cyclone: dds.cycloneVersion,
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
