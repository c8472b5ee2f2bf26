import { threadsBetween } from '../usage.mjs';

/** @import { Usage } from '../usage.mjs' */

/**
 * Threads of the middleware beside that of JavaScript, by the names that they give themselves.
 * @type {readonly { name: string, threads: RegExp }[]}
 */
const kinds = [
  { name: 'threads that receive (take from Cyclone)', threads: /^(recv|dq\.user)/ },
  { name: "Cyclone's other threads", threads: /^(tev|gc|dq\.builtins|lease|xmit)/ },
  { name: "the pacer's thread", threads: /^hlc-pacer$/ },
  { name: "the profiler's thread", threads: /^v8:Prof/ },
  { name: 'threads of Node and of the log', threads: /^/ },
];

/**
 * Processor time of the product's threads between two samples.
 * @param {Usage} from
 * @param {Usage} to
 */
export function splitThreads(from, to) {
  const threads = threadsBetween(from, to);
  // Thread ids of a process rise; the main thread has the lowest and runs JavaScript.
  const main = threads.toSorted((a, b) => Number(a.id) - Number(b.id))[0];
  if (main === undefined) throw new Error('The middleware has no threads.');
  const others = kinds.map(({ name }) => ({ name, cpuNs: 0 }));
  for (const thread of threads) {
    if (thread === main) continue;
    const other = others[kinds.findIndex((kind) => kind.threads.test(thread.name))];
    if (other !== undefined) other.cpuNs += thread.cpuNs;
  }
  return { javascript: main, others };
}
