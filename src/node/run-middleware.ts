import { writeFileSync } from 'node:fs';
import type { RunConfig } from '../config/index.js';
import type { EndReason } from '../core/index.js';
import { ExitCode, HlcError } from '../core/errors/index.js';
import { DdsContext } from '../dds/index.js';
import { chooseProfile, loadQosFile, loadShippedQos } from '../dds/qos/index.js';
import { liveTable, statusLines, type Display } from './display.js';
import { createLogger, type Logger } from './logger.js';
import type { NodeView } from './node-view.js';
import { RealTimeNode } from './real-time-node.js';
import { RunStatistics, type RunSummary } from './run-statistics.js';
import { summaryText } from './summary-text.js';

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
  replyTimeout: ExitCode.lockStepHalt,
};

const signalExitCodes = { SIGINT: ExitCode.sigint, SIGTERM: ExitCode.sigterm } as const;
type EndSignal = keyof typeof signalExitCodes;

/**
 * Runs one middleware to its end: until its periods are done, the lab stops it, or SIGINT or
 * SIGTERM comes (a second one ends the process at once).
 * @returns the exit code of the process.
 * @throws HlcError when it cannot start, or when the summary cannot be written.
 */
export async function runMiddleware(config: RunConfig, hooks: RunHooks = {}): Promise<number> {
  const libraries = config.qosFile === undefined ? loadShippedQos() : loadQosFile(config.qosFile);
  const statistics = new RunStatistics(config.vehicleIds);
  let node: RealTimeNode | undefined;
  const display = openDisplay(config, hooks, () => node?.view());
  const log = createLogger(config, display?.persist);
  let dds: DdsContext | undefined;
  try {
    dds = DdsContext.open({
      onFault: (fault) => log.error({ err: fault }, 'a fault in this program; the run goes on'),
      onLibraryLog: (text) => log.warn({ source: 'Cyclone DDS' }, text),
    });
    const { clocks, pacer, cycloneVersion } = dds;
    const { lab, controllers } = joinSides(dds, config);
    const ended = new Promise<EndReason>((resolve) => {
      node = new RealTimeNode({
        config,
        lab: { transport: lab, profile: chooseProfile(libraries, 'Lab') },
        controllers: { transport: controllers, profile: chooseProfile(libraries, 'Controller') },
        clocks,
        pacer,
        statistics,
        log,
        onEnded: resolve,
      });
    });
    const stop = () => node?.stop();
    const signals = watchSignals(stop);
    log.info(
      {
        vehicle_ids: config.vehicleIds,
        period_ms: Number(config.periodNs) / 1e6,
        lab_domain: config.ddsDomain,
        controller_domain: config.domainNumber,
        interface: config.networkInterface,
        cyclone: cycloneVersion,
      },
      `waiting for controllers ${config.vehicleIds.join(', ')}`,
    );
    hooks.onListening?.({ log, stop });
    const reason = await ended;
    hooks.onEnding?.();
    signals.unwatch();
    return signals.received === undefined ? exitCodes[reason] : signalExitCodes[signals.received];
  } finally {
    display?.close();
    node?.close();
    dds?.close();
    await new Promise((resolve) => log.flush(resolve));
    if (node !== undefined) tellSummary(config, statistics.summary());
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

function joinSides(dds: DdsContext, config: RunConfig) {
  const { networkInterface, initialPeers } = config;
  return {
    lab: dds.join({ domainId: config.ddsDomain, networkInterface, initialPeers }),
    controllers: dds.join({ domainId: config.domainNumber, networkInterface, initialPeers: [] }),
  };
}

/** The first SIGINT or SIGTERM stops the run, a second one ends the process. */
function watchSignals(stop: () => void) {
  const onSignal = (signal: EndSignal) => {
    if (watch.received !== undefined) process.exit(signalExitCodes[signal]);
    watch.received = signal;
    stop();
  };
  const watch = {
    received: undefined as EndSignal | undefined,
    unwatch() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return watch;
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
