import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';
import { cpmLabSoftware } from '../../support/cpm-lab-software.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

// The installation itself packs Node.js several times: test/slow.
describe('hlc-middleware install-cpm-lab', () => {
  it('changes nothing without --apply, and prints what it would do', async () => {
    const lab = cpmLabSoftware();
    lab.build();
    const before = readdirSync(path.dirname(lab.program));
    const { code, output } = await runCli(
      'install-cpm-lab',
      lab.folder,
      `--packages=${lab.packages}`,
    );
    expect(code).toBe(0);
    for (const file of [lab.program, lab.qosFile, lab.buildScript, lab.packageFile]) {
      expect(output.join('\n')).toContain(`would write ${file}`);
    }
    expect(output.at(-1)).toContain('Nothing was changed.');
    expect(readdirSync(path.dirname(lab.program))).toEqual(before);
    expect(lab.textOf(lab.program)).toBe(lab.original.program);
    expect(lab.textOf(lab.buildScript)).toBe(lab.original.buildScript);
  });

  it('refuses a folder that is not the software of a lab', async () => {
    const { code, errors } = await runCli('install-cpm-lab', temporaryFolder());
    expect(code).toBe(2);
    expect(errors.join('\n')).toContain('HLC_INSTALL_FOLDER');
  });
});
