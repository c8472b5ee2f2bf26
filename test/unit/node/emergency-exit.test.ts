import { describe, expect, it } from 'vitest';
import type { EmergencyStop } from '../../../src/dds/index.js';
import { EmergencyExit } from '../../../src/node/host/emergency-exit.js';

const ms = 1_000_000n;

/** What happens, in order; a stop of these names for each middleware. */
function open(stops: Readonly<Record<string, () => number>>, writeLine?: (text: string) => void) {
  const happened: string[] = [];
  const emergency = new EmergencyExit({
    exit: (code) => happened.push(`exit ${code}`),
    writeLine: writeLine ?? ((text) => void happened.push(text.split('\n')[0] ?? '')),
  });
  for (const [name, send] of Object.entries(stops)) {
    emergency.add({
      sendBlocking: (everyNs: bigint, forNs: bigint) => {
        happened.push(`${name} every ${everyNs / ms} ms for ${forNs / ms} ms`);
        return send();
      },
    } as unknown as EmergencyStop);
  }
  return { emergency, happened };
}

describe('the emergency exit', () => {
  it('stops every lab at once, repeats it for a second, says why, and exits with code 6', () => {
    const { emergency, happened } = open({ a: () => 3, b: () => 1 });
    emergency.run(new TypeError('BigInt of NaN'));
    expect(happened).toEqual([
      'a every 0 ms for 0 ms',
      'b every 0 ms for 0 ms',
      'a every 50 ms for 1000 ms',
      'b every 50 ms for 1000 ms',
      expect.stringMatching(
        /^hlc-middleware: A fault inside this program ended the run \(BigInt of NaN\);.*\[HLC_FAULT\]$/,
      ),
      'exit 6',
    ]);
  });

  it('needs neither the other labs nor standard error', () => {
    const { emergency, happened } = open(
      {
        a: () => {
          throw new Error('closed');
        },
        b: () => 1,
      },
      () => {
        throw new Error('ENOSPC');
      },
    );
    emergency.run('no error at all');
    expect(happened.at(-2)).toBe('b every 50 ms for 1000 ms');
    expect(happened.at(-1)).toBe('exit 6');
  });

  it('happens once', () => {
    const { emergency, happened } = open({});
    emergency.run(new Error('first'));
    emergency.run(new Error('second'));
    expect(happened).toHaveLength(2);
    expect(happened[0]).toContain('first');
  });

  it('can send once without an exit, for a process that dies by a signal', () => {
    const { emergency, happened } = open({ a: () => 3 });
    emergency.sendOnce();
    expect(happened).toEqual(['a every 0 ms for 0 ms']);
  });
});
