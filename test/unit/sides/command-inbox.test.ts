import { beforeEach, describe, expect, it } from 'vitest';
import { cpmLabVehicle } from '../../../src/core/index.js';
import { CommandInbox } from '../../../src/sides/index.js';
import { straight } from '../lab/commands.js';

const second = 1_000_000_000n;
const t = 100n * second;

let inbox: CommandInbox;
beforeEach(() => {
  inbox = new CommandInbox(cpmLabVehicle);
});

describe('the command inbox', () => {
  it('gives no command before one came', () => {
    expect(inbox.commandAt(t)).toBeNull();
  });

  it('keeps to the old command until the newer one is valid, and for its time-out', () => {
    const [older, newer] = [straight(1, t), straight(2, t + 1n, t + 10n)];
    inbox.add(older, t);
    inbox.add(newer, t);
    expect(inbox.commandAt(t + 9n)).toBe(older);
    expect(inbox.commandAt(t + 10n)).toBe(newer);
    expect(inbox.commandAt(t + 9n + second)).toBe(newer);
    expect(inbox.commandAt(t + 10n + second)).toBeNull();
  });

  it('does not go back to an older command that arrives later', () => {
    const [older, newer] = [straight(1, t), straight(2, t + 1n)];
    inbox.add(newer, t);
    expect(inbox.commandAt(t + 1n)).toBe(newer);
    inbox.add(older, t + 2n);
    expect(inbox.commandAt(t + 2n)).toBe(newer);
  });

  it('obeys a command of now after the clock was set back', () => {
    inbox.add(straight(1, t), t);
    expect(inbox.commandAt(t)).not.toBeNull();
    expect(inbox.commandAt(t - 10n)).toBeNull();
    const afterwards = straight(2, t - 9n);
    inbox.add(afterwards, t - 9n);
    expect(inbox.commandAt(t - 9n)).toBe(afterwards);
  });

  it('keeps a bounded number of commands for later, and the one that it obeys', () => {
    const now = straight(-1, t);
    inbox.add(now, t);
    for (let i = 0n; i < 1000n; i++) inbox.add(straight(Number(i), t + i, t + second + i), t);
    expect(inbox.commandAt(t + second - 1n)).toBe(now);
    expect(inbox.commandAt(t + second + 1n)).toBeNull();
    expect(inbox.commandAt(t + second + 999n)).toMatchObject({ message: { speed: 999 } });
  });

  it('loses no command that it obeys later by being asked often', () => {
    const commands = Array.from({ length: 300 }, (_, i) => straight(i, t + BigInt(i)));
    for (const [i, command] of commands.entries()) inbox.add(command, t + BigInt(i));
    expect(inbox.commandAt(t + 299n)).toBe(commands.at(-1));
  });
});
