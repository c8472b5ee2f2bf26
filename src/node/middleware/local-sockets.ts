import { readFileSync } from 'node:fs';
import type { RunConfig } from '../../config/index.js';
import { HlcError, isHlcError } from '../../errors/index.js';
import { projectFolder, type DdsContext } from '../../dds/index.js';
import {
  startControlServer,
  type ControlRequest,
  type ControlServer,
  type ControlStatus,
  type SessionRequest,
} from '../../remote/index.js';
import { tapPathOf, type TapSummary } from '../../tap/index.js';
import type { NodeLog } from '../logger.js';
import type { RunSummary } from '../observers/run-summary.js';
import { Tap } from '../tap/tap.js';
import { readClocks } from './read-clocks.js';
import type { RemoteAgents } from './remote-agents.js';

/** The usual configuration has 3000 characters; a frame of the tap has at most 4 MiB. */
const longestConfig = 262_144;

/** Simulated time waits for a recorder that does not read this long at most, ms. */
const longestWaitMs = 5000;

export interface LocalSocketsOptions {
  readonly config: RunConfig;
  readonly dds: DdsContext;
  readonly nodeLog: NodeLog;
  readonly remoteAgents: () => RemoteAgents;
  /** Carries out a request for the session. @throws HlcError why it refuses. */
  readonly control: (request: SessionRequest) => ControlStatus;
  /** The figures of all sessions; undefined when there was none. */
  readonly summary: () => RunSummary | undefined;
  /** A client of the control socket requested the end of the run. */
  readonly onStop: () => void;
  readonly onTapFault: (fault: unknown) => void;
}

/**
 * The two sockets of a middleware for other processes of this machine: the tap shows a session, the control
 * socket takes requests. A middleware without a control socket has neither.
 */
export class LocalSockets {
  /** Undefined without a control socket. */
  readonly tap: Tap | undefined;
  readonly #options: LocalSocketsOptions;

  constructor(options: LocalSocketsOptions) {
    this.#options = options;
    this.tap = this.#createTap();
  }

  /**
   * A tap that cannot be opened is a warning.
   * @throws HlcError `HLC_CONTROL_BUSY`.
   */
  async openTap(): Promise<void> {
    try {
      await this.tap?.listen();
    } catch (error) {
      if (!isHlcError(error)) throw error;
      const { controlSocket } = this.#options.config.output;
      if (isBusy(error) && controlSocket !== null) {
        throw new HlcError('HLC_CONTROL_BUSY', { path: controlSocket.path }, { cause: error });
      }
      const { code, message } = new HlcError('HLC_TAP_SOCKET', { cause: error.message });
      this.#options.nodeLog.log.warn({ code }, message);
    }
  }

  /**
   * A default socket that cannot be opened is a warning; one that the user named, or that is busy, is an error.
   * @returns undefined when there is none.
   * @throws HlcError `HLC_CONTROL_BUSY`, `HLC_CONTROL_SOCKET`.
   */
  async openControlSocket(): Promise<ControlServer | undefined> {
    const { config, control, nodeLog, remoteAgents } = this.#options;
    const { controlSocket } = config.output;
    if (controlSocket === null) return undefined;
    try {
      return await startControlServer({
        path: controlSocket.path,
        onRequest: (request) => ({
          ok: true,
          status: {
            ...control(this.#sessionRequest(request)),
            remote_agents: [...remoteAgents().all],
          },
        }),
      });
    } catch (error) {
      const isFatal = controlSocket.isRequired || isBusy(error);
      if (isFatal || !isHlcError(error)) throw error;
      nodeLog.log.warn({ code: error.code }, error.message);
      return undefined;
    }
  }

  #createTap(): Tap | undefined {
    const { config, dds, nodeLog, remoteAgents, onTapFault } = this.#options;
    const { nodeId, compat, sides, session, output } = config;
    const { controlSocket } = output;
    if (controlSocket === null) return undefined;
    const about = { program: programVersion(), config: configText(config) };
    const tap = new Tap({
      path: tapPathOf(controlSocket.path),
      hello: () => ({
        ...about,
        nodeId,
        compat,
        timeMode: session.time.mode,
        domains: { lab: sides.lab.domainId, controllers: sides.controller.domainId },
        controlSocket: controlSocket.path,
        cyclone: dds.cycloneVersion,
        node: process.version,
        clock: readClocks(dds.clocks),
      }),
      summary: () => this.#tapSummary(),
      remoteAgents: () => remoteAgents().all,
      waitMs: session.time.mode === 'simulated' ? longestWaitMs : 0,
      onSlowReader: () =>
        nodeLog.log.warn(
          { waited_ms: longestWaitMs },
          'a recorder does not read: simulated time no longer waits for it, and it loses records; give it more processor time or a faster disk',
        ),
      onFault: onTapFault,
    });
    nodeLog.listen(tap.logged, 'info');
    return tap;
  }

  #tapSummary(): TapSummary {
    const { control, summary } = this.#options;
    const { phase, time_ns, period_ns, controllers } = control({ command: 'status' });
    return { phase, timeNs: time_ns, periodNs: period_ns, controllers, summary: summary() ?? null };
  }

  /** Does what is not for the session: a bookmark goes to the log, and so to the readers of the tap. */
  #sessionRequest(request: ControlRequest): SessionRequest {
    const { nodeLog, onStop } = this.#options;
    if (request.command === 'stop') {
      nodeLog.log.info('the run ends: a stop was requested at the control socket');
      onStop();
      return { command: 'status' };
    }
    if (request.command !== 'mark') return request;
    const { text } = request;
    nodeLog.log.info({ mark: text }, `mark: ${text}`);
    return { command: 'status' };
  }
}

/** Of the package of this program. */
function programVersion(): string {
  const text = readFileSync(new URL('package.json', projectFolder), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Arguments without a meaning here, which may be secrets of another program, and the flags as parameters of a ROS 2
 * node, which say the rest once more.
 */
const leftOut: ReadonlySet<string> = new Set(['ignoredArguments', 'parameters']);

/**
 * The effective values as JSON; integers of 64 bits and infinity are strings. Empty when a frame of the tap would get
 * too long.
 */
function configText(config: RunConfig): string {
  const { missPolicy, missLimit, graceNs, holdPeriods } = config.safety;
  const asWritten = {
    missPolicy: String(missPolicy),
    missLimit: String(missLimit),
    graceNs: String(graceNs),
    holdPeriods: String(holdPeriods),
  };
  const all = { ...config, safety: { ...config.safety, ...asWritten } };
  const text = JSON.stringify(all, (name, each: unknown) => {
    if (leftOut.has(name)) return undefined;
    return typeof each === 'bigint' || each === Infinity ? String(each) : each;
  });
  return text.length > longestConfig ? '' : text;
}

/** Another middleware has the node id of this one: their commands, latches and sign-ins would mix. */
function isBusy(error: unknown): boolean {
  return isHlcError(error) && error.code === 'HLC_CONTROL_BUSY';
}
