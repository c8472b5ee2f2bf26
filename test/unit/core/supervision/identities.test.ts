import { beforeEach, describe, expect, it } from 'vitest';
import { participantOf } from '../../../../src/ports/index.js';
import { Identities } from '../../../../src/core/supervision/identities.js';
import { writerOf } from '../support.js';

let identities: Identities;
beforeEach(() => {
  identities = new Identities();
});

function start(process: number, ...roles: ('ready' | 'command')[]): void {
  for (const role of roles) identities.joined(writerOf(process, role), role);
}

const claim = (process: number, ownerIsDead = false) =>
  identities.claim(1, writerOf(process), ownerIsDead);
const commands = (process: number) => identities.mayCommand(1, writerOf(process, 'command'));
const refusedBy = (process: number, reported: boolean) => ({
  kind: 'refused',
  owner: participantOf(writerOf(process)),
  reported,
});

describe('the id of a controller', () => {
  it('belongs to the first process that signs in', () => {
    start(7, 'ready', 'command');
    start(8, 'ready', 'command');
    expect(claim(7)).toEqual({ kind: 'accepted' });
    expect(claim(7)).toEqual({ kind: 'accepted' });
    expect(claim(8)).toEqual(refusedBy(7, true));
    expect(claim(8)).toEqual(refusedBy(7, false));
    expect([commands(7), commands(8)]).toEqual([true, false]);
    expect(identities.ownerOf(1)).toBe(participantOf(writerOf(7)));
  });

  it('is free again when the last writer of its process is gone', () => {
    start(7, 'ready', 'command');
    start(8, 'ready');
    claim(7);
    expect(identities.left(writerOf(7))).toEqual([]);
    expect(identities.left(writerOf(7, 'command'))).toEqual([1]);
    expect(identities.ownerOf(1)).toBeNull();
    expect(claim(8)).toEqual({ kind: 'accepted' });
  });

  it('passes on to a process that was refused, when that is still there', () => {
    start(7, 'ready');
    start(8, 'ready');
    claim(7);
    claim(8);
    identities.left(writerOf(7));
    expect(identities.succeed(1)).toBe(true);
    expect(identities.ownerOf(1)).toBe(participantOf(writerOf(8)));
    expect(identities.succeed(1)).toBe(false);
  });

  it('does not pass on to a process that is gone, too', () => {
    start(7, 'ready');
    start(8, 'ready');
    claim(7);
    claim(8);
    identities.left(writerOf(8));
    identities.left(writerOf(7));
    expect(identities.succeed(1)).toBe(false);
  });

  it('can be taken over from a dead owner, who is then the second', () => {
    start(7, 'ready', 'command');
    start(8, 'ready', 'command');
    claim(7);
    expect(claim(8, true)).toEqual({ kind: 'accepted' });
    expect([commands(7), commands(8)]).toEqual([false, true]);
    expect(claim(7)).toEqual(refusedBy(8, true));
  });

  it('lets a process command from a second participant when the first has no such writer', () => {
    start(7, 'ready');
    start(17, 'command');
    start(8, 'command');
    claim(7);
    expect(commands(17)).toBe(true);
    expect([commands(8), commands(17)]).toEqual([false, true]);
    // Now the process that signed in has writers of commands of its own.
    start(7, 'command');
    expect([commands(7), commands(17)]).toEqual([true, false]);
  });

  it('does not count where the transport cannot identify writers', () => {
    expect(identities.claim(1, null, false)).toEqual({ kind: 'accepted' });
    start(7, 'ready');
    claim(7);
    expect(identities.mayCommand(1, null)).toBe(true);
    expect(identities.reportIntruder(1, null)).toBe(false);
  });

  it('is that of an answering process when no process has it, but not of one that is gone', () => {
    expect(identities.answers(1, writerOf(7, 'command'))).toBe(false);
    start(7, 'command');
    expect(identities.answers(1, writerOf(7, 'command'))).toBe(true);
    start(8, 'command');
    expect(identities.answers(1, writerOf(8, 'command'))).toBe(false);
  });

  it('is reported of a bounded number of intruders', () => {
    const reported = Array.from({ length: 1000 }, (_, i) =>
      identities.reportIntruder(1, writerOf(i)),
    );
    expect(reported.filter(Boolean)).toHaveLength(256);
  });
});
