import type { ClockReading } from '../../src/core/index.js';
import type { SessionObserver } from '../../src/node/observers/session-observer.js';
import {
  FrameSplitter,
  FrameWriter,
  keptPriority,
  plainSettings,
  RecordReader,
  type SessionSettings,
  type TapRecord,
} from '../../src/tap/index.js';
import { commandsOfAllKinds, directCommand } from './commands.js';
import type { TappedNode } from './tapped-node.js';

/** Writes all that it sees as frames. */
export class FrameRecorder implements SessionObserver {
  readonly name = 'recorder';
  readonly wantsSamples = true;
  readonly #frames = new FrameWriter();
  #number = 0n;

  begun(settings: SessionSettings, now: ClockReading): void {
    const content = { settings: plainSettings(settings), now, nextEvent: 0n };
    this.#frames.plain('session', content, keptPriority);
  }

  handled(...[event, effects, at]: Parameters<NonNullable<SessionObserver['handled']>>): void {
    this.#frames.step(this.#number++, at, event, effects);
  }

  /** What was written since the last call. */
  frames(): Buffer[] {
    return new FrameSplitter().push(this.#frames.take());
  }

  records(): TapRecord[] {
    const reader = new RecordReader();
    return this.frames().map((frame) => reader.read(frame));
  }
}

/** A run with states, replies, refusals, misses, a stop and a resume. */
export async function eventfulRun(node: TappedNode, simulated: boolean): Promise<void> {
  await node.pass(0n);
  await node.state(1);
  await node.ready();
  // In real time a session only listens at first.
  for (let tick = 0; tick < 12 && !simulated; tick++) await node.pass(25_000_000n);
  for (let period = 0; period < 8; period++) {
    await node.pass(20_000_000n);
    await node.state(period);
    const createNs = simulated ? BigInt(period) * 50_000_000n + 1n : node.nowNs;
    const commands = simulated ? [directCommand(1, createNs)] : commandsOfAllKinds(1, createNs);
    for (const command of commands) await node.command(command);
    await node.command(directCommand(1, createNs + 10n, { motor_throttle: Number.NaN }));
    await node.command(directCommand(9, createNs));
    await node.pass(30_000_000n);
  }
  for (let period = 0; period < 60; period++) await node.pass(25_000_000n);
  if (simulated) node.node.control({ command: 'step', count: 2 });
  await node.ready();
  node.node.control({ command: 'resume' });
  await node.pass(1n);
}
