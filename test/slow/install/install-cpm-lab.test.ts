import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';
import { cpmLabSoftware } from '../../support/cpm-lab-software.js';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

type Software = ReturnType<typeof cpmLabSoftware>;

function install({ folder, packages }: Software, ...flags: string[]) {
  return runCli('install-cpm-lab', folder, `--packages=${packages}`, ...flags);
}

/** The flags of the control centre, and a limit for the wait. */
const start = ['--node_id=middleware', '--simulated_time=false', '--vehicle_ids=1,2'];
const soon = ['--period_ms=50', '--ready_timeout_ms=300', '--control_socket=off'];

/** Starts a program as the scripts of the lab do. Exit code 3: it waited for controllers. */
function startProgram(file: string, environment: NodeJS.ProcessEnv = {}) {
  const env = { PATH: '/usr/bin:/bin', CYCLONEDDS_URI: isolatedCycloneUri(), ...environment };
  const cwd = path.dirname(file);
  const words = [
    ...start,
    ...soon,
    '--dds_domain=93',
    '--domain_number=94',
    'parameter of a script',
  ];
  return spawnSync(`./${path.basename(file)}`, words, { cwd, env, encoding: 'utf8' });
}

/** What a computer of the lab does at boot, in a folder of the test; returns its copy of the program. */
function bootComputer({ packageFile }: Software) {
  const software = temporaryFolder();
  spawnSync('tar', ['-xzf', packageFile, '-C', software]);
  const build = path.join(temporaryFolder(), 'dev/software/middleware/build');
  mkdirSync(build, { recursive: true });
  const unpacked = path.join(software, 'middleware_package');
  spawnSync('cp', [path.join(unpacked, 'middleware'), build]);
  return { program: path.join(build, 'middleware'), unpacked };
}

/** Libraries that the add-on of a package takes from the computer, but for those of the C library. */
function librariesElsewhere(project: string): readonly string[] {
  const env = { ...process.env, LD_LIBRARY_PATH: path.join(project, 'lib') };
  const addOn = path.join(project, 'build/native/hlc_dds.node');
  const { stdout } = spawnSync('ldd', [addOn], { env, encoding: 'utf8' });
  expect(stdout).toContain(path.join(project, 'lib/libddsc.so'));
  return stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.includes('=>') && !line.includes(project))
    .filter((line) => !/^lib(c|m|dl|rt|pthread)\.so/.test(line));
}

describe('hlc-middleware install-cpm-lab', () => {
  it('starts this middleware in the place of the original, here and on the computers of the lab', async () => {
    const lab = cpmLabSoftware();
    expect((await install(lab, '--apply')).code).toBe(0);
    expect(lab.isExecutable(lab.program)).toBe(true);
    expect(lab.textOf(lab.qosFile)).not.toContain('TEMPLATE_IP');
    const here = startProgram(lab.program);
    expect(here.stderr).toContain('waiting for controllers: 1, 2');
    expect(here.status).toBe(3);

    const { program, unpacked } = bootComputer(lab);
    expect(existsSync(path.join(unpacked, 'QOS_LOCAL_COMMUNICATION.xml.template'))).toBe(true);
    const there = startProgram(program, { HLC_PACKAGE_FOLDER: unpacked });
    expect(there.stderr).toContain('waiting for controllers: 1, 2');
    expect(there.status).toBe(3);
    expect(librariesElsewhere(path.join(unpacked, 'hlc-middleware'))).toEqual([]);
    rmSync(unpacked, { recursive: true });
    const lost = startProgram(program, { HLC_PACKAGE_FOLDER: unpacked });
    expect(lost.status).toBe(1);
    expect(lost.stderr).toContain('restart the computer');
  });

  it('is installed again by each build of the lab, also by one whose unit tests fail, until --undo', async () => {
    const lab = cpmLabSoftware();
    lab.build();
    await install(lab, '--apply');
    const { status, stdout } = lab.build(1);
    expect(status).toBe(1);
    expect(stdout).toContain('done: ');
    expect(lab.textOf(lab.program)).toContain('--compat=cpm-lab');
    expect(lab.textOf(`${lab.program}.original`)).toBe(lab.original.program);
    expect(lab.textOf(bootComputer(lab).program)).toContain('HLC_PACKAGE_FOLDER');

    const planned = await install(lab, '--undo');
    expect(planned.output.join('\n')).toContain(
      `would rename ${lab.program}.original to middleware`,
    );
    expect(lab.textOf(lab.program)).toContain('--compat=cpm-lab');
    expect((await install(lab, '--undo', '--apply')).code).toBe(0);
    expect(lab.textOf(lab.program)).toBe(lab.original.program);
    expect(lab.isExecutable(lab.program)).toBe(true);
    expect(lab.textOf(lab.buildScript)).toBe(lab.original.buildScript);
    expect(lab.isExecutable(lab.buildScript)).toBe(true);
    expect(lab.textOf(bootComputer(lab).program)).toBe(lab.original.program);
    expect((await install(lab, '--undo')).output).toEqual(['Nothing to do.']);
  });
});
