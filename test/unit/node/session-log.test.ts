import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { SessionLog } from '../../../src/node/observers/session-log.js';

describe('the log of a session', () => {
  it('warns of start signals with the states of an earlier period, once a second', () => {
    const lines: { readonly msg: string; readonly suppressed?: number }[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as { msg: string });
    let nowNs = 0n;
    const log = new SessionLog(pino({}, { write }), () => nowNs, { lab: 0, controllers: 1 });
    const sent = (standIn: boolean) => {
      const signal = { tNowNs: nowNs, periodNs: 50_000_000n, activeVehicleIds: [1] };
      const content = { ...signal, states: [], observations: [] };
      log.effect({ ...content, kind: 'startSignalSent', latenessNs: 5n, standIn });
    };
    sent(false);
    expect(lines).toEqual([]);
    for (let i = 0; i < 3; i++) sent(true);
    nowNs = 1_000_000_000n;
    sent(true);
    expect(lines.map(({ suppressed }) => suppressed)).toEqual([undefined, 2]);
    expect(lines[0]?.msg).toContain('carries the states of an earlier period');
  });
});
