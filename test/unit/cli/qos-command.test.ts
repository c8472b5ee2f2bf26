import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { run } from './run.js';

const shipped = (name: string): string =>
  fileURLToPath(new URL(`../../../qos/${name}`, import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync('/tmp/hlc-qos-');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const fileWith = (text: string): string => {
  const path = join(folder, 'qos.xml');
  writeFileSync(path, text);
  return path;
};

describe('hlc-middleware qos check', () => {
  it('prints the QoS that each entity of both sides gets', async () => {
    const { exitCode, out, error } = await run(`qos check ${shipped('default.xml')}`);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
    expect(out).toMatch(/^lab side, profile HlcMiddleware::Lab$/m);
    expect(out).toMatch(/^controller side, profile HlcMiddleware::Controller$/m);
    expect(out).toMatch(
      /^ {2}writer vehicleStateList\n {4}reliability: reliable, blocks at most 1 ms\n {4}durability: volatile\n {4}history: keep last 1$/m,
    );
    expect(out).toMatch(
      /^ {2}reader vehicleState \(the second one, for best-effort writers\)\n {4}reliability: best-effort$/m,
    );
    expect(out).toMatch(/\nno warnings\n$/);
  });

  it('can be asked about one side', async () => {
    const { out } = await run(`qos check ${shipped('cpm-lab.xml')} --side=controller`);
    expect(out).toMatch(/^controller side, profile CpmLab::Controller\n/);
    expect(out).not.toContain('lab side');
    expect(out).not.toContain('vehicleObservation');
  });

  it('prints what has no effect, and its line', async () => {
    const path = fileWith(`<dds><qos_library name="L"><qos_profile name="P" is_default_qos="true">
      <participant_qos><database/></participant_qos>
    </qos_profile></qos_library></dds>`);
    const { exitCode, out } = await run(`qos check ${path}`);
    expect(exitCode).toBe(0);
    expect(out).toContain(`${path}:2: `);
    expect(out).toContain('<database> is an extension of RTI Connext and has no effect here.');
  });

  it('refuses a template of the CPM Lab whose address was not filled in', async () => {
    const path = fileWith(`<dds><qos_library name="L"><qos_profile name="P"><participant_qos>
      <discovery><initial_peers>
        <element>localhost</element><element>30@TEMPLATE_IP</element>
      </initial_peers></discovery>
    </participant_qos></qos_profile></qos_library></dds>`);
    const { exitCode, error } = await run(`qos check ${path}`);
    expect(exitCode).toBe(2);
    expect(error).toContain(`${path}:3: `);
    expect(error).toContain('the address of this computer in place of TEMPLATE_IP');
  });

  it('reports that the peers of the file are used on the lab side, and only there', async () => {
    const path = fileWith(`<dds><qos_library name="L"><qos_profile name="P"><participant_qos>
      <discovery><initial_peers><element>rtps@udpv4://192.0.2.9:25598</element></initial_peers></discovery>
    </participant_qos></qos_profile></qos_library></dds>`);
    const lab = await run(`qos check ${path} --side=lab`);
    expect(lab.out).toContain('the discovery peer rtps@udpv4://192.0.2.9:25598 is used\n');
    const controller = await run(`qos check ${path} --side=controller`);
    expect(controller.out).toContain('25598 has no effect on the controller side\n');
  });

  it('reports a write that may hold up a period', async () => {
    const path = fileWith(`<dds><qos_library name="L"><qos_profile name="P">
      <datawriter_qos><reliability><kind>RELIABLE_RELIABILITY_QOS</kind>
        <max_blocking_time><sec>2</sec><nanosec>0</nanosec></max_blocking_time>
      </reliability></datawriter_qos>
    </qos_profile></qos_library></dds>`);
    const { out } = await run(`qos check ${path} --side=lab`);
    expect(out).toMatch(/^ {4}note: A slow reader can block a write for 2000 ms; /m);
  });

  it.each([
    ['<dds><qos_library name="L"/></dds>', 'HLC_QOS_PROFILE', 'the file has no profile'],
    ['<dds>', 'HLC_QOS_XML', 'qos.xml:1: '],
  ])('ends with exit code 2 and one sentence for %s', async (text, code, words) => {
    const { exitCode, out, error } = await run(`qos check ${fileWith(text)}`);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(error).toContain(words);
    expect(error).toMatch(new RegExp(`^hlc-middleware: [^\n]* \\[${code}\\]\n$`));
  });

  it('ends with exit code 2 when the file cannot be read', async () => {
    const { exitCode, error } = await run(`qos check ${join(folder, 'none.xml')}`);
    expect(exitCode).toBe(2);
    expect(error).toMatch(/cannot be read \(ENOENT.*\[HLC_QOS_FILE\]\n$/);
  });
});
