import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';

import { listenTcp } from '../../../../src/gateways/listen.js';

/** In /proc/net/tcp: the timer of a connection that waits until it probes the other host. */
const keepAliveTimer = '02';

/** The timer of the connection from this local port, and when it fires, 1/100 s. */
function timerOf(localPort: number): { kind: string; ticks: number } {
  const port = localPort.toString(16).toUpperCase().padStart(4, '0');
  const established = '01';
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, local = '', , state, , timer = ''] = line.trim().split(/\s+/);
    if (!local.endsWith(`:${port}`) || state !== established) continue;
    const [kind = '', ticks = ''] = timer.split(':');
    return { kind, ticks: Number.parseInt(ticks, 16) };
  }
  throw new Error(`no connection from port ${localPort}`);
}

it('a host that sends nothing is probed after 10 s', async () => {
  const accepted: Socket[] = [];
  const server = await listenTcp({ host: '127.0.0.1', port: 0 }, (socket) => accepted.push(socket));
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of [client, ...accepted]) socket.destroy();
    server.close();
  });
  await once(client, 'connect');
  await expect.poll(() => accepted).toHaveLength(1);
  const { kind, ticks } = timerOf(port);
  expect(kind).toBe(keepAliveTimer);
  expect(ticks).toBeLessThanOrEqual(1000);
});
