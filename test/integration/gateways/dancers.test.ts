import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDancersLab, type SeenBySide } from '../../support/dancers-lab.js';
import { startCommand } from '../../support/gateway-program.js';
import { Recorder } from '../../support/recorder.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import type { TestLab } from '../../support/test-lab.js';

const [begin, close] = [0, 2];

/** The times of /clock, ns. */
function clockTimes(lab: TestLab) {
  const times = new Recorder<number>('messages of /clock');
  const matched = new Recorder<number>('writers of /clock');
  const topic = { name: 'rt/clock', typeName: 'rosgraph_msgs::msg::dds_::Clock_' };
  lab.join('lab').createReader(
    topic,
    { reliability: { kind: 'reliable' }, history: { kind: 'keep-all' } },
    {
      onSample: ({ bytes }) => {
        const { buffer, byteOffset } = bytes;
        const view = new DataView(buffer, byteOffset);
        times.add(view.getInt32(4, true) * 1e9 + view.getUint32(8, true));
      },
      onMatched: (writers) => matched.add(writers),
    },
  );
  return { times, untilMatched: () => matched.until((writers) => writers > 0) };
}

const beginsOf = (seen: readonly SeenBySide[]) =>
  seen.filter(({ type }) => type === begin).map(({ payload }) => payload);

