import { beforeEach, describe, expect, it } from 'vitest';

import type { Step } from '../../../../src/controller/index.js';
import { FrameSender } from '../../../../src/gateways/carla/frame-sender.js';
import { noSensors } from '../../../../src/gateways/carla/sensors/sensor-suite.js';
import { FrameDecoder } from '../../../../src/gateways/frame-decoder.js';
import { measurementsOf, stepAt, vehicleSize } from './steps.js';

/** Sensors whose images are ready when the test says so. */
class SlowSensors {
  readonly isEmpty = false;
  readonly captured: number[] = [];
  isClosed = false;
  #ready: ((frames: readonly Uint8Array[]) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  capture(frameNumber: number): Promise<readonly Uint8Array[]> {
    this.captured.push(frameNumber);
    return new Promise((resolve, reject) => {
      this.#ready = resolve;
      this.#failed = reject;
    });
  }

  async show(...frames: readonly Uint8Array[]): Promise<void> {
    this.#ready?.(frames);
    await settled();
  }

  async fail(error: Error): Promise<void> {
    this.#failed?.(error);
    await settled();
  }

  close(): void {
    this.isClosed = true;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
/** The frame of an image of two bytes. */
const image = Uint8Array.of(2, 0, 0, 0, 7, 8);

let nowMs = 0;
/** False: the client does not read. */
let isRead = true;
let written: Uint8Array[] = [];
let errors: unknown[] = [];

beforeEach(() => {
  nowMs = 0;
  isRead = true;
  written = [];
  errors = [];
});

function newSender(sensors: SlowSensors | typeof noSensors = noSensors): FrameSender {
  return new FrameSender(
    {
      write: (bytes) => {
        written.push(bytes);
        return isRead;
      },
    },
    {
      vehicleId: 1,
      size: vehicleSize,
      sendsAgents: false,
      sensors,
      nowMs: () => nowMs,
      onError: (error) => errors.push(error),
    },
  );
}

/** Takes what was written so far: of measurements the frame number and the game time, of others the bytes. */
function taken(): unknown[] {
  const frames = [...new FrameDecoder(1024).push(Buffer.concat(written.splice(0)))];
  return frames.map((content) => {
    if (content.length <= 2) return [...content];
    const { frameNumber, gameTimestamp } = measurementsOf(content);
    return `frame ${frameNumber} at ${gameTimestamp}`;
  });
}

const steps: readonly Step[] = [0, 50, 100, 150].map(stepAt);
function sendAll(sender: FrameSender, from: number): void {
  for (const step of steps.slice(from)) sender.send(step);
}

describe('a client that does not read', () => {
  it('gets the newest frame when it reads again', () => {
    const sender = newSender();
    isRead = false;
    sendAll(sender, 0);
    expect(taken()).toEqual(['frame 1 at 0', []]);
    isRead = true;
    sender.drained();
    expect(taken()).toEqual(['frame 2 at 150', []]);
    sender.drained();
    expect(taken()).toEqual([]);
  });

  it('is blocked from the first frame that it has not read', () => {
    const sender = newSender();
    isRead = false;
    sendAll(sender, 0);
    nowMs = 700;
    expect(sender.blockedMs).toBe(700);
    isRead = true;
    sender.drained();
    expect(sender.blockedMs).toBe(0);
  });
});

describe('an image', () => {
  it('comes after the measurements of its frame, which do not wait for it', async () => {
    const sensors = new SlowSensors();
    const sender = newSender(sensors);
    sendAll(sender, 3);
    expect(taken()).toEqual(['frame 1 at 0']);
    await sensors.show(image, image);
    expect(taken()).toEqual([[7, 8], [7, 8], []]);
  });

  it('delays the next measurements by its own time only: the newest step follows it at once', async () => {
    const sensors = new SlowSensors();
    const sender = newSender(sensors);
    sendAll(sender, 0);
    expect(sensors.captured).toEqual([1]);
    expect(taken()).toEqual(['frame 1 at 0']);
    await sensors.show(image);
    expect(taken()).toEqual([[7, 8], [], 'frame 2 at 150']);
    expect(sensors.captured).toEqual([1, 2]);
    await sensors.show(image);
    expect(taken()).toEqual([[7, 8], []]);
  });

  it('that the client has not read delays the next measurements until it has', async () => {
    const sensors = new SlowSensors();
    const sender = newSender(sensors);
    sender.send(stepAt(0));
    isRead = false;
    await sensors.show(image);
    sendAll(sender, 1);
    expect(taken()).toEqual(['frame 1 at 0', [7, 8], []]);
    isRead = true;
    sender.drained();
    expect(taken()).toEqual(['frame 2 at 150']);
  });

  it('is not sent when the episode is over', async () => {
    const sensors = new SlowSensors();
    const sender = newSender(sensors);
    sender.send(stepAt(0));
    taken();
    sender.close();
    await sensors.show(image);
    sender.send(stepAt(50));
    expect(taken()).toEqual([]);
    expect(sensors.isClosed).toBe(true);
  });

  it('that cannot be drawn is reported', async () => {
    const sensors = new SlowSensors();
    newSender(sensors).send(stepAt(0));
    const error = new Error('no memory');
    await sensors.fail(error);
    expect(errors).toEqual([error]);
  });
});
