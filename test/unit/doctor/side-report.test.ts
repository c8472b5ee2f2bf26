import { describe, expect, it } from 'vitest';
import type { ReadySignal } from '../../../src/diagnosis/index.js';
import type { DiscoveredParticipant } from '../../../src/ports/index.js';
import { doctorReport } from '../../../src/doctor/index.js';
import { reportText } from '../../../src/doctor/report-text.js';
import { sideFindings, sideReport } from '../../../src/doctor/side-report.js';
import { findingReport } from '../../../src/node/index.js';
import { pageOf } from '../../support/markdown.js';
import {
  controllerSide,
  discoveredOn,
  labSide,
  participant,
  readyWriter,
} from '../diagnosis/discovered.js';

const one = participant(readyWriter);
const two = participant({ ...readyWriter, qos: { reliability: { kind: 'reliable' } } });
const signal = ({ guidPrefix }: DiscoveredParticipant, sourceId: string): ReadySignal => ({
  sourceId,
  guidPrefix,
});

const controllers = (signals: ReadySignal[] = [], all = [one, two]) => ({
  local: controllerSide,
  discovered: discoveredOn(1, ...all),
  signals,
});

describe('the mismatches of a side', () => {
  it('are none without participants, and with matching controllers', () => {
    expect(sideFindings(controllers([], []), labSide, [1])).toEqual([]);
    expect(sideFindings(controllers([signal(one, 'hlc_1')], [one]), labSide, [1])).toEqual([]);
  });

  it('are QoS, ids of no controller, and ids of two programs', () => {
    const signals = [signal(one, 'hlc_1'), signal(two, 'hlc_1'), signal(two, 'hlc_4')];
    const found = sideFindings(controllers(signals), labSide, [1]);
    expect(found.map(({ kind }) => kind)).toEqual(['qosMismatch', 'otherIds', 'sameControllerId']);
    expect(found[1]).toMatchObject({ sourceIds: ['hlc_4'] });
    expect(found[2]).toMatchObject({
      sourceIds: ['hlc_1'],
      guidPrefixes: [one.guidPrefix, two.guidPrefix],
    });
  });

  it('are two middlewares with the same node id, by their names or their sign-ins', () => {
    const named = [1, 2].map(() => ({ ...participant(), name: 'hlc-middleware/m' }));
    const lab = { local: labSide, discovered: discoveredOn(0, ...named), signals: [] };
    expect(sideFindings(lab, controllerSide, [1])).toMatchObject([
      { kind: 'sameNodeId', sourceIds: ['m'], domainId: 0 },
    ]);
    const unnamed = [participant(), participant()];
    const signals = unnamed.map((who) => signal(who, 'middleware'));
    const original = { local: labSide, discovered: discoveredOn(0, ...unnamed), signals };
    expect(sideFindings(original, controllerSide, [1])).toMatchObject([
      { kind: 'sameNodeId', sourceIds: ['middleware'] },
    ]);
  });

  it('are controllers on the domain of the lab', () => {
    const list = { kind: 'reader', topic: 'vehicleStateList', typeName: 'T', qos: {} } as const;
    const lab = { local: labSide, discovered: discoveredOn(0, participant(list)), signals: [] };
    expect(sideFindings(lab, controllerSide, [1])).toMatchObject([{ kind: 'wrongSide' }]);
  });
});

/** A report in which every field is present. */
function fullReport() {
  const named = { ...one, name: 'a name' };
  const other = participant({ ...readyWriter, typeName: 'T' });
  const side = controllers([signal(named, 'hlc_4'), signal(two, 'hlc_4')], [named, two, other]);
  return doctorReport.parse({
    healthy: false,
    listened_ms: 2000,
    checks: [{ name: 'CPUs', state: 'advice', found: '1', advice: 'get a second one' }],
    domains: [sideReport(side)],
    domains_in_use: [0, 1],
    findings: sideFindings(side, labSide, [1]).map((finding) => findingReport(finding)),
  });
}

describe('the report', () => {
  it('says of each endpoint whether it fits', () => {
    const extra = { kind: 'writer', topic: 'elsewhere', typeName: 'T', qos: {} } as const;
    const side = controllers([], [participant(readyWriter, extra), two]);
    const fits = sideReport(side).participants.map(({ endpoints }) => endpoints.map((e) => e.fits));
    expect(fits).toEqual([[true, null], [false]]);
  });

  it('prints each finding with what to do', () => {
    const text = reportText(fullReport(), false);
    expect(text).toContain('  ! CPUs: 1\n      get a second one\n');
    expect(text).toContain('Discovered on DDS domain 1, the controller side, within 2000 ms\n');
    expect(text).toContain(
      `  a name, python3, process 42, lab-pc, Cyclone DDS (${one.guidPrefix})\n`,
    );
    expect(text).toContain('    ready signals: "hlc_4"\n');
    expect(text).toContain(
      '    writer readyStatus (ReadyStatus), reliable, volatile: does not fit\n',
    );
    expect(text).toContain('Programs of this machine use DDS domain 0, 1.\n');
    expect(text).toMatch(/✗ 4 problems\n$/);
    expect(text).not.toContain('\u001b');
    expect(reportText(fullReport(), true)).toContain('\u001b[');
  });

  it('has one row in docs/reference/doctor.md for each field', () => {
    const fields = new Set<string>();
    const note = (value: unknown, place: string) => {
      if (Array.isArray(value)) for (const item of value) note(item, `${place}[]`);
      else if (typeof value === 'object' && value !== null) {
        for (const [key, inner] of Object.entries(value)) {
          note(inner, place === '' ? key : `${place}.${key}`);
        }
      } else fields.add(place);
    };
    note(fullReport(), '');
    const rows = Array.from(
      (pageOf('docs/reference/doctor.md').text.split('## The report as JSON')[1] ?? '').matchAll(
        /^\| `([\w.[\]]+)`/gm,
      ),
      ([, field = '']) => field,
    );
    expect(rows.sort()).toEqual([...fields].sort());
  });
});
