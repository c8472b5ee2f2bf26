import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { QosPolicies } from '../../../src/ports/index.js';
import { topics } from '../../../src/messages/index.js';
import { runCli } from '../../support/cli.js';
import { openOriginalLab } from '../../support/original-lab.js';
import { ScriptedController } from '../../support/scripted-controller.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { TopicRecorder } from '../../support/topic-recorder.js';
import { TopicSource } from '../../support/topic-source.js';

const keepAll = { kind: 'keep-all' } as const;
const lasting: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'transient-local' },
  history: keepAll,
  durabilityService: { history: keepAll },
};
const bestEffort: QosPolicies = { reliability: { kind: 'best-effort' } };

/** A file as the lab has it, where the address of this machine stands for the lab's. */
function labFile(name: string): string {
  const original = new URL(`../../unit/dds/qos/valid/${name}`, import.meta.url);
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, readFileSync(original, 'utf8').replaceAll('192.0.2.7', '127.0.0.1'));
  return file;
}

function fileWith(text: string): string {
  const file = path.join(temporaryFolder(), 'qos.xml');
  writeFileSync(file, text);
  return file;
}

describe('a QoS file', () => {
  it.each(['QOS_LOCAL_COMMUNICATION.xml', 'QOS_READY_TRIGGER.xml'])(
    'of the lab, %s, is taken as it is: controllers and vehicles are served with it',
    async (name) => {
      const lab = openOriginalLab();
      const labSide = lab.joinLab();
      const vehicles = lab.vehicles(labSide);
      const old = new TopicSource(labSide, topics.vehicleState, bestEffort);
      const { control, met, signedIn } = lab.realTimeControl({ side: labSide });
      const controllerSide = lab.join();
      const controller = new ScriptedController(controllerSide, { ids: [1, 2] });
      const ready = new TopicSource(controllerSide, topics.readyStatus, lasting);
      const middleware = lab.startMiddleware(
        `--qos_file=${labFile(name)}`,
        '--vehicle_ids=1,2',
        '--period_ms=50',
      );
      await Promise.all([met(), old.untilReadBy(1)]);
      // These files keep no ready signals for a middleware that reads them later.
      await ready.untilReadBy(1);
      for (const id of controller.ids) ready.write({ source_id: `hlc_${id}` });
      await signedIn('middleware');
      control.time.start(1n);
      await controller.startSignals.untilCount(1);
      vehicles.sendState({ vehicle_id: 1 });
      old.write({ vehicle_id: 2 });
      await controller.startSignals.until(
        ({ list }) => list.state_list.map(({ vehicle_id }) => vehicle_id).join() === '1,2',
      );
      await vehicles.commands.until(({ vehicleId }) => vehicleId === 2);
      control.time.stop();
      expect(await middleware.ended).toEqual({ code: 0, signal: null });
      expect(controller.triggers.items).toHaveLength(2);
      expect(middleware.summary().writes_failed).toEqual({});
    },
  );

  it('decides how a topic is offered: a reader that requests more is reported, and receives nothing', async () => {
    const file = fileWith(`<dds><qos_library name="Mine">
      <qos_profile name="Lab" base_name="HlcMiddleware::Lab"/>
      <qos_profile name="Controller" base_name="HlcMiddleware::Controller">
        <datawriter_qos topic_filter="vehicleStateList">
          <reliability><kind>BEST_EFFORT_RELIABILITY_QOS</kind></reliability>
        </datawriter_qos>
      </qos_profile>
    </qos_library></dds>`);
    const lab = openOriginalLab();
    const side = lab.join();
    const modest = new TopicRecorder(side, topics.vehicleStateList, bestEffort);
    const ready = new TopicSource(side, topics.readyStatus, lasting);
    const demanding = new TopicRecorder(lab.join(), topics.vehicleStateList);
    const middleware = lab.startMiddleware(
      `--qos_file=${file}`,
      '--vehicle_ids=1',
      '--period_ms=50',
      '--wait_for_start=false',
    );
    const refused = await middleware.untilLogged('a reader of topic vehicleStateList');
    expect(refused).toMatchObject({ topic: 'vehicleStateList', policy: 'RELIABILITY' });
    ready.write({ source_id: 'hlc_1' });
    await modest.messages.untilCount(3);
    expect(demanding.samples).toEqual([]);
    expect(demanding.writers).toBe(0);
  });

  it('is refused with its line and exit code 2 before anything starts when it is wrong', async () => {
    const file = fileWith(`<dds><qos_library name="Mine"><qos_profile name="Lab">
      <datareader_qos><history><depth>many</depth></history></datareader_qos>
    </qos_profile></qos_library></dds>`);
    const { code, output, errors } = await runCli('run', '--period-ms=50', `--qos_file=${file}`);
    expect({ code, output }).toEqual({ code: 2, output: [] });
    expect(errors).toEqual([expect.stringContaining(`${file}:2`)]);
    expect(errors[0]).toMatch(/depth.*many.*\[HLC_QOS_\w+\]$/);
  });

  it('of the lab is explained by "hlc-middleware qos check", topic by topic', async () => {
    const { code, output, errors } = await runCli(
      'qos',
      'check',
      labFile('QOS_LOCAL_COMMUNICATION.xml'),
    );
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    const block = (first: string) => {
      const begin = output.indexOf(first);
      const end = output.findIndex((line, i) => i > begin && !line.startsWith('    '));
      return output.slice(begin, end).map((line) => line.trim());
    };
    expect(output).toContain('lab side, profile MatlabLibrary::LocalCommunicationProfile');
    expect(output).toContain('controller side, profile MatlabLibrary::LocalCommunicationProfile');
    // Reliable from RTI's built-in base, one sample from the file itself.
    expect(block('  reader systemTrigger')).toEqual(
      expect.arrayContaining(['reliability: reliable', 'history: keep last 1']),
    );
    expect(block('  writer vehicleStateList')).toEqual(
      expect.arrayContaining([
        'history: keep all',
        expect.stringMatching(/^reliability: reliable/),
      ]),
    );
    const reported = output.filter((line) => line.includes('accept_unknown_peers'));
    expect(reported).toEqual([expect.stringMatching(/QOS_LOCAL_COMMUNICATION\.xml:10: /)]);
  });
});
