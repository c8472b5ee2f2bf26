import type { PeerName } from '../peers/build-peers.js';
import { ChildProgram } from './child-program.js';
import type { NamespacePair, NetworkNamespace } from './network-namespaces.js';
import { addNamespace, ip } from './network-namespaces.js';

/** Two namespaces and a link between them that the test can make worse while it is in use. */
export interface EmulatedLink extends NamespacePair {
  /** Drops this part of the frames in each direction, 0 to 1; 1 is a partition. */
  lose(part: number): void;
  /** Delays each frame by `ms` to `ms + jitterMs`; with jitter, frames overtake each other. */
  delay(ms: number, jitterMs?: number): void;
  /** Frames so far. */
  statistics(): Promise<{ carried: number; dropped: number; reordered: number }>;
  /** Takes the interface of one end down, or up again. */
  setInterface(end: NetworkNamespace, state: 'up' | 'down'): void;
  /** Gives one end another address in place of the one that it has. */
  setAddress(end: NetworkNamespace, from: string, to: string): void;
}

/** What the emulator draws is the same in every run. */
const seed = '20260101';
let links = 0;

/**
 * Makes two namespaces with an emulated link, which are gone when the test is over. The emulator
 * is a program of our own: the kernel's (netem) is missing in many kernels.
 * @returns what is missing when this machine or this user cannot make them
 */
export async function openEmulatedLink(
  peers: Readonly<Record<PeerName, string>>,
): Promise<EmulatedLink | string> {
  const id = `${process.pid}-${links++}`;
  const here = addNamespace(`hlc-a-${id}`, 'hlc-here', '10.213.78.1');
  if (typeof here === 'string') return here;
  const there = addNamespace(`hlc-b-${id}`, 'hlc-there', '10.213.78.2');
  if (typeof there === 'string') return there;
  const args = [here, there].flatMap(({ name, networkInterface }) => [name, networkInterface]);
  const emulator = new ChildProgram(
    'the link emulator',
    peers['link-emulator'],
    [...args, seed],
    '',
  );
  try {
    await emulator.stdout.until((line) => line === 'ready');
  } catch {
    return `the link cannot be emulated: ${emulator.stderr.items.join(' ')}`;
  }
  for (const end of [here, there]) {
    for (const command of [
      ['addr', 'add', `${end.address}/24`, 'dev', end.networkInterface],
      ['link', 'set', end.networkInterface, 'up'],
      ['link', 'set', 'lo', 'up'],
    ]) {
      const missing = ip('-n', end.name, ...command);
      if (missing !== undefined) return `ip ${command.join(' ')}: ${missing}`;
    }
  }
  const must = (...command: string[]) => {
    const missing = ip(...command);
    if (missing !== undefined) throw new Error(`ip ${command.join(' ')}: ${missing}`);
  };
  return {
    here,
    there,
    lose: (part) => emulator.send(`loss ${part}`),
    delay: (ms, jitterMs = 0) => emulator.send(`delay ${ms} ${jitterMs}`),
    async statistics() {
      const before = emulator.stdout.items.length;
      emulator.send('stats');
      const line = await emulator.stdout.untilCount(before + 1);
      const [carried = 0, dropped = 0, reordered = 0] = (line.match(/\d+/g) ?? []).map(Number);
      return { carried, dropped, reordered };
    },
    setInterface: ({ name, networkInterface }, state) =>
      must('-n', name, 'link', 'set', networkInterface, state),
    setAddress: ({ name, networkInterface }, from, to) => {
      must('-n', name, 'addr', 'del', `${from}/24`, 'dev', networkInterface);
      must('-n', name, 'addr', 'add', `${to}/24`, 'dev', networkInterface);
    },
  };
}
