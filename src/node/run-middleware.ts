import { writeFileSync } from 'node:fs';
import type { RunConfig } from '../config/index.js';
import type { EndReason } from '../core/index.js';
import { ExitCode, HlcError } from '../core/errors/index.js';
import { DdsContext } from '../dds/index.js';
import { chooseProfile, loadQosFile, loadShippedQos } from '../dds/qos/index.js';
import { LiveTable } from './live-table.js';
import { createLogger, type Logger } from './logger.js';
import { RealTimeNode } from './real-time-node.js';
import { RunStatistics, type RunSummary } from './run-statistics.js';
import { summaryText } from './summary-text.js';

/** What the caller can watch. */
export interface RunHooks {
  /** Called once the node listens on both sides. */
  readonly onListening?: (log: Logger) => void;
}

const exitCodes: Record<EndReason, number> = {
  stopTrigger: ExitCode.ok,
  stopped: ExitCode.ok,
  periodsDone: ExitCode.ok,
  untilReached: ExitCode.ok,
  replyTimeout: ExitCode.lockStepHalt,
};

const signalExitCodes = { SIGINT: ExitCode.sigint, SIGTERM: ExitCode.sigterm } as const;

/**
 * Runs one middleware to its end: until its periods are done, the lab stops it, or SIGINT or
 * SIGTERM comes (a second one ends the process at once).
 * @returns the exit code of the process.
 * @throws HlcError when it cannot start, or when the summary cannot be written.
 */
export async function runMiddleware(config: RunConfig, hooks: RunHooks = {}): Promise<number> {
  const statistics = new RunStatistics(config.vehicleIds);
  const showTable =
    config.table === 'on' ||
    (config.table === 'auto' && process.stdout.isTTY && process.stderr.isTTY);
  let table: LiveTable | undefined;
  const log = createLogger(config, showTable ? (line) => table?.persist(line) : undefined);
  const libraries = config.qosFile === undefined ? loadShippedQos() : loadQosFile(config.qosFile);
  const dds = DdsContext.open({
    onFault: (fault) => log.error({ err: fault }, 'a fault in this program; the run goes on'),
    onLibraryLog: (text) => log.warn({ source: 'Cyclone DDS' }, text),
  });
  try {
    const network = {
      networkInterface: config.networkInterface,
      initialPeers: config.initialPeers,
    };
    const lab = dds.join({ ...network, domainId: config.ddsDomain });
    const controllers = dds.join({ ...network, initialPeers: [], domainId: config.domainNumber });
    const code = await new Promise<number>((resolve) => {
      let signalled: keyof typeof signalExitCodes | undefined;
      const node = new RealTimeNode({
        config,
        lab: { transport: lab, profile: chooseProfile(libraries, 'Lab') },
        controllers: { transport: controllers, profile: chooseProfile(libraries, 'Controller') },
        clocks: dds.clocks,
        pacer: dds.pacer,
        statistics,
        log,
        onEnded: (reason) => {
          process.off('SIGINT', onSignal);
          process.off('SIGTERM', onSignal);
          table?.close();
          node.close();
          resolve(signalled === undefined ? exitCodes[reason] : signalExitCodes[signalled]);
        },
      });
      const onSignal = (signal: keyof typeof signalExitCodes) => {
        if (signalled !== undefined) process.exit(signalExitCodes[signal]);
        signalled = signal;
        node.stop();
      };
      process.on('SIGINT', onSignal);
      process.on('SIGTERM', onSignal);
      if (showTable) table = new LiveTable(() => node.view());
      log.info(
        {
          vehicle_ids: config.vehicleIds,
          period_ms: Number(config.periodNs) / 1e6,
          lab_domain: config.ddsDomain,
          controller_domain: config.domainNumber,
          interface: config.networkInterface,
          cyclone: dds.cycloneVersion,
        },
        `waiting for controllers ${config.vehicleIds.join(', ')}`,
      );
      hooks.onListening?.(log);
    });
    finish(config, statistics.summary());
    return code;
  } finally {
    dds.close();
    log.flush();
  }
}

/** Tells how the run was, on standard output and in the file that the user named. */
function finish(config: RunConfig, summary: RunSummary): void {
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
