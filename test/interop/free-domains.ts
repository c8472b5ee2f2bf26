import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Two DDS domains without participants. */
export interface FreeDomains {
  readonly lab: number;
  readonly controllers: number;
}

/** Domains of other programs are below these; above them are ports that the kernel gives to any socket. */
const lowestDomain = 10;
const pairs = 40;

/**
 * Two domains that no other test has, in whatever process it runs, until this test is finished.
 * Programs of other DDS implementations do not support domain tags, so only the domain id keeps
 * two tests apart.
 */
export async function freeDomains(): Promise<FreeDomains> {
  const first = Math.floor(Math.random() * pairs);
  for (let i = 0; i < pairs; i++) {
    const lab = lowestDomain + 2 * ((first + i) % pairs);
    const release = await claim(lab);
    if (release === undefined) continue;
    const free = await Promise.all([lab, lab + 1].map(isFree));
    if (free.every(Boolean)) {
      onTestFinished(release);
      return { lab, controllers: lab + 1 };
    }
    await release();
  }
  throw new Error(`All ${pairs} pairs of domains are in use: end other DDS programs.`);
}

/** The first UDP port of a domain (OMG DDSI-RTPS 2.5, section 9.6). */
function basePort(domain: number): number {
  return 7400 + 250 * domain;
}

/**
 * Marks a pair of domains as taken: the TCP port with the number of the first UDP port can be
 * opened once on a machine, and is closed when its process ends.
 * @returns what closes it; undefined when another process has it open
 */
async function claim(domain: number): Promise<(() => Promise<void>) | undefined> {
  const server = createServer();
  const claimed = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(basePort(domain), '127.0.0.1', () => resolve(true));
  });
  if (!claimed) return undefined;
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** Whether the first participant's port of discovery can be bound. */
async function isFree(domain: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const free = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind({ port: basePort(domain) + 10, exclusive: true }, () => resolve(true));
  });
  socket.close();
  return free;
}
