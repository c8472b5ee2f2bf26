import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withHook, withoutHook } from '../../../src/install/build-hook.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const hook = { command: 'echo installed', labFolder: "/home/o'brien/soft ware", packages: '/p' };

describe('the block in the build script', () => {
  it('comes after the first line, once, and leaves the script as it was without it', () => {
    for (const script of ['#!/bin/bash\nset -e\nmake\n', 'make\n', '']) {
      const hooked = withHook(script, hook);
      expect(hooked.startsWith(script.startsWith('#!') ? '#!/bin/bash\n# >>>' : '# >>>')).toBe(
        true,
      );
      expect(withHook(hooked, hook)).toBe(hooked);
      expect(withHook(hooked, { ...hook, packages: '/q' })).not.toContain("'/p'");
      expect(withoutHook(hooked)).toBe(script);
      expect(withoutHook(script)).toBe(script);
    }
  });

  it.each([0, 3])('runs after the build, whose exit code %i it keeps', (code) => {
    const file = path.join(temporaryFolder(), 'build.bash');
    writeFileSync(file, withHook(`#!/bin/bash\nset -e\necho built\nexit ${code}\n`, hook));
    const { status, stdout } = spawnSync('bash', [file], { encoding: 'utf8' });
    expect(status).toBe(code);
    expect(stdout).toBe(
      "built\ninstalled install-cpm-lab /home/o'brien/soft ware --packages /p --apply\n",
    );
  });

  it('is a script that bash accepts', () => {
    expect(() => execFileSync('bash', ['-n', '-c', withHook('make\n', hook)])).not.toThrow();
  });
});
