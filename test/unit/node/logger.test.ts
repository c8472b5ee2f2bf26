import { beforeEach, describe, expect, it } from 'vitest';
import { createLog, type NodeLog } from '../../../src/node/logger.js';

interface Entry {
  readonly level: number;
  readonly msg: string;
  readonly node: string;
}

let lines: string[];
let listened: Entry[];

beforeEach(() => {
  lines = [];
  listened = [];
});

function open(logLevel: 'debug' | 'info' | 'silent' = 'info', format: 'json' | 'pretty' = 'json') {
  return createLog('mw', logLevel, {
    format,
    colour: false,
    write: (line) => void lines.push(line),
  });
}

const keep = (line: string) => void listened.push(JSON.parse(line) as Entry);

function listen(nodeLog: NodeLog, level: 'warn' | 'debug' | 'silent') {
  nodeLog.listen(keep, level);
}

const messagesOf = (entries: readonly Entry[]) => entries.map(({ msg }) => msg);
const shown = () => messagesOf(lines.map((line) => JSON.parse(line) as Entry));

describe('a log', () => {
  it('shows entries of its level and above, with the id of the node', () => {
    const { log } = open();
    log.debug('a');
    log.info('b');
    log.error('c');
    expect(shown()).toEqual(['b', 'c']);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, node: 'mw', msg: 'b' });
    expect(lines[0]?.endsWith('}\n')).toBe(true);
  });

  it('writes lines for people', () => {
    const { log } = open('info', 'pretty');
    log.warn({ vehicle: 3 }, 'stands');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\[\d\d:\d\d:\d\d\.\d\d\d\] WARN: stands \{"vehicle":3\}\n$/);
  });

  it('writes no control characters of a peer for people', () => {
    const { log } = open('info', 'pretty');
    log.warn({ source_id: '\u001b[2J' }, 'from \u001b[2J\nhlc_1');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/ WARN: from \\u\{1b\}\[2J\\u\{a\}hlc_1 /);
    expect(lines[0]?.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  it('hands its listener what that wants, whatever the user sees', () => {
    const nodeLog = open('info');
    listen(nodeLog, 'debug');
    nodeLog.log.debug('a');
    nodeLog.log.info('b');
    expect([shown(), messagesOf(listened)]).toEqual([['b'], ['a', 'b']]);
    listen(nodeLog, 'warn');
    nodeLog.log.info('c');
    nodeLog.log.warn('d');
    expect([shown(), messagesOf(listened)]).toEqual([
      ['b', 'c', 'd'],
      ['a', 'b', 'd'],
    ]);
  });

  it('hands its listener nothing that is for the user alone', () => {
    const nodeLog = open();
    listen(nodeLog, 'debug');
    nodeLog.log.info('a');
    nodeLog.showOnly('the token');
    nodeLog.log.info('b');
    expect(shown()).toEqual(['a', 'the token', 'b']);
    expect(messagesOf(listened)).toEqual(['a', 'b']);
  });

  it('changes what the user sees', () => {
    const nodeLog = open('silent');
    listen(nodeLog, 'warn');
    nodeLog.log.error('a');
    nodeLog.setLevel('debug');
    nodeLog.log.debug('b');
    nodeLog.setLevel('silent');
    nodeLog.log.error('c');
    expect([shown(), messagesOf(listened)]).toEqual([['b'], ['a', 'c']]);
  });

  it('makes no entry that neither user nor listener wants', () => {
    const nodeLog = open('silent');
    expect(nodeLog.log.isLevelEnabled('fatal')).toBe(false);
    listen(nodeLog, 'silent');
    expect(nodeLog.log.isLevelEnabled('fatal')).toBe(false);
  });

  it('removes a listener that throws, says so, and goes on', async () => {
    const nodeLog = open('info');
    let calls = 0;
    nodeLog.listen(() => {
      calls++;
      throw new Error('no lab');
    }, 'debug');
    nodeLog.log.info('a');
    await Promise.resolve();
    nodeLog.log.info('b');
    expect(calls).toBe(1);
    expect(shown()).toEqual([
      'a',
      'a fault in this program: a listener gets no log entries any more',
      'b',
    ]);
    expect(nodeLog.log.isLevelEnabled('debug')).toBe(false);
  });
});
