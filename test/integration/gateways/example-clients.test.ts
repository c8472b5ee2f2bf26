import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../../../tools/paths.mjs';
import { ChildProgram } from '../../support/child-program.js';

const carla = { name: 'carla', begin: 'CARLA client: no episode at port' };
const cave = { name: 'cave', begin: 'CAVE client: no connection at port' };

/** A port of a server that disconnects each client, or of none. */
async function portOf(kind: 'closed' | 'refusing'): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  if (kind === 'closed') await close();
  else {
    onTestFinished(async () => {
      await close();
    });
  }
  return port;
}

describe('the client of examples/mixed', () => {
  it.each([
    { ...carla, server: 'closed' as const, why: 'Connection refused' },
    { ...carla, server: 'refusing' as const, why: 'the server has closed the connection' },
    { ...cave, server: 'closed' as const, why: 'Connection refused' },
    { ...cave, server: 'refusing' as const, why: 'the server has declined' },
  ])('for $name says in one sentence: $why', async ({ name, server, begin, why }) => {
    const port = await portOf(server);
    const file = path.join(root, 'examples/mixed', `${name}_client.py`);
    const client = new ChildProgram(name, 'python3', [file, `${port}`], '');
    expect(await client.ended).toEqual({ code: 1, signal: null });
    expect(client.stdout.items).toEqual([]);
    expect(client.stderr.items).toHaveLength(1);
    expect(client.stderr.items[0]).toContain(`${begin} ${port}: `);
    expect(client.stderr.items[0]).toContain(`${why}; start a server that`);
  });
});
