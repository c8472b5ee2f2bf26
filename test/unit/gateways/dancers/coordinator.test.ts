import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import {
  Coordinator,
  noPayloads,
  type Payloads,
} from '../../../../src/gateways/dancers/coordinator.js';
import { steppedSide } from '../../../../src/gateways/dancers/lab/stepped-side.js';
import { Pace } from '../../../../src/gateways/dancers/pace.js';
import { encodeUpdate } from '../../../../src/gateways/dancers/protocol/update.js';
import { emptyAnswer, Side, type Answer } from '../../../../src/gateways/dancers/side.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** A side that answers its received payload, its name and the number of the step. */
class EchoSide {
  readonly received: string[] = [];

  constructor(
    private readonly name: string,
    private readonly answerOf: (step: number) => Answer | undefined = () => undefined,
  ) {}

  async step(payload: Uint8Array): Promise<Answer> {
    this.received.push(text(payload));
    const step = this.received.length - 1;
    await Promise.resolve();
    return this.answerOf(step) ?? Buffer.from(`${this.name}${step}`);
  }
}

const address = { kind: 'uds', path: '' } as const;
const config = {
  windowUs: 100,
  physics: { stepUs: 25, address },
  network: { stepUs: 50, address },
};

async function windows(coordinator: Coordinator, count: number): Promise<Payloads> {
  let payloads = noPayloads;
  for (let i = 0; i < count; i++) {
    payloads = await coordinator.window({ physics: payloads.network, network: payloads.physics });
  }
  return payloads;
}

describe('a window', () => {
  it('has all steps of both sides, and hands over the last payload of each after it', async () => {
    const sides = { physics: new EchoSide('p'), network: new EchoSide('n') };
    const times: number[] = [];
    const coordinator = new Coordinator(config, sides, (timeUs) => times.push(timeUs));
    const last = await windows(coordinator, 2);
    expect(sides.physics.received).toEqual(['', '', '', '', 'n1', '', '', '']);
    expect(sides.network.received).toEqual(['', '', 'p3', '']);
    expect([text(last.physics), text(last.network)]).toEqual(['p7', 'n3']);
    expect(times).toEqual([25, 50, 75, 100, 125, 150, 175, 200]);
  });

  it('has the time of the network side when its step is smaller', async () => {
    const sides = { physics: new EchoSide('p'), network: new EchoSide('n') };
    const times: number[] = [];
    const swapped = { ...config, physics: config.network, network: config.physics };
    await windows(new Coordinator(swapped, sides, (timeUs) => times.push(timeUs)), 1);
    expect(times).toEqual([25, 50, 75, 100]);
  });

  it('counts no time for an empty answer, and keeps the payload before it', async () => {
    const physics = new EchoSide('p', (step) => (step === 3 ? emptyAnswer : undefined));
    const sides = { physics, network: new EchoSide('n') };
    const coordinator = new Coordinator(config, sides, () => undefined);
    expect(text((await windows(coordinator, 1)).physics)).toBe('p2');
    expect(coordinator.timeUs).toBe(75);
  });

  it('has all steps in a lab: after an empty answer a step is repeated with its payload', async () => {
    const physics = new EchoSide('p', (step) => (step < 2 ? emptyAnswer : undefined));
    const sides = { physics: steppedSide(physics), network: new EchoSide('n') };
    const coordinator = new Coordinator(config, sides, () => undefined);
    expect(text(await coordinator.steps('physics', Buffer.from('v')))).toBe('p5');
    expect(physics.received).toEqual(['v', 'v', 'v', '', '', '']);
    expect(coordinator.timeUs).toBe(100);
  });
});

describe('the pace', () => {
  it('keeps the average, and catches up no window that was late', async () => {
    let nowMs = 0;
    const pace = new Pace(10, () => nowMs);
    nowMs = 35;
    // Late by 25 ms: the window may end in 9 ms to 10 ms from now.
    const startedMs = performance.now();
    await pace.window();
    expect(performance.now() - startedMs).toBeGreaterThan(8);
  });

  it('waits for nothing without a limit', async () => {
    await new Pace(0, () => 0).window();
  });
});

describe('a side', () => {
  const options = {
    name: 'physics',
    connectTimeoutMs: 10_000,
    answerTimeoutMs: 10_000,
    log: () => undefined,
  } as const;

  async function open(log: (text: string) => void = options.log): Promise<[Side, Socket, string]> {
    const file = path.join(temporaryFolder(), 'phy.uds');
    const side = await Side.listen({ ...options, log, address: { kind: 'uds', path: file } });
    onTestFinished(() => side.close());
    const socket = connect(file);
    onTestFinished(() => void socket.destroy());
    await side.connected;
    return [side, socket, file];
  }

  it('answers each BEGIN, in frames that are cut anywhere', async () => {
    const [side, socket] = await open();
    const frame = encodeUpdate({ type: 'end', payload: Buffer.from('pose') });
    socket.on('data', () => {
      for (const byte of frame) socket.write(Buffer.of(byte));
    });
    for (let i = 0; i < 3; i++) expect(text((await side.step(Buffer.of())) as Buffer)).toBe('pose');
  });

  it('that broke a rule stays failed', async () => {
    const [side, socket] = await open();
    socket.write(encodeUpdate({ type: 'end', payload: Buffer.of() }));
    await expect(side.failed).rejects.toThrow('it sent a message without a BEGIN before it');
    await expect(side.step(Buffer.of())).rejects.toThrow('without a BEGIN');
  });

  it('ends a step in a lab after 1,000 empty answers', async () => {
    const logged: string[] = [];
    const [side, socket] = await open((line) => logged.push(line));
    socket.on('data', () => socket.write(Buffer.alloc(4)));
    await expect(steppedSide(side).step(Buffer.of())).rejects.toThrow(
      '1000 answers in succession are empty',
    );
    expect(logged[0]).toBe(
      'the physics side answered nothing; its step is skipped and counts no time',
    );
  });

  it('refuses further connections, with at most a line per second', async () => {
    const logged: string[] = [];
    const [, , file] = await open((line) => logged.push(line));
    const startedMs = performance.now();
    for (let i = 0; i < 20; i++) await once(connect(file).resume(), 'close');
    const seconds = (performance.now() - startedMs) / 1000;
    expect(logged[0]).toBe('a second physics side is refused; the first one goes on');
    expect(logged.length).toBeLessThanOrEqual(1 + seconds);
  });

  it('closes in bounded time when its peer reads nothing', async () => {
    const [side, socket] = await open();
    socket.pause();
    const startedMs = performance.now();
    await side.close();
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });
});
