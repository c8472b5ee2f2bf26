import { describe, expect, it } from 'vitest';
import { doctorReport, type DoctorReport } from '../../../src/doctor/index.js';
import { topics } from '../../../src/messages/index.js';
import { ChildProgram } from '../../support/child-program.js';
import { cliProgram } from '../../support/middleware.js';
import { openTestLab, type TestLab } from '../../support/test-lab.js';

/** Participants discover each other within this time, also on a busy machine. */
const listenMs = 3000;

/** Runs `hlc-middleware doctor` in this lab. */
async function doctor(lab: TestLab, ...flags: string[]) {
  const args = [cliProgram, 'doctor', `--listen-ms=${listenMs}`, ...flags];
  const program = new ChildProgram('the doctor', process.execPath, args, lab.uri);
  const { code } = await program.ended;
  return { code, text: program.stdout.items.join('\n') };
}

async function report(
  lab: TestLab,
  ...flags: string[]
): Promise<DoctorReport & { readonly code: number | null }> {
  const { code, text } = await doctor(lab, '--json', ...flags);
  return { ...doctorReport.parse(JSON.parse(text)), code };
}

const side = ({ domains }: DoctorReport, name: 'lab' | 'controller') =>
  domains.find((domain) => domain.side === name);

describe('the doctor', () => {
  it('finds nothing wrong on empty domains, and reports the machine', async () => {
    const lab = openTestLab();
    const found = await report(lab, '--listen-ms=300');
    expect(found).toMatchObject({ code: 0, healthy: true, listened_ms: 300, findings: [] });
    expect(found.domains.map(({ participants }) => participants)).toEqual([[], []]);
    const names = found.checks.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['Cyclone DDS', 'interface of the lab side', 'wall clock']),
    );
    expect(found.checks.find(({ name }) => name === 'Cyclone DDS')?.found).toMatch(
      /libddsc\.so\.0\.10\.2$/,
    );
    const { code, text } = await doctor(lab, '--listen-ms=300');
    expect(code).toBe(0);
    expect(text).toMatch(/^This machine\n/);
    expect(text).toContain('! no problem found, and no participant discovered');
    expect(text).not.toContain('\u001b');
  });

  it('finds nothing wrong with a middleware, its controllers and vehicles', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [1] });
    lab.join('lab').createWriter(topics.vehicleState, { reliability: { kind: 'best-effort' } });
    const middleware = lab.startMiddleware('--vehicle-ids=1,2', '--period-ms=50');
    await middleware.untilLogged('waiting for controllers');
    controller.signIn();
    const found = await report(lab, '--vehicle-ids=1,2');
    expect(found).toMatchObject({ code: 0, healthy: true, findings: [] });
    for (const name of ['lab', 'controller'] as const) {
      const names = side(found, name)?.participants.map((participant) => participant.name);
      expect(names).toContain('hlc-middleware/middleware');
    }
    expect(side(found, 'controller')?.ready_signals).toMatchObject([{ source_id: 'hlc_1' }]);
  });

  it('lists who is on a domain that was not meant, and says which side that is (row 18)', async () => {
    const lab = openTestLab();
    // A controller on the domain of the lab, and no participant on its own.
    lab.joinDomain(0).createReader(topics.vehicleStateList, {}, { onSample: () => undefined });
    const found = await report(lab);
    console.log(`row 18, doctor: ${found.findings.map(({ what }) => what).join('; ')}`);
    expect(found.code).toBe(2);
    expect(found.findings).toMatchObject([{ kind: 'wrongSide', domain_id: 0 }]);
    expect(found.domains_in_use).toContain(0);
    expect(side(found, 'controller')?.participants).toEqual([]);
    expect(side(found, 'lab')?.participants).toMatchObject([
      { pid: process.pid, endpoints: [{ kind: 'reader', topic: 'vehicleStateList' }] },
    ]);
  });

  it('names types, policies and ids that do not fit, and ids that two have (row 19)', async () => {
    const lab = openTestLab();
    const { name } = topics.vehicleCommandDirect;
    const odd = lab.join('controllers');
    odd.createWriter({ name, typeName: 'VehicleState' }, {});
    odd.createWriter(topics.readyStatus, { reliability: { kind: 'best-effort' } });
    const first = lab.controller({ ids: [7] });
    const second = lab.controller({ ids: [7] });
    first.signIn();
    second.signIn();
    const found = await report(lab, '--vehicle-ids=1');
    const kinds = found.findings.map(({ kind }) => kind);
    console.log(`row 19, doctor: ${found.findings.map(({ what }) => what).join('; ')}`);
    expect(found.code).toBe(2);
    expect(kinds.sort()).toEqual(['otherIds', 'qosMismatch', 'sameControllerId', 'typeMismatch']);
    const of = (kind: string) => found.findings.find((finding) => finding.kind === kind);
    expect(of('typeMismatch')?.types).toEqual({
      discovered: 'VehicleState',
      local: 'VehicleCommandDirect',
    });
    expect(of('qosMismatch')?.mismatches).toEqual([
      { policy: 'RELIABILITY', policy_id: 11, requested: 'reliable', offered: 'best-effort' },
      { policy: 'DURABILITY', policy_id: 2, requested: 'transient-local', offered: 'volatile' },
    ]);
  });

  it('prints what does not fit, with what to do', async () => {
    const lab = openTestLab();
    lab.join('controllers').createWriter(topics.readyStatus, { reliability: { kind: 'reliable' } });
    const { code, text } = await doctor(lab);
    expect(code).toBe(2);
    expect(text).toMatch(
      /Mismatches\n {2}✗ .*it offers DURABILITY volatile, and this middleware requests transient-local\n {6}let that writer offer DURABILITY transient-local/,
    );
    expect(text).toMatch(/✗ 1 problem$/);
  });

  it('reports an interface that does not exist, and still the machine', async () => {
    const lab = openTestLab();
    const found = await report(lab, '--interface=nosuch0', '--listen-ms=100');
    expect(found).toMatchObject({ code: 2, healthy: false, domains: [] });
    const problems = found.checks.filter(({ state }) => state === 'problem');
    expect(problems.map((check) => check.name)).toEqual([
      'DDS',
      'interface of the lab side',
      'interface of the controller side',
    ]);
  });
});
