import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandKinds } from '../../../src/core/index.js';
import type { HlcError } from '../../../src/errors/index.js';
import { GuardLatches } from '../../../src/guard/guard-latches.js';
import { readLatchFile } from '../../../src/node/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { speedCommand } from '../core/support.js';

function opened(folder: string, errors: HlcError[] = []) {
  return new GuardLatches({
    socket: path.join(folder, 'control.sock'),
    nodeId: 'middleware',
    vehicleIds: [7, 8],
    onFailure: (error) => void errors.push(error),
  });
}
const idsOf = async (file: string) => (await readLatchFile(file)).map(({ id }) => id);

describe('the latch files of a guard', () => {
  it('are one for each middleware, beside the control socket of its own', async () => {
    const folder = temporaryFolder();
    const latches = opened(folder);
    latches.commanded(speedCommand(2, 5n));
    latches.add('middleware', [1]);
    latches.add('../b', [2, 3]);
    latches.forget([3]);
    await latches.close();
    expect(await idsOf(path.join(folder, 'control.sock.latch'))).toEqual([1]);
    expect(await readLatchFile(path.join(folder, '..%2Fb.sock.latch'))).toMatchObject([
      { id: 2, kinds: ['speedCurvature'], sent: { createNs: 5n, validNs: 5n } },
    ]);
    expect(await opened(folder).read()).toMatchObject([
      { sourceId: 'middleware', vehicles: [{ id: 1 }] },
      { sourceId: '../b', vehicles: [{ id: 2 }] },
    ]);
  });

  it('are bounded in number, whatever ids the network has', async () => {
    const folder = temporaryFolder();
    const latches = opened(folder);
    for (let id = 0; id < 20; id++) latches.add(`node${id}`, [id]);
    await latches.close();
    expect(existsSync(path.join(folder, 'node15.sock.latch'))).toBe(true);
    expect(await idsOf(path.join(folder, 'control.sock.latch'))).toEqual([16, 17, 18, 19]);
  });

  it('can be read again, whatever stamps a command of a peer has', async () => {
    const folder = temporaryFolder();
    const errors: HlcError[] = [];
    const latches = opened(folder, errors);
    latches.commanded(speedCommand(1, 5n));
    latches.commanded(speedCommand(1, 2n ** 64n - 1n));
    latches.add('middleware', [1]);
    await latches.close();
    expect(await opened(folder, errors).read()).toMatchObject([
      { sourceId: 'middleware', vehicles: [{ id: 1, sent: { createNs: 5n, validNs: 5n } }] },
    ]);
    expect(errors).toEqual([]);
  });

  it('are reported when they cannot be read: all vehicles of the own one count, and the others', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'control.sock.latch'), '{');
    writeFileSync(path.join(folder, 'b.sock.latch'), '{"latched":[4]}');
    const errors: HlcError[] = [];
    writeFileSync(path.join(folder, 'c.sock.latch'), '{');
    expect(await opened(folder, errors).read()).toEqual([
      { sourceId: 'middleware', vehicles: [7, 8].map((id) => ({ id, kinds: commandKinds })) },
      { sourceId: 'b', vehicles: [{ id: 4, kinds: commandKinds }] },
    ]);
    expect(errors.map(({ code }) => code)).toEqual(['HLC_LATCH_FILE', 'HLC_LATCH_FILE']);
  });
});
