import { spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** A network of its own, as another computer has it. */
export interface NetworkNamespace {
  readonly name: string;
  /** Its address on the link between the two. */
  readonly address: string;
  /** Its interface on that link. */
  readonly networkInterface: string;
  /** A command and its first arguments: what follows them is run in the namespace. */
  readonly through: readonly string[];
}

/** Two namespaces of the Linux kernel with a link between them. */
export interface NamespacePair {
  readonly here: NetworkNamespace;
  readonly there: NetworkNamespace;
}

const iproute2 = 'ip';
/** Five times what the kernel takes at most. */
const linkLimitMs = 5000;
let pairs = 0;

/**
 * Makes two namespaces, which are gone when the test is over.
 * @returns what is missing when this machine or this user cannot make them
 */
export function openNamespacePair(): NamespacePair | string {
  const id = `${process.pid}-${pairs++}`;
  const here = addNamespace(`hlc-here-${id}`, 'hlc-here', '10.213.77.1');
  if (typeof here === 'string') return here;
  const there = addNamespace(`hlc-there-${id}`, 'hlc-there', '10.213.77.2');
  if (typeof there === 'string') return there;
  const ends = [here, there].map(({ name, networkInterface }) => {
    return ['name', networkInterface, 'netns', name];
  });
  const [end = [], otherEnd = []] = ends;
  const commands = [['link', 'add', ...end, 'type', 'veth', 'peer', ...otherEnd]];
  for (const { name, networkInterface, address } of [here, there]) {
    commands.push(['-n', name, 'addr', 'add', `${address}/24`, 'dev', networkInterface]);
    commands.push(['-n', name, 'link', 'set', networkInterface, 'up']);
    commands.push(['-n', name, 'link', 'set', 'lo', 'up']);
  }
  for (const command of commands) {
    const missing = ip(...command);
    if (missing !== undefined) return `ip ${command.join(' ')}: ${missing}`;
  }
  for (const end of [here, there]) awaitUp(end);
  return { here, there };
}

/**
 * The kernel takes up to a second to report a new link as up, and newer kernels none when asked.
 * A program that starts before sees no card: RTI Connext then announces 127.0.0.1, and Cyclone DDS
 * keeps the first address that a participant announces.
 */
function awaitUp({ name, networkInterface }: NetworkNamespace): void {
  const args = ['-n', name, 'link', 'show', 'dev', networkInterface];
  const limit = performance.now() + linkLimitMs;
  while (!spawnSync(iproute2, args, { encoding: 'utf8' }).stdout.includes(' state UP ')) {
    if (performance.now() > limit) throw new Error(`${networkInterface} does not come up`);
  }
}

/**
 * Makes a namespace, which is gone when the test is over, for an interface that the caller adds.
 * @returns what is missing when this machine or this user cannot make one
 */
export function addNamespace(
  name: string,
  networkInterface: string,
  address: string,
): NetworkNamespace | string {
  const missing = ip('netns', 'add', name);
  if (missing !== undefined) return `network namespaces cannot be made: ${missing}`;
  onTestFinished(() => void ip('netns', 'del', name));
  return { name, networkInterface, address, through: [iproute2, 'netns', 'exec', name] };
}

/** Runs the program `ip`, and gives what went wrong. */
export function ip(...args: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(iproute2, args, { encoding: 'utf8' });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : stderr.trim();
}
