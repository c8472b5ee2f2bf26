import { connect, createServer, type Server } from 'node:net';

/** Listens at the name; undefined when another process of this machine does. */
async function listenAt(name: string): Promise<Server | undefined> {
  const server = createServer();
  return await new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(name, () => resolve(server));
  });
}

/** Settles when nobody listens there any more. */
async function untilFree(name: string): Promise<void> {
  await new Promise((resolve) => {
    const socket = connect(name);
    socket.on('error', resolve).on('close', resolve).resume();
  });
}

/** Of this process, by name: the work that was handed over last. */
const last = new Map<string, Promise<unknown>>();

/**
 * Does work of one name one after the other, also where several processes of this machine have such
 * work. A process that ends lets the next one begin.
 */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(name) ?? Promise.resolve();
  const result = before.then(() => alone(name, work));
  last.set(
    name,
    result.catch(() => undefined),
  );
  return await result;
}

async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  // In the abstract namespace: no file is left behind.
  const path = `\0hlc-middleware-test-${name}`;
  let server = await listenAt(path);
  while (server === undefined) {
    await untilFree(path);
    server = await listenAt(path);
  }
  const held = server;
  const waiting = new Set<{ destroy(): void }>();
  held.on('connection', (socket) => waiting.add(socket.on('error', () => undefined)));
  try {
    return await work();
  } finally {
    held.close();
    for (const socket of waiting) socket.destroy();
  }
}
