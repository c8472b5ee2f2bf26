import { writeFileSync } from 'node:fs';
import type { RunConfig } from '../../config/index.js';
import { unansweredFindings } from '../../diagnosis/index.js';
import { ExitCode, HlcError, isHlcError } from '../../errors/index.js';
import {
  DdsContext,
  exitNow,
  lockFiles,
  openServiceManager,
  shareCores,
  type Pacer,
} from '../../dds/index.js';
import { loadQosFile, type QosLibraries } from '../../dds/qos/index.js';
import { findingReport } from '../finding-report.js';
import { Closers } from '../closers.js';
import { liveTable, statusLines, type Display } from './display.js';
import { EmergencyExit } from './emergency-exit.js';
import { endCode } from './end-code.js';
import { createLog, type LogTarget, type NodeLog } from '../logger.js';
import { Middleware } from '../middleware/middleware.js';
import type { NodeView } from '../middleware/node-view.js';
import type { SessionProbes } from '../observers/session-observer.js';
import { Output, type LostTexts } from './output.js';
import { RateLimiter } from '../observers/rate-limiter.js';
import type { RunSummary } from '../observers/run-summary.js';
import { watchSignals, type EndSignals } from './signals.js';
import { summaryText } from './summary-text.js';

/** A node that listens on both sides. */
export interface RunningNode extends Pick<NodeLog, 'log' | 'showOnly'> {
  /** Ends it. */
  readonly stop: () => void;
}

/** What the caller can watch. */
export interface RunHooks {
  /** Called once the node listens on both sides. */
  readonly onListening?: (running: RunningNode) => void;
  /** The session waits for this once the tap listens, so that a reader can have all of it. */
  readonly onTapOpen?: () => Promise<void>;
  /** Called when a session begins: from now on vehicles may be commanded. */
  readonly onBegin?: () => void;
  /** Called when a session ends: the controllers stop, and the vehicles are brought to rest. */
  readonly onEnding?: () => void;
  /** Where there is no live table, print a line on standard output every second. */
  readonly statusLines?: boolean;
  /** For tests of faults. */
  readonly probes?: HostProbes;
}

/** Called at the places where a fault may arise, so that a test can throw there. */
export interface HostProbes extends SessionProbes {
  /** Before the display asks for what it shows. */
  view?(): void;
}

/** Warnings of the DDS library that are logged per second. */
const mostLibraryLines = 10;

/** A log or a display that cannot be written delays the end by this time at most, ms. */
const flushMs = 1000;

/**
 * Runs one middleware to its end: until its periods are done, the lab stops it, or SIGHUP, SIGINT
 * or SIGTERM comes (a second one ends the process at once). A fault inside this program sends the
 * emergency stop and ends the process with `ExitCode.fault`.
 * @returns the exit code of the process.
 * @throws HlcError when it cannot start, or when the summary cannot be written.
 */
export async function runMiddleware(config: RunConfig, hooks: RunHooks = {}): Promise<number> {
  const host = new Host(config, hooks);
  try {
    return await host.run();
  } finally {
    await host.close();
  }
}

/** One process: signals, log, display, DDS and exit code around one middleware. */
class Host {
  readonly #closers = new Closers();
  readonly #libraries: QosLibraries;
  readonly #emergency = new EmergencyExit({ exit: exitNow });
  readonly #signals: EndSignals;
  readonly #standardOutput = new Output(1, (lost) => this.#logLost(lost));
  readonly #standardError = new Output(2, (lost) => this.#logLost(lost));
  readonly #nodeLog: NodeLog;
  #dds: DdsContext | undefined;
  #pacer: Pacer | undefined;
  #middleware: Middleware | undefined;
  readonly #repeated = new RateLimiter();
  #libraryLines = 0;
  /** A domain could not be opened: the error has what Cyclone DDS logged about it. */
  #refused = false;

