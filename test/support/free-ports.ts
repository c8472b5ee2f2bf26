import { createServer } from 'node:net';

/** Below the ports that the system gives out by itself. */
const firstPort = 20_000;
const lastPort = 32_000;

/** The first of so many consecutive TCP ports of 127.0.0.1 that are free now. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort));
    const tries = Array.from({ length: count }, (_, index) => isFree(port + index));
    if ((await Promise.all(tries)).every(Boolean)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
