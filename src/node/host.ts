import { writeFileSync } from 'node:fs';
import type { RunConfig } from '../config/index.js';
import { ExitCode, HlcError } from '../core/errors/index.js';
import { DdsContext } from '../dds/index.js';
import { loadQosFile, loadShippedQos, type QosLibraries } from '../dds/qos/index.js';
import { Closers } from './closers.js';
import { liveTable, statusLines, type Display } from './display.js';
import { endCode } from './end-code.js';
import { createLog, type Logger, type NodeLog } from './logger.js';
import { Middleware } from './middleware.js';
import type { NodeView } from './node-view.js';
import type { RunSummary } from './run-statistics.js';
import { watchSignals, type EndSignals } from './signals.js';
import { summaryText } from './summary-text.js';

/** What the caller can watch. */
export interface RunHooks {
  /** Called once the node listens on both sides, with its log and a way to end it. */
  readonly onListening?: (running: { readonly log: Logger; readonly stop: () => void }) => void;
  /** Called when a session ends: the controllers stop, and the vehicles are brought to rest. */
  readonly onEnding?: () => void;
  /** Where there is no live table, print a line on standard output every second. */
  readonly statusLines?: boolean;
}

/**
 * Runs one middleware to its end: until its periods are done, the lab stops it, or SIGHUP, SIGINT
 * or SIGTERM comes (a second one ends the process at once).
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
  readonly #signals: EndSignals;
  readonly #nodeLog: NodeLog;
  #dds: DdsContext | undefined;
  #middleware: Middleware | undefined;
  /** A domain could not be opened: the error has what Cyclone DDS logged about it. */
  #refused = false;

  /** @throws HlcError `HLC_QOS_FILE` and others, when the QoS file cannot be used. */
  constructor(
    private readonly config: RunConfig,
    private readonly hooks: RunHooks,
  ) {
    this.#libraries = config.qosFile === undefined ? loadShippedQos() : loadQosFile(config.qosFile);
    this.#signals = watchSignals();
    const display = openDisplay(config, hooks, () => this.#middleware?.view());
    this.#nodeLog = createLog(config, display?.persist);
    const { log } = this.#nodeLog;
    // Last, since it waits about a second for a reader that hangs: everything is written by then,
    // and signals have their default action again, so that a second one ends the process at once.
    this.#closers.push(() => this.#dds?.close());
    this.#closers.push(() => this.#signals.close());
    // The summary follows on the last line of the log.
    this.#closers.push(() => this.#printSummary());
    this.#closers.push(() => new Promise((resolve) => log.flush(() => resolve())));
    this.#closers.push(() => display?.close());
  }

  /** @throws HlcError as `runMiddleware`. */
  async run(): Promise<number> {
    const { config, hooks } = this;
    const signals = this.#signals;
    const { log } = this.#nodeLog;
    const middleware = await this.#open();
    if (!(await middleware.start())) return signals.exitCode(ExitCode.ok);
    hooks.onListening?.({ log, stop: () => middleware.stop() });
    await middleware.over();
    const { lastEnd } = middleware;
    if (lastEnd?.reason === 'stopTrigger' && config.compat === 'cpm-lab') {
      // The control centre takes a middleware that leaves by itself for one that crashed.
      log.info('stopped by the lab; waiting to be ended');
      await signals.received;
    }
    const code = endCode(lastEnd, config.autostart);
    return code === ExitCode.stillMoving ? code : signals.exitCode(code);
  }

  close(): Promise<void> {
    return this.#closers.close();
  }

  async #open(): Promise<Middleware> {
    const { config } = this;
    const { log } = this.#nodeLog;
    const dds = DdsContext.open({
      onFault: (fault) => log.error({ err: fault }, 'a fault in this program; the run goes on'),
      onLibraryLog: (text) => {
        if (!this.#refused) log.warn({ source: 'Cyclone DDS' }, text);
      },
    });
    this.#dds = dds;
    const middleware = await Middleware.open({
      config,
      libraries: this.#libraries,
      dds,
      pacer: dds.createPacer(),
      nodeLog: this.#nodeLog,
      stopped: this.#signals.stopped,
      ...(this.hooks.onEnding === undefined ? {} : { onEnding: this.hooks.onEnding }),
    }).catch((error: unknown) => {
      this.#refused = true;
      throw error;
    });
    this.#middleware = middleware;
    this.#closers.push(() => middleware.close());
    if (config.realtimePriority !== undefined) dds.makeRealtime(config.realtimePriority);
    this.#logWarnings();
    return middleware;
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
  #printSummary(): void {
    const summary = this.#middleware?.summary();
    if (summary === undefined) return;
    process.stdout.write(`${summaryText(summary)}\n`);
    if (this.config.summary !== undefined) writeSummary(this.config.summary, summary);
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

/** @throws HlcError `HLC_SUMMARY_FILE`. */
function writeSummary(file: string, summary: RunSummary): void {
  try {
    writeFileSync(file, `${JSON.stringify(summary, null, 2)}\n`);
  } catch (cause) {
    throw new HlcError('HLC_SUMMARY_FILE', { file, cause: (cause as Error).message }, { cause });
  }
}
