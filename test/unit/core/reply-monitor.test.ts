import { beforeEach, describe, expect, it } from 'vitest';
import { ReplyMonitor } from '../../../src/core/reply-monitor.js';

const all = () => true;
let monitor: ReplyMonitor;
beforeEach(() => {
  monitor = new ReplyMonitor([1, 2]);
});

describe('the reply monitor', () => {
  it('takes the first command in a period as the reply, and measures its time', () => {
    monitor.open(100n, 1000n, all);
    expect(monitor.reply(1, 100n, 1030n)).toEqual({ tNowNs: 100n, replyTimeNs: 30n });
    expect(monitor.reply(1, 101n, 1040n)).toBeNull();
    expect(monitor.outstanding).toBe(1);
    expect(monitor.missing()).toEqual([2]);
    expect(monitor.tally(1)).toMatchObject({ replies: 1, misses: 0, lastReplyAtNs: 1030n });
  });

  it('knows no reply before the first period, or of an unknown id', () => {
    expect(monitor.reply(1, 100n, 1000n)).toBeNull();
    monitor.open(100n, 1000n, all);
    expect(monitor.reply(7, 100n, 1001n)).toBeNull();
    expect(monitor.tally(7)).toBeUndefined();
  });

  it('does not take a command for a reply that was received before the start signal', () => {
    monitor.open(100n, 1000n, all);
    expect(monitor.reply(1, 100n, 999n)).toBeNull();
    expect(monitor.outstanding).toBe(2);
  });

  it('judges a period only after its end', () => {
    monitor.open(100n, 1000n, all);
    expect(monitor.judge()).toBeNull();
    monitor.reply(1, 100n, 1010n);
    monitor.open(150n, 1050n, all);
    expect(monitor.judgementDue).toBe(true);
    expect(monitor.judge()).toEqual({ tNowNs: 100n, misses: [{ id: 2, consecutive: 1 }] });
    expect(monitor.judge()).toBeNull();
  });

  it('counts a reply for the period in which it was received, until that is judged', () => {
    monitor.open(100n, 1000n, all);
    monitor.open(150n, 1050n, all);
    expect(monitor.reply(1, 100n, 1049n)).toEqual({ tNowNs: 100n, replyTimeNs: 49n });
    expect(monitor.reply(1, 150n, 1050n)).toEqual({ tNowNs: 150n, replyTimeNs: 0n });
    expect(monitor.judge()?.misses).toEqual([{ id: 2, consecutive: 1 }]);
    expect(monitor.periodAt(1049n)?.tNowNs).toBe(150n);
  });

  it('counts misses in a row, and begins anew after a reply', () => {
    const consecutive = [false, false, true, false].map((replies, k) => {
      const t = BigInt(k) * 50n;
      monitor.open(t, t, all);
      if (replies) monitor.reply(1, t, t + 1n);
      monitor.close(t + 50n);
      return monitor.judge()?.misses.find(({ id }) => id === 1)?.consecutive ?? 0;
    });
    expect(consecutive).toEqual([1, 2, 0, 1]);
    expect(monitor.tally(1)).toMatchObject({ replies: 1, misses: 3, consecutiveMisses: 1 });
  });

  it('waits only for the given controllers', () => {
    monitor.open(100n, 1000n, (id) => id === 1);
    expect(monitor.missing()).toEqual([1]);
    expect(monitor.reply(2, 100n, 1001n)).toBeNull();
    monitor.close(1050n);
    expect(monitor.judge()?.misses.map(({ id }) => id)).toEqual([1]);
  });

  it('counts a late answer once for each miss, and only newer ones', () => {
    expect(monitor.late(1, 90n)).toBe(false);
    monitor.open(100n, 1000n, all);
    expect(monitor.late(1, 99n)).toBe(false);
    monitor.open(150n, 1050n, all);
    expect(monitor.late(1, 100n)).toBe(true);
    expect(monitor.late(1, 100n)).toBe(false);
    monitor.judge();
    monitor.reply(1, 150n, 1060n);
    monitor.open(200n, 1100n, all);
    monitor.judge();
    expect(monitor.late(1, 150n)).toBe(false);
    expect(monitor.tally(1)?.lateReplies).toBe(1);
  });

  it('no longer waits for one that is released, and counts the miss', () => {
    monitor.open(100n, 1000n, all);
    monitor.release(1);
    monitor.release(1);
    expect(monitor.outstanding).toBe(1);
    expect(monitor.tally(1)).toMatchObject({ misses: 1, consecutiveMisses: 1 });
    monitor.reply(2, 100n, 1001n);
    monitor.release(2);
    expect(monitor.outstanding).toBe(0);
    expect(monitor.tally(2)?.misses).toBe(0);
    monitor.close(1050n);
    expect(monitor.judgementDue).toBe(false);
  });

  it('has judged a period to which all replied when it closes, and keeps it for its commands', () => {
    const monitor = new ReplyMonitor([1]);
    monitor.open(1000n, 1000n, () => true);
    expect(monitor.reply(1, 1001n, 1010n)).not.toBeNull();
    monitor.open(2000n, 2000n, () => true);
    expect(monitor.judgementDue).toBe(false);
    expect(monitor.periodAt(1999n)).toMatchObject({ tNowNs: 1000n });
    expect(monitor.periodAt(2000n)).toMatchObject({ tNowNs: 2000n });
    expect(monitor.judge()).toBeNull();
    expect(monitor.periodAt(1999n)).toMatchObject({ tNowNs: 2000n });
  });

  it('has no period for what is received after the last one was closed', () => {
    monitor.open(100n, 1000n, all);
    monitor.close(1050n);
    expect(monitor.isOpen).toBe(false);
    expect(monitor.periodAt(1049n)?.tNowNs).toBe(100n);
    expect(monitor.periodAt(1050n)).toBeNull();
    monitor.judge();
    expect(monitor.periodAt(1049n)).toBeNull();
  });

  it('judges no controller for a period that is excused', () => {
    monitor.open(100n, 1000n, all);
    monitor.reply(1, 100n, 1010n);
    monitor.open(200n, 1100n, all);
    monitor.excuse();
    expect(monitor.judgementDue).toBe(false);
    expect(monitor.judge()).toBeNull();
    expect(monitor.reply(2, 100n, 1050n)).toBeNull();
    expect(monitor.tally(1)).toMatchObject({ replies: 1, misses: 0 });
    expect(monitor.tally(2)).toMatchObject({ replies: 0, misses: 0, consecutiveMisses: 0 });
    monitor.open(300n, 1200n, all);
    expect(monitor.judge()?.misses.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('accepts answers with stamps of either time line after the clock was set back', () => {
    monitor.open(1000n, 0n, all);
    monitor.clockStepped(-300n);
    expect(monitor.periodAt(5n)).toEqual({ tNowNs: 1000n, sentAtNs: 0n, answersFromNs: 700n });
    monitor.clockStepped(200n);
    expect(monitor.periodAt(5n)?.answersFromNs).toBe(700n);
  });
});
