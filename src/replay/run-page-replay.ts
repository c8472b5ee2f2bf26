import { nsPerUs } from '../core/index.js';
import { FoxgloveServer, LiveView, metricsText, PageServer } from '../observe/index.js';
import { readTap } from '../record/index.js';
import { PlaybackClock } from './playback-clock.js';

export interface PageReplayOptions {
  readonly file: string;
  /** Port of the page; 0: any free port. */
  readonly port: number;
  /** Ends the replay. */
  readonly stopped: AbortSignal;
  readonly onListening: (page: {
    readonly address: string;
    readonly controlAddress: string;
  }) => void;
}

const usPerMs = 1000;

/**
 * Shows a recording on the page of the observer, and to Foxglove clients, until it is stopped. After a
 * jump the recording is read again from its begin.
 * @throws HlcError `HLC_RECORDING_READ`, `HLC_OBSERVE_LISTEN`, `HLC_OBSERVE_PAGE`.
 */
export async function runPageReplay(options: PageReplayOptions): Promise<void> {
  const { file, port, stopped, onListening } = options;
  const clock = await clockOf(file);
  const view = new LiveView();
  const foxglove = new FoxgloveServer(view);
  const onControl = (request: string) => {
    const isDone = clock.control(request);
    view.played(clock.state);
    const message = 'send pause, resume, seek with t, or speed with speed from 0.1 to 100';
    return Promise.resolve({ isDone, text: JSON.stringify(isDone ? {} : { message }) });
  };
  // Those of no middleware: who reads metrics would take the recorded run for one of now.
  const nothing = new LiveView();
  const metrics = () => metricsText(nothing);
  const finding = () => Promise.resolve(undefined);
  const settings = { view, foxglove, foxgloveOrigins: [], onControl, finding, metrics };
  const server = await PageServer.listen({ port, ...settings }).catch((error: unknown) => {
    foxglove.close();
    throw error;
  });
  try {
    onListening(server);
    view.played(clock.state);
    while (!stopped.aborted) {
      const { seeks } = clock;
      await show(file, clock, [view, foxglove], stopped);
      // The end of the recording stays until a jump.
      await clock.until(Infinity, seeks, stopped);
    }
  } finally {
    await server.close();
  }
}

/** Shows the recording from its begin: what lies in the past at once, the rest in its time. */
async function show(
  file: string,
  clock: PlaybackClock,
  [view, foxglove]: readonly [LiveView, FoxgloveServer],
  stopped: AbortSignal,
): Promise<void> {
  const { seeks } = clock;
  const isOver = () => clock.seeks !== seeks || stopped.aborted;
  let isPast = true;
  for await (const item of readTap(file)) {
    if (item.kind !== 'record') continue;
    if (isOver()) return;
    const t = msOf(item.logTimeNs);
    if (t > clock.position) {
      if (isPast) view.reload();
      isPast = false;
      await clock.until(t, seeks, stopped);
      if (isOver()) return;
    }
    const { record } = item;
    if (record.type === 'hello') view.connected(record.content);
    view.record(record);
    if (!isPast) foxglove.record(record);
  }
  if (isPast) view.reload();
}

async function clockOf(file: string): Promise<PlaybackClock> {
  let from: number | undefined;
  let to = 0;
  for await (const item of readTap(file)) {
    if (item.kind !== 'record') continue;
    to = msOf(item.logTimeNs);
    from ??= to;
  }
  return new PlaybackClock(from ?? to, to);
}

function msOf(ns: bigint): number {
  return Number(ns / nsPerUs) / usPerMs;
}
