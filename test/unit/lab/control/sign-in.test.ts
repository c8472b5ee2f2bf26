import { describe, expect, it } from 'vitest';
import { SignInGate } from '../../../../src/lab/control/sign-in.js';
import { ManualClock } from '../manual-clock.js';

const participantA = 'a'.repeat(24);
const writerOfA = `${participantA}00000102`;

function openGate() {
  const listening = new Set<string>();
  const clock = new ManualClock(0n);
  const told: string[] = [];
  const gate = new SignInGate({
    listeningParticipants: () => listening,
    later: (delayNs, callback) => clock.at(clock.nowNs() + delayNs, callback),
    readySignal: (sourceId, ns) => told.push(`${sourceId} ${ns}`),
    notListening: (sourceId) => told.push(`${sourceId} does not listen`),
  });
  return { gate, listening, clock, told };
}

describe('the sign-in gate of the lab control', () => {
  it('passes a ready signal of a participant that listens at once', () => {
    const { gate, listening, told } = openGate();
    listening.add(participantA);
    gate.readySignal('a', 1n, writerOfA);
    expect(told).toEqual(['a 1']);
  });

  it('holds a ready signal until its participant listens, and passes it once', () => {
    const { gate, listening, clock, told } = openGate();
    gate.readySignal('a', 1n, writerOfA);
    listening.add('b'.repeat(24));
    gate.readersChanged();
    expect(told).toEqual([]);
    listening.add(participantA);
    gate.readersChanged();
    gate.readersChanged();
    clock.advanceTo(5_000_000_000n);
    expect(told).toEqual(['a 1']);
  });

  it('passes it after a second all the same, tells it, and holds no further one', () => {
    const { gate, clock, told } = openGate();
    gate.readySignal('a', 1n, writerOfA);
    clock.advanceTo(999_999_999n);
    expect(told).toEqual([]);
    clock.advanceTo(1_000_000_000n);
    expect(told).toEqual(['a does not listen', 'a 1']);
    gate.readySignal('a', 2n, writerOfA);
    expect(told.slice(2)).toEqual(['a 2']);
  });
});
