import { randomInt } from 'node:crypto';

/** Names another seed than a random one; the order of events still differs from run to run. */
const seed = Number(process.env.HLC_ASAN_SEED ?? randomInt(1_000_000_000));
const seconds = 6;

/** What must have happened for a run of random-entities.mjs to mean anything. */
const mustHappen = [
  ...['join', 'joinRefused', 'openTwice', 'createReader', 'createWriter', 'createRefused'],
  ...['write', 'writeBroken', 'look', 'closeEndpoint', 'closeParticipant', 'useClosedHandle'],
  ...['closeContext', 'createPacer', 'closePacer', 'arm', 'disarm', 'schedule', 'cancelPlan'],
  ...['setEmergencySample', 'sendBlocking', 'armHangGuard', 'beat', 'hang', 'setBeacon'],
  ...['feedWatchdog'],
].map((action) => `did ${action}`);
const mustCome = [
  ...['written', 'sample', 'tick', 'reader matched', 'writer matched'],
  ...['reader incompatible', 'writer incompatible', 'refused after close', 'slot sent', 'stop'],
  ...['stop by hang', 'write failed'],
];

const wanted = [...mustHappen, ...mustCome];

/** Arguments of random-entities.mjs. */
export const randomRunArguments = [String(seed), String(seconds), wanted.join(',')];

/** What did not happen in a run. @param stdout of random-entities.mjs */
export function missingEvents(stdout: readonly string[]): string[] {
  const counts = JSON.parse(stdout[0] ?? '{}') as Record<string, number>;
  return wanted.filter((name) => !(name in counts));
}