describe('the coordinator of a DANCERS run', () => {
  it.each(['uds', 'tcp'] as const)(
    'over %s: both sides step, payloads change hands between windows, /clock has the time',
    async (sockets) => {
      const { lab, startGateway, startSide } = await openDancersLab({}, sockets);
      const { times, untilMatched } = clockTimes(lab);
      const gateway = startGateway();
      const begins = path.join(temporaryFolder(), 'begins');
      const physics = startSide('physics', { payload: 'p', begins });
      const network = startSide('network', { payload: 'n' });
      // Time stands until then.
      await untilMatched();
      writeFileSync(begins, '');
      expect(await gateway.ended).toEqual({ code: 0, signal: null });
      await Promise.all([physics.program.ended, network.program.ended]);
      expect(gateway.stderr.items.at(-1)).toBe(
        'the run is over: 5 windows, 0.5 s of simulated time',
      );
      // In each window the last answer of a side counts, and only the first BEGIN has it.
      const windows = [0, 1, 2, 3, 4];
      const rest = (count: number) => new Array<string>(count).fill('');
      expect(beginsOf(physics.seen.items)).toEqual(
        windows.flatMap((w) => [w === 0 ? '' : `n${2 * w - 1}`, ...rest(9)]),
      );
      expect(beginsOf(network.seen.items)).toEqual(
        windows.flatMap((w) => [w === 0 ? '' : `p${10 * w - 1}`, ...rest(1)]),
      );
      for (const { seen } of [physics, network]) expect(seen.items.at(-1)?.type).toBe(close);
      // The first times may pass before the gateway discovers the reader. A time that stands is repeated.
      const expected = Array.from({ length: 50 }, (_, step) => (step + 1) * 10_000_000);
      await times.until((time) => time === 500_000_000);
      const different = times.items.filter((time, i) => time > 0 && time !== times.items[i - 1]);
      expect(different).toEqual(expected.slice(-different.length));
    },
  );

  it('says how far a run came that a signal ends', async () => {
    const { startGateway, startSide } = await openDancersLab({ simulation_length: 0 });
    const gateway = startGateway();
    const physics = startSide('physics', { quiet: true });
    startSide('network', { quiet: true });
    await gateway.stderr.until((line) => line === 'both sides are connected; the run begins');
    gateway.signal('SIGINT');
    expect(await gateway.ended).toEqual({ code: 130, signal: null });
    expect(gateway.stderr.items.at(-1)).toMatch(/^the run is over: \d+ windows, [\d.]+ s of/);
    await physics.seen.until(({ type }) => type === close);
  });

  it('forgets a payload when the last answer of a window has none', async () => {
    const { startGateway, startSide } = await openDancersLab();
    const gateway = startGateway();
    const physics = startSide('physics');
    // Windows have the steps 0 and 1, 2 and 3, and so on.
    startSide('network', { payload: 'n', speak: [0, 3] });
    expect((await gateway.ended).code).toBe(0);
    await physics.program.ended;
    expect(beginsOf(physics.seen.items).filter((payload) => payload !== '')).toEqual(['n3']);
  });

  it('keeps the pace of real_time_factor', async () => {
    const { startGateway, startSide } = await openDancersLab({ real_time_factor: 0.5 });
    const gateway = startGateway();
    startSide('physics');
    startSide('network');
    // Before both sides are connected.
    const beganMs = performance.now();
    expect((await gateway.ended).code).toBe(0);
    // 0.5 s of simulated time.
    expect(performance.now() - beganMs).toBeGreaterThan(999);
  });

  it('replaces the socket file of a program that was killed, and leaves none', async () => {
    const { addresses, startGateway, startSide } = await openDancersLab();
    const stale = spawn(
      process.execPath,
      [
        '-e',
        'require("net").createServer().listen(process.argv[1], () => console.log("up"))',
      ].concat(addresses.physics as string),
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(stale.stdout, 'data');
    stale.kill('SIGKILL');
    await once(stale, 'exit');
    expect(existsSync(addresses.physics as string)).toBe(true);
    const gateway = startGateway();
    startSide('physics');
    startSide('network');
    expect((await gateway.ended).code).toBe(0);
    expect(existsSync(addresses.physics as string)).toBe(false);
  });

  it('sends CLOSE to both sides when a signal comes', async () => {
    const { startGateway, startSide } = await openDancersLab({
      simulation_length: 0,
      real_time_factor: 1,
    });
    const gateway = startGateway();
    const sides = [startSide('physics'), startSide('network')];
    for (const { seen } of sides) await seen.until(({ step }) => step === 2);
    gateway.signal('SIGTERM');
    expect((await gateway.ended).code).toBe(143);
    for (const { seen } of sides) await seen.until(({ type }) => type === close);
  });
});

describe('the cars of the lab as a physics side', () => {
  it('follow a track, until CLOSE', async () => {
    const { config, lab, startGateway, startWorld } = await openDancersLab({
      simulation_length: 5,
      net_step_size: 100_000,
    });
    const gateway = startGateway();
    const fleet = startCommand(
      lab.uri,
      'fleet',
      `--physics=${config}`,
      '--physics-input=track',
      '--vehicle-ids=1,2,3',
      '--track=circle',
    );
    const network = startWorld('network', { range: 100 });
    expect((await gateway.ended).code).toBe(0);
    expect(await fleet.ended).toEqual({ code: 0, signal: null });
    expect(fleet.stderr.items.at(-1)).toBe('the coordinator sent CLOSE');
    await network.program.ended;
    expect(network.seen.items.at(-1)).toEqual({ 1: [2, 3], 2: [1, 3], 3: [1, 2] });
  });

  it('name a coordinator that leaves without CLOSE', async () => {
    const { config, lab, startGateway } = await openDancersLab();
    const gateway = startGateway();
    await gateway.stderr.until((line) => line.startsWith('the network side is expected'));
    const fleet = startCommand(lab.uri, 'fleet', `--physics=${config}`);
    await fleet.stderr.until((line) => line.includes('are the physics side of DANCERS'));
    gateway.signal('SIGKILL');
    expect((await fleet.ended).code).toBe(1);
    expect(fleet.stderr.items.join()).toContain(
      'it closed the connection without CLOSE; it may have a physics side already',
    );
  });
});

describe('a fault of a DANCERS side', () => {
  it.each([
    ['garbage', 'its bytes are no gzip'],
    ['bomb', 'its gzip has more than 67108864 bytes after inflating'],
    ['long', 'a frame of 4294967295 bytes is longer than'],
    ['begin', 'it answered BEGIN instead of END'],
    ['close', 'it answered CLOSE instead of END'],
    ['cut', 'it closed its connection within a frame'],
    ['vanish', 'it closed its connection;'],
    ['hang', 'no answer within 5000 ms'],
    ['twice', 'it sent a message without a BEGIN before it'],
  ])('ends the run, named, with CLOSE to the other side: %s', async (mode, cause) => {
    const { startGateway, startSide } = await openDancersLab({ simulation_length: 0 });
    // Only one that hangs is to be late, also where a side waits for a processor.
    const gateway = startGateway(...(mode === 'hang' ? ['--answer-timeout-ms=5000'] : []));
    startSide('network', { mode, at: 5, quiet: true });
    const physics = startSide('physics', { quiet: true });
    expect(await gateway.ended).toEqual({ code: 1, signal: null });
    const text = gateway.stderr.items.join('\n');
    expect(text).toContain('HLC_DANCERS_SIDE');
    expect(text).toContain('The network side of DANCERS at ');
    expect(text).toContain(`failed: ${cause}`);
    await physics.seen.until(({ type }) => type === close);
  });

  it('that answers nothing is named, its step is skipped, and time stands', async () => {
    const { startGateway, startSide } = await openDancersLab();
    const gateway = startGateway();
    const physics = startSide('physics', { mode: 'empty', at: 3 });
    startSide('network', { quiet: true });
    expect((await gateway.ended).code).toBe(0);
    expect(gateway.stderr.items).toContain(
      'the physics side answered nothing; its step is skipped and counts no time',
    );
    await physics.program.ended;
    // A sixth window makes up for the time of the step.
    expect(beginsOf(physics.seen.items)).toHaveLength(60);
  });

  it('that only answers nothing ends the run', async () => {
    const { startGateway, startSide } = await openDancersLab();
    const gateway = startGateway();
    startSide('physics', { mode: 'empty', at: 'always', quiet: true });
    startSide('network', { quiet: true });
    expect((await gateway.ended).code).toBe(1);
    expect(gateway.stderr.items.join()).toContain('1000 answers in succession are empty');
  });

  it('that does not connect ends the run', async () => {
    const { startGateway, startSide } = await openDancersLab();
    const gateway = startGateway('--connect-timeout-ms=4000');
    const physics = startSide('physics');
    expect((await gateway.ended).code).toBe(1);
    expect(gateway.stderr.items.join()).toContain('failed: it did not connect within 4000 ms');
    await physics.seen.until(({ type }) => type === close);
  });

  it('that vanishes while the other one is awaited ends the run', async () => {
    const { startGateway, startSide } = await openDancersLab();
    const gateway = startGateway();
    const physics = startSide('physics');
    await physics.seen.untilCount(1);
    physics.program.signal('SIGKILL');
    expect((await gateway.ended).code).toBe(1);
    expect(gateway.stderr.items.join()).toContain('The physics side of DANCERS');
  });

  it('that connects twice is refused the second time', async () => {
    const { startGateway, startSide } = await openDancersLab({
      simulation_length: 0,
      real_time_factor: 1,
    });
    const gateway = startGateway();
    const first = startSide('physics');
    startSide('network', { quiet: true });
    await first.seen.until(({ step }) => step === 1);
    const second = startSide('physics');
    await second.program.ended;
    expect(gateway.stderr.items).toContain(
      'a second physics side is refused; the first one goes on',
    );
    expect(gateway.gone).toBe(false);
  });
});

describe('a DANCERS run that cannot begin', () => {
  it('has an address that another program has', async () => {
    const { addresses, startGateway } = await openDancersLab();
    const other = createServer().listen(addresses.network as string);
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const gateway = startGateway();
    expect((await gateway.ended).code).toBe(1);
    expect(gateway.stderr.items.join()).toContain('another program listens there');
  });

  it('has the addresses of a run that waits, which goes on to wait', async () => {
    const { startGateway, startSide } = await openDancersLab();
    const waiting = startGateway();
    await waiting.stderr.until((line) => line.startsWith('the network side is expected'));
    const second = startGateway();
    expect((await second.ended).code).toBe(1);
    expect(second.stderr.items.join()).toContain('another program listens there');
    startSide('physics');
    startSide('network');
    expect(await waiting.ended).toEqual({ code: 0, signal: null });
  });

  it('has a file in the place of a socket, which stays', async () => {
    const { addresses, startGateway } = await openDancersLab();
    writeFileSync(addresses.physics as string, 'precious');
    const gateway = startGateway();
    expect((await gateway.ended).code).toBe(1);
    expect(gateway.stderr.items.join()).toContain('another file is there, which is no socket');
    expect(existsSync(addresses.physics as string)).toBe(true);
  });

  it.each([
    [{ phy_step_size: 30_000 }, 'phy_step_size', 'a divisor of sync_window'],
    [{ net_use_uds: 3 }, 'net_use_uds', 'true or false'],
  ])('has a configuration with a wrong value: %j', async (keys, key, rule) => {
    const { startGateway } = await openDancersLab(keys);
    const gateway = startGateway();
    expect((await gateway.ended).code).toBe(2);
    expect(gateway.stderr.items.join()).toContain(`the key "${key}"`);
    expect(gateway.stderr.items.join()).toContain(rule);
  });
});
