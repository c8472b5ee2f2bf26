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
 * Does work of one name one after the other in each process, and in no more processes of this machine at
 * once than there are places. A process that ends leaves its place to another one.
 */
export async function takingTurns<T>(
  name: string,
  places: number,
  work: () => Promise<T>,
): Promise<T> {
  const before = last.get(name) ?? Promise.resolve();
  const result = before.then(() => inPlace(name, places, work));
  last.set(
    name,
    result.catch(() => undefined),
  );
  return await result;
}

/** A second lab that drives takes too much of two cores from the labs that are watched while they stop. */
export const takingTurnsAtDriving = <T>(work: () => Promise<T>) =>
  takingTurns('lab-drive', 1, work);

async function inPlace<T>(name: string, places: number, work: () => Promise<T>): Promise<T> {
  // In the abstract namespace: no file is left behind.
  const paths = Array.from({ length: places }, (_, i) => `\0hlc-middleware-test-${name}-${i}`);
  const held = await takeOneOf(paths);
  const waiting = new Set<{ destroy(): void }>();
  held.on('connection', (socket) => waiting.add(socket.on('error', () => undefined)));
  try {
    return await work();
  } finally {
    held.close();
    for (const socket of waiting) socket.destroy();
  }
}

async function takeOneOf(paths: readonly string[]): Promise<Server> {
  for (;;) {
    for (const path of paths) {
      const server = await listenAt(path);
      if (server !== undefined) return server;
    }
    await Promise.race(paths.map(untilFree));
  }
}
