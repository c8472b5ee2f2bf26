import { describe, expect, it } from 'vitest';
import { domainsInUse } from '../../../src/dds/index.js';

const head = '   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n';

/** /proc/net/udp with these ports. */
function udp(...ports: number[]): string {
  const rows = ports.map(
    (port, sl) =>
      `${String(sl).padStart(5)}: 0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000 0 1 2 0 0\n`,
  );
  return head + rows.join('');
}

describe('the domains of this machine', () => {
  it('are those whose participants have both of their ports', () => {
    // Domain 0: index 0 and 3; domain 1: index 119, the last; domain 2: half of index 0.
    const text = udp(7410, 7411, 7416, 7417, 7660 + 238, 7660 + 239, 7910);
    const files: Record<string, string> = {
      '/proc/net/udp': text,
      '/proc/net/udp6': udp(7911 + 2),
    };
    expect(domainsInUse((path) => files[path] ?? '')).toEqual([
      { domainId: 0, participantIndexes: [0, 3] },
      { domainId: 1, participantIndexes: [119] },
    ]);
  });

  it('include those that listen on IPv6, and the last domain', () => {
    const rows = udp(65410, 65411).replaceAll('0100007F', '0'.repeat(32));
    expect(domainsInUse((path) => (path.endsWith('6') ? rows : head))).toEqual([
      { domainId: 232, participantIndexes: [0] },
    ]);
  });

  it('are none where the machine has no list', () => {
    const none = domainsInUse(() => {
      throw new Error('no such file');
    });
    expect(none).toEqual([]);
  });
});
