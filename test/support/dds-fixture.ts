import { DdsContext, type DdsParticipant } from '../../src/dds/index.js';
import { isolatedCycloneUri } from './isolation.js';

export interface DdsFixture {
  readonly context: DdsContext;
  readonly uri: string;
  readonly faults: unknown[];
  readonly libraryLog: string[];
  /** A new participant on loopback. */
  join(domainId?: number): DdsParticipant;
}

/** A DDS context that discovers nothing outside of this test. */
export function openDds(options: { queueBytes?: number } = {}): DdsFixture {
  const faults: unknown[] = [];
  const libraryLog: string[] = [];
  const uri = isolatedCycloneUri();
  const context = DdsContext.open({
    onFault: (fault) => faults.push(fault),
    onLibraryLog: (text) => libraryLog.push(text),
    cycloneUri: uri,
    ...options,
  });
  return {
    context,
    uri,
    faults,
    libraryLog,
    join: (domainId = 3) => context.join({ domainId, networkInterface: 'lo', initialPeers: [] }),
  };
}
