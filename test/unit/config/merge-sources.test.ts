import { describe, expect, it } from 'vitest';

import { readCommandLine } from '../../../src/config/sources/command-line.js';
import { mergeSources } from '../../../src/config/sources/merge-sources.js';

describe('merging the sources', () => {
  it('adds up a flag that may be given several times', () => {
    const peers = '--dds-initial-peer=a --dds_initial_peer= --dds_initial_peer b,c';
    const merged = mergeSources([readCommandLine(peers.split(' ')).assignments]);
    expect(merged.get('ddsInitialPeer')?.text).toBe('a,b,c');
  });

  it('does not add up what different sources say', () => {
    const sources = ['--dds-initial-peer=a', '--dds-initial-peer=b'];
    const merged = mergeSources(sources.map((flag) => readCommandLine([flag]).assignments));
    expect(merged.get('ddsInitialPeer')?.text).toBe('a');
  });
});
