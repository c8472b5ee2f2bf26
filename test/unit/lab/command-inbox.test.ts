import { describe, expect, it } from 'vitest';
import { CommandInbox } from '../../../src/lab/command-inbox.js';
import type { VehicleCommand } from '../../../src/lab/vehicle-command.js';
import { header, straight } from './commands.js';

const second = 1_000_000_000n;
const t = 100n * second;

const inboxWith = (...commands: readonly VehicleCommand[]): CommandInbox => {
  const inbox = new CommandInbox();
  for (const command of commands) inbox.add(command);
  return inbox;
};
const direct = (createNs: bigint): VehicleCommand => ({
  kind: 'direct',
  vehicle_id: 1,
  header: header(createNs),
  motor_throttle: 0,
  steering_servo: 0,
});
const path = (createNs: bigint): VehicleCommand => ({
  kind: 'pathTracking',
  vehicle_id: 1,
  header: header(createNs),
  path: [],
  speed: 0,
});

describe('the command inbox', () => {
  it('gives no command before one came', () => {
    expect(new CommandInbox().commandAt(t)).toBeUndefined();
  });

  it('leaves a command alone before its valid_after_stamp', () => {
    const command = straight(1, t, t + 5n);
    const inbox = inboxWith(command);
    expect(inbox.commandAt(t + 4n)).toBeUndefined();
    expect(inbox.commandAt(t + 5n)).toBe(command);
  });

  it('obeys a command for exactly one second after its valid_after_stamp', () => {
    const command = straight(1, t, t + 5n);
    const inbox = inboxWith(command);
    expect(inbox.commandAt(t + 5n + second - 1n)).toBe(command);
    expect(inbox.commandAt(t + 5n + second)).toBeUndefined();
  });

  it('obeys the newest command, whatever the order of arrival', () => {
    const [older, newer] = [straight(1, t), straight(2, t + 1n)];
    expect(inboxWith(newer, older).commandAt(t + 1n)).toBe(newer);
    const inbox = inboxWith(newer);
    expect(inbox.commandAt(t + 1n)).toBe(newer);
    inbox.add(older);
    expect(inbox.commandAt(t + 2n)).toBe(newer);
  });

  it('lets the later arrival win when two were made at the same time', () => {
    const [first, second] = [straight(1, t), straight(2, t)];
    expect(inboxWith(first, second).commandAt(t)).toBe(second);
  });

  it('keeps to the old command until the newer one is valid', () => {
    const [older, newer] = [straight(1, t), straight(2, t + 1n, t + 10n)];
    const inbox = inboxWith(older, newer);
    expect(inbox.commandAt(t + 9n)).toBe(older);
    expect(inbox.commandAt(t + 10n)).toBe(newer);
  });

  it('prefers the more direct kind while both are in force', () => {
    const [actuators, speed, way] = [direct(t), straight(1, t + 1n), path(t + 2n)];
    const inbox = inboxWith(way, speed, actuators);
    expect(inbox.commandAt(t + 2n)).toBe(actuators);
    expect(inbox.commandAt(t + second)).toBe(speed);
    expect(inbox.commandAt(t + second + 1n)).toBe(way);
  });

  it('does not obey a command of the future after the clock was set back', () => {
    const inbox = inboxWith(straight(1, t));
    expect(inbox.commandAt(t)).toBeDefined();
    expect(inbox.commandAt(t - 10n)).toBeUndefined();
    const afterwards = straight(2, t - 9n);
    inbox.add(afterwards);
    expect(inbox.commandAt(t - 9n)).toBe(afterwards);
  });

  it('keeps a bounded number of commands for later', () => {
    const inbox = new CommandInbox();
    for (let i = 0n; i < 1000n; i++) inbox.add(straight(Number(i), t + i, t + second + i));
    expect(inbox.commandAt(t + second)).toBeUndefined();
    expect(inbox.commandAt(t + second + 999n)).toMatchObject({ speed: 999 });
  });
});
