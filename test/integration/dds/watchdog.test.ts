import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openServiceManager } from '../../../src/dds/index.js';
import { builtPeers } from '../../peers/build-peers.js';
import { ChildProgram } from '../../support/child-program.js';
import { openDds } from '../../support/dds-fixture.js';
import { hang } from '../../support/pacer-waits.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ms = 1_000_000n;

let peers: ReturnType<typeof builtPeers>;

beforeAll(() => {
  peers = builtPeers();
});

/** A service manager that listens on this socket, and its messages. */
async function listen(socketName: string) {
  const manager = new ChildProgram('service-manager', peers['service-manager'], [socketName], '');
  await manager.stdout.until((line) => line === 'listening');
  return {
    manager,
    messages: () => manager.stdout.items.slice(1),
  };
}

const socketPath = () => path.join(temporaryFolder(), 'notify');

/** Says to this process that systemd watches it, until the test is over. */
function watchedBy(socketName: string, grantedMs: number): void {
  vi.stubEnv('NOTIFY_SOCKET', socketName);
  vi.stubEnv('WATCHDOG_USEC', String(grantedMs * 1000));
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe('messages to the service manager', () => {
  it.each([
    ['a path', socketPath],
    ['a name of the abstract namespace', () => `@hlc-middleware-test-${randomUUID()}`],
  ])('arrive at %s', async (_, name) => {
    const socketName = name();
    const { manager, messages } = await listen(socketName);
    const failures: string[] = [];
    const service = openServiceManager({ NOTIFY_SOCKET: socketName }, (cause) =>
      failures.push(cause),
    );
    service.ready();
    service.status('2 of 3\n controllers');
    service.stopping();
    await manager.stdout.until((line) => line === 'STOPPING=1');
    expect(messages()).toEqual(['READY=1', 'STATUS=2 of 3 controllers', 'STOPPING=1']);
    expect(failures).toEqual([]);
  });

  it('report once that there is no socket of that name, and go nowhere without systemd', () => {
    const failures: string[] = [];
    const onFailure = (cause: string) => failures.push(cause);
    const service = openServiceManager({ NOTIFY_SOCKET: socketPath() }, onFailure);
    service.ready();
    service.stopping();
    expect(failures).toEqual(['No such file or directory']);
    openServiceManager({}, onFailure).ready();
    expect(failures).toHaveLength(1);
    for (const name of ['relative', '@', `/${'x'.repeat(120)}`]) {
      openServiceManager({ NOTIFY_SOCKET: name }, onFailure).ready();
    }
    expect(failures.slice(1)).toEqual(Array.from({ length: 3 }, () => 'Invalid argument'));
  });
});

describe('the watchdog', () => {
  it('is fed at half of its time by the thread, and not while JavaScript hangs', async () => {
    const dds = openDds();
    onTestFinished(() => dds.context.close());
    const pacer = dds.context.createPacer();
    const { emergencyStop, watchdog } = pacer;
    const socketName = socketPath();
    const { manager, messages } = await listen(socketName);

    watchedBy(socketName, 100);
    const begin = performance.now();
    expect(watchdog.feed()).toBe(true);
    await manager.stdout.untilCount(1 + 5);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(150);

    const service = openServiceManager({ NOTIFY_SOCKET: socketName }, () => undefined);
    emergencyStop.armHangGuard({ afterNs: 100n * ms, repeatNs: 0n, durationNs: 0n });
    service.status('hangs');
    hang(1000);
    service.status('hung');
    await new Promise((resolve) => emergencyStop.onSentByHang(resolve));
    await manager.stdout.until((line) => line === 'STATUS=hung');
    const [from, to] = ['STATUS=hangs', 'STATUS=hung'].map((line) => messages().indexOf(line));
    const fed = messages().slice(from, to);
    // Two or three before the limit; twenty if it were fed all the time.
    expect(fed.filter((line) => line === 'WATCHDOG=1').length).toBeLessThanOrEqual(4);

    emergencyStop.armHangGuard({ afterNs: 0n, repeatNs: 0n, durationNs: 0n });
    await manager.stdout.untilCount(manager.stdout.items.length + 2);
    pacer.close();
    openServiceManager({ NOTIFY_SOCKET: socketName }, () => undefined).stopping();
    await manager.stdout.until((line) => line === 'STOPPING=1');
    expect(manager.stdout.items.at(-1)).toBe('STOPPING=1');
  });

  it.each<[string, Record<string, string>]>([
    ['there is no socket', { WATCHDOG_USEC: '1000' }],
    ['no time is granted', { NOTIFY_SOCKET: '/run/x' }],
    ['the time is no number', { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '1s' }],
    [
      'another process is meant',
      { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '1', WATCHDOG_PID: '1' },
    ],
  ])('is not fed when %s', (_, environment) => {
    const dds = openDds();
    onTestFinished(() => {
      dds.context.close();
      vi.unstubAllEnvs();
    });
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    expect(dds.context.createPacer().watchdog.feed()).toBe(false);
  });
});