  /** @throws HlcError `HLC_QOS_FILE` and others, when the QoS file cannot be used. */
  constructor(
    private readonly config: RunConfig,
    private readonly hooks: RunHooks,
  ) {
    const { qosFile } = config.sides;
    this.#libraries = loadQosFile(qosFile);
    const { run } = this.#emergency;
    // Something else ends the process, and what follows may take long: the guard is to act then.
    const onExit = () => {
      this.#emergency.sendRepeatedly();
      this.#pacer?.close();
    };
    process.on('uncaughtException', run);
    process.on('unhandledRejection', run);
    process.on('exit', onExit);
    this.#closers.push(() => {
      process.off('uncaughtException', run);
      process.off('unhandledRejection', run);
      process.off('exit', onExit);
    });
    this.#signals = watchSignals(config.interruptExitCode, () => this.#emergency.sendOnce());
    const display = this.#openDisplay();
    this.#nodeLog = createLog(
      config.nodeId,
      config.output.logLevel,
      logTarget(config, this.#standardError, display),
    );
    // Last, since it waits about a second for a reader that hangs: everything is written by then,
    // and signals have their default action again, so that a second one ends the process at once.
    this.#closers.push(() => this.#dds?.close());
    this.#closers.push(() => this.#signals.close());
    // The summary follows on the last line of the log.
    this.#closers.push(() => this.#printSummary());
    this.#closers.push(async () => {
      await this.#standardError.flush(flushMs);
    });
    this.#closers.push(() => display?.close());
  }

  /** @throws HlcError as `runMiddleware`. */
  async run(): Promise<number> {
    try {
      return await this.#run();
    } catch (error) {
      if (!isHlcError(error)) this.#emergency.run(error);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#closers.close();
  }

  async #run(): Promise<number> {
    const { config, hooks } = this;
    const signals = this.#signals;
    const { log } = this.#nodeLog;
    const middleware = await this.#open();
    if (!(await middleware.start())) return signals.exitCode(ExitCode.ok);
    this.#notifyServiceManager();
    hooks.onListening?.({ ...this.#nodeLog, stop: () => middleware.stop() });
    await middleware.over();
    const { lastEnd } = middleware;
    if (lastEnd?.reason === 'stopTrigger' && config.compat === 'cpm-lab') {
      // The control centre takes a middleware that leaves by itself for one that crashed.
      log.info('stopped by the lab; waiting to be ended');
      await Promise.race([signals.received, middleware.stopped()]);
    }
    const code = endCode(lastEnd, config.autostart);
    return code === ExitCode.stillMoving ? code : signals.exitCode(code);
  }

  async #open(): Promise<Middleware> {
    const { config, hooks } = this;
    const { log } = this.#nodeLog;
    const dds = DdsContext.open({
      onFault: this.#emergency.run,
      onLibraryLog: (text) => {
        if (!this.#refused) this.#logLibrary(text);
      },
      onUnanswered: (participant, domainId) => {
        for (const found of unansweredFindings({ domainId, unanswered: [participant] })) {
          const finding = findingReport(found);
          log.warn({ finding }, `${finding.what}; ${finding.advice}`);
        }
      },
    });
    this.#dds = dds;
    const pacer = dds.createPacer();
    this.#pacer = pacer;
    this.#emergency.add(pacer.emergencyStop);
    pacer.watchdog.feed();
    const middleware = await Middleware.open({
      config,
      libraries: this.#libraries,
      dds,
      pacer,
      nodeLog: this.#nodeLog,
      stopped: this.#signals.stopped,
      onFault: this.#emergency.run,
      ...(hooks.probes === undefined ? {} : { probes: hooks.probes }),
      ...(hooks.onBegin === undefined ? {} : { onBegin: hooks.onBegin }),
      ...(hooks.onEnding === undefined ? {} : { onEnding: hooks.onEnding }),
      ...(hooks.onTapOpen === undefined ? {} : { onTapOpen: hooks.onTapOpen }),
    }).catch((error: unknown) => {
      this.#refused = true;
      throw error;
    });
    this.#middleware = middleware;
    this.#closers.push(() => middleware.close());
    // In simulated time nothing is due at a time, and threads that preempt each other cost 8 % of the steps.
    if (config.session.time.mode === 'real') {
      shareCores('controlLoop');
      lockFiles();
    }
    if (config.realtimePriority !== undefined) dds.makeRealtime(config.realtimePriority);
    this.#logWarnings();
    return middleware;
  }

  /** It waits for the start, and may watch this process from then on. */
  #notifyServiceManager(): void {
    const manager = openServiceManager(process.env, (cause) =>
      this.#nodeLog.log.warn({ cause }, `the service manager takes no messages (${cause})`),
    );
    manager.ready();
    this.#signals.stopped.addEventListener('abort', () => manager.stopping());
  }

  /** A peer can cause warnings of the library at any rate: some per second. */
  #logLibrary(text: string): void {
    const place = this.#libraryLines++ % mostLibraryLines;
    const details = { source: 'Cyclone DDS' };
    const nowNs = process.hrtime.bigint();
    this.#repeated.warn(this.#nodeLog.log, `library ${place}`, nowNs, details, text);
  }

  #openDisplay(): Display | undefined {
    const { config, hooks } = this;
    const options = {
      view: (): NodeView | undefined => {
        hooks.probes?.view?.();
        return this.#middleware?.view();
      },
      output: this.#standardOutput,
      onFault: (fault: unknown) => {
        const { log } = this.#nodeLog;
        log.error({ err: fault }, 'a fault in this program ended the display; the run goes on');
      },
    };
    const onTerminal = process.stdout.isTTY && process.stderr.isTTY;
    const { table } = config.output;
    if (table === 'on' || (table === 'auto' && onTerminal)) return liveTable(options);
    return hooks.statusLines === true ? statusLines(options) : undefined;
  }

  #logLost({ count, cause }: LostTexts): void {
    this.#nodeLog.log.warn(
      { lines: count, cause },
      `${count} lines of the log or the display could not be written and are lost (${cause})`,
    );
  }

  #logWarnings(): void {
    const { log } = this.#nodeLog;
    for (const { file, line, element, message } of this.#libraries.warnings) {
      log.warn({ file, line, element }, `${file}:${line}: ${element}: ${message}`);
    }
    for (const argument of this.config.ignoredArguments) {
      log.warn({ argument }, `"${argument}" on the command line means nothing here and is ignored`);
    }
  }

  /**
   * Writes how the run was to standard output and to the file that the user named.
   * @throws HlcError `HLC_SUMMARY_FILE`.
   */
  async #printSummary(): Promise<void> {
    const { summary: file } = this.config.output;
    const lost = this.#standardError.lost + this.#standardOutput.lost;
    const summary = this.#middleware?.summary(lost);
    if (summary !== undefined) this.#standardOutput.write(`${summaryText(summary)}\n`);
    await this.#standardOutput.flush(flushMs);
    if (summary === undefined || file === undefined) return;
    writeSummary(file, summary);
  }
}

/** Readable lines above a live table, or lines on standard error as the user wants them. */
export function logTarget(
  { output: { logFormat } }: Pick<RunConfig, 'output'>,
  standardError: Output,
  display?: Display,
): LogTarget {
  const colour = process.env.NO_COLOR === undefined;
  if (display?.persist !== undefined) return { format: 'pretty', colour, write: display.persist };
  const onTerminal = process.stderr.isTTY;
  const pretty = logFormat === 'pretty' || (logFormat === 'auto' && onTerminal);
  return {
    format: pretty ? 'pretty' : 'json',
    colour: colour && onTerminal,
    write: (line) => standardError.write(line),
  };
}

/** @throws HlcError `HLC_SUMMARY_FILE`. */
function writeSummary(file: string, summary: RunSummary): void {
  try {
    writeFileSync(file, `${JSON.stringify(summary, null, 2)}\n`);
  } catch (cause) {
    throw new HlcError('HLC_SUMMARY_FILE', { file, cause: (cause as Error).message }, { cause });
  }
}
