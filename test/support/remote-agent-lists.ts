import { onTestFinished } from 'vitest';
import { connectTap, tapPathOf } from '../../src/observe/index.js';
import type { RemoteAgentStatus } from '../../src/remote/index.js';
import { Recorder } from './recorder.js';

/**
 * The remote agents that a middleware gives to its observers, list by list.
 * @param socket control socket of a middleware that runs
 */
export async function remoteAgentLists(
  socket: string,
): Promise<Recorder<readonly RemoteAgentStatus[]>> {
  const tap = await connectTap(tapPathOf(socket));
  onTestFinished(() => tap.close());
  const lists = new Recorder<readonly RemoteAgentStatus[]>('lists of remote agents');
  void (async () => {
    for await (const records of tap.records()) {
      for (const record of records) {
        if (record.type === 'remoteAgents') lists.add(record.content.agents);
      }
    }
  })();
  return lists;
}
