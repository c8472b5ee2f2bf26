import { createSocket } from 'node:dgram';

/** Two DDS domains without participants. */
export interface FreeDomains {
  readonly lab: number;
  readonly controllers: number;
}

/**
 * Domains whose first ports are free on this machine. Programs of other DDS
 * implementations know no domain tag, so that nothing else keeps two runs apart.
 */
export async function freeDomains(): Promise<FreeDomains> {
  for (;;) {
    const lab = 10 + 2 * Math.floor(Math.random() * 40);
    const domains = { lab, controllers: lab + 1 };
    const free = await Promise.all([lab, lab + 1].map(isFree));
    if (free.every(Boolean)) return domains;
  }
}

/** Can the first participant's port of discovery be had (OMG DDSI-RTPS 2.5, section 9.6)? */
async function isFree(domain: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const free = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind({ port: 7410 + 250 * domain, exclusive: true }, () => resolve(true));
  });
  socket.close();
  return free;
}
