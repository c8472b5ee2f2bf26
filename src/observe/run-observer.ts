import { setTimeout as wait } from 'node:timers/promises';
import { HlcError, isHlcError } from '../errors/index.js';
import { decodeRequest, encodeLine, sendControlRequest } from '../remote/index.js';
import { TapFormatError, tapPathOf } from '../tap/index.js';
import { readFinding } from './finding-file.js';
import { FoxgloveServer } from './foxglove/foxglove-server.js';
import { LiveView } from './live/live-view.js';
import { metricsText } from './metrics/metrics-text.js';
import { PageServer, type ControlAnswer } from './server/page-server.js';
import { connectTap, type TapConnection } from './tap/connect-tap.js';

export interface ObserverOptions {
  /** Of the middleware to observe. */
  readonly controlSocket: string;
  /** Port of the page; 0: any free port. */
  readonly port: number;
  /** True: take any free port when this one is taken. */
  readonly mayMove: boolean;
  /** Outline of the track: x and y alternate, metres; empty when there is none. */
  readonly track: readonly number[];
  /** Origins of other pages that may read the Foxglove server. */
  readonly foxgloveOrigins: readonly string[];
  /** Ends the observer. */
  readonly stopped: AbortSignal;
  readonly onListening: (page: {
    readonly address: string;
    readonly controlAddress: string;
  }) => void;
  /** Called when the tap cannot be read; the observer goes on with the next middleware there. */
  readonly onProblem: (error: HlcError) => void;
}

/** A middleware that is not there is looked for this often, ms. */
const lookMs = 200;

/** One whose tap this program cannot read stays so until another one is started, ms. */
const unreadableMs = 5000;
const unreadableCodes: ReadonlySet<string> = new Set(['HLC_TAP_VERSION', 'HLC_TAP_FORMAT']);

/** No problems of the tap: there is no middleware. */
const absentCodes: ReadonlySet<string> = new Set(['HLC_TAP_NOBODY', 'HLC_TAP_LOST']);

/**
 * Serves the page of a middleware, and of the next one at the same control socket, until it is stopped.
 * @throws HlcError `HLC_OBSERVE_LISTEN`, `HLC_OBSERVE_PAGE`.
 */
export async function runObserver(options: ObserverOptions): Promise<void> {
  const { controlSocket, stopped, onListening, onProblem } = options;
  const view = new LiveView(options.track);
  const foxglove = new FoxgloveServer(view);
  const server = await listen(options, view, foxglove).catch((error: unknown) => {
    foxglove.close();
    throw error;
  });
  onListening(server);
  let problem = '';
  try {
    while (!stopped.aborted) {
      try {
        await follow(await connectTap(tapPathOf(controlSocket)), [view, foxglove], stopped);
        problem = '';
      } catch (error) {
        const known = knownError(error, tapPathOf(controlSocket));
        view.disconnected('gone');
        view.failed(absentCodes.has(known.code) ? null : `${known.message} [${known.code}]`);
        const isNew = known.code !== problem && known.code !== 'HLC_TAP_NOBODY';
        if (isNew) onProblem(known);
        problem = known.code;
      }
      const pauseMs = unreadableCodes.has(problem) ? unreadableMs : lookMs;
      await wait(pauseMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  } finally {
    await server.close();
  }
}

async function listen(
  options: ObserverOptions,
  view: LiveView,
  foxglove: FoxgloveServer,
): Promise<PageServer> {
  const { port, mayMove, controlSocket, foxgloveOrigins } = options;
  const metrics = () => metricsText(view);
  const onControl = (request: string) => controlMiddleware(controlSocket, request);
  const finding = (id: number) => readFinding(controlSocket, id);
  const settings = { view, onControl, finding, metrics, foxglove, foxgloveOrigins };
  return PageServer.listen({ ...settings, port }).catch((error: unknown) => {
    if (!mayMove || !(error instanceof HlcError) || error.code !== 'HLC_OBSERVE_LISTEN')
      throw error;
    return PageServer.listen({ ...settings, port: 0 });
  });
}

/** Passes a request on to the control socket of a middleware. @throws HlcError as the socket does. */
export async function controlMiddleware(socket: string, request: string): Promise<ControlAnswer> {
  const reply = await sendControlRequest(socket, decodeRequest(request));
  return { isDone: reply.ok, text: encodeLine(reply) };
}

/** @throws what is no fault of the tap. */
function knownError(error: unknown, path: string): HlcError {
  if (isHlcError(error)) return error;
  // A record is decoded when it is shown.
  if (!(error instanceof TapFormatError)) throw error;
  return new HlcError('HLC_TAP_FORMAT', { path, cause: error.message });
}

/** Shows one middleware to its end. */
async function follow(
  tap: TapConnection,
  [view, foxglove]: readonly [LiveView, FoxgloveServer],
  stopped: AbortSignal,
): Promise<void> {
  const close = () => tap.close();
  stopped.addEventListener('abort', close);
  try {
    view.connected(tap.hello);
    for await (const records of tap.records()) {
      for (const record of records) {
        view.record(record);
        foxglove.record(record);
      }
    }
    // Otherwise this observer ends, and the middleware may go on.
    if (tap.hasEnded) view.disconnected('ended');
  } finally {
    stopped.removeEventListener('abort', close);
    tap.close();
  }
}
