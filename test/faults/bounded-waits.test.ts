import { describe, expect, it } from 'vitest';
import type { QosPolicies } from '../../src/ports/index.js';
import { middlewareParameters } from '../../src/lab/index.js';
import { topics } from '../../src/messages/index.js';
import type { Middleware } from '../support/middleware.js';
import { openOriginalLab } from '../support/original-lab.js';
import { openTestLab, type TestLab } from '../support/test-lab.js';
import { faultTest } from './fault-row.js';

const keepAll = { kind: 'keep-all' } as const;
const readyQos: QosPolicies = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'transient-local' },
  history: keepAll,
};
const modes = [
  { mode: 'real time', flags: [] },
  { mode: 'simulated time', flags: ['--simulated-time', '--time-source=self'] },
] as const;

/** The sentence with which a program ended. */
function lastSentence(middleware: Middleware): string {
  const { items } = middleware.program.stderr;
  return items.findLast((line) => line.startsWith('hlc-middleware: ')) ?? '';
}

/** A middleware of one controller whose wait for ready signals ends after so long. */
async function untilGivenUp(
  lab: TestLab,
  timeoutMs: number,
  flags: readonly string[] = [],
): Promise<Middleware> {
  const middleware = lab.startMiddleware(
    '--vehicle-ids=1',
    '--period-ms=50',
    `--ready-timeout-ms=${timeoutMs}`,
    ...flags,
  );
  expect(await middleware.ended).toEqual({ code: 3, signal: null });
  return middleware;
}

/** What of a sentence is to stand in the table; all of it when the part is not there. */
function partOf(sentence: string, part: RegExp): string {
  return part.exec(sentence)?.[0] ?? sentence;
}

function waitedSeconds(middleware: Middleware, text: string): number[] {
  return middleware.logged(text).map(({ waited_s }) => Number(waited_s));
}

/** The kinds of the log lines about a wait that is over, in their order. */
function findings(middleware: Middleware): string[] {
  return middleware.logs.items.flatMap(({ finding }) =>
    finding === undefined ? [] : [(finding as { kind: string }).kind],
  );
}

describe('the wait for ready signals', () => {
  for (const { mode, flags } of modes) {
    faultTest(
      {
        row: 1,
        fault: 'two of three controllers never appear',
        mode,
        expected: 'the missing named every 2 s; exit 3 after --ready-timeout-ms, with a diagnosis',
      },
      async (measured) => {
        const lab = openTestLab();
        const controller = lab.controller({ ids: [1] });
        const middleware = lab.startMiddleware(
          '--vehicle-ids=1,2,7',
          '--period-ms=50',
          '--ready-timeout-ms=4500',
          ...flags,
        );
        await middleware.untilLogged('waiting for controllers');
        controller.signIn();
        expect(await middleware.ended).toEqual({ code: 3, signal: null });
        const named = 'waiting for the ready signals of controllers 2, 7 on DDS domain 1';
        const waited = waitedSeconds(middleware, named);
        measured(`named after ${waited.map((at) => at.toFixed(2)).join(', ')} s, then exit 3`);
        expect(waited.map(Math.floor)).toEqual([2, 4, 4]);
        expect(lastSentence(middleware)).toMatch(
          /The ready signals of controllers 2, 7 did not come within 4500 ms on DDS domain 1: .*could send the ready signals of controllers 2, 7 on DDS domain 1, and did not; .*\[HLC_READY_TIMEOUT\]$/,
        );
        expect(findings(middleware)).toEqual(['nothingSent']);
        expect(controller.startSignals.items).toEqual([]);
      },
    );
  }

  it('names the ids that sent ready signals and are not awaited', async () => {
    const lab = openTestLab();
    const controller = lab.controller({ ids: [3] });
    const middleware = lab.startMiddleware(
      '--vehicle-ids=1',
      '--period-ms=50',
      '--ready-timeout-ms=1500',
    );
    controller.signIn('hlc_3', 'HLC_1');
    expect(await middleware.ended).toEqual({ code: 3, signal: null });
    expect(lastSentence(middleware)).toContain(
      'ready signals came from "hlc_3", "HLC_1" on DDS domain 1, which are no controllers of this middleware; give their ids with --vehicle-ids',
    );
    expect(findings(middleware)).toEqual(['otherIds']);
  });

  for (const { mode, flags } of modes) {
    faultTest(
      {
        row: 18,
        fault: 'the controllers are on another DDS domain',
        mode,
        expected:
          'says that this domain has no participants, and on which domains this machine has programs',
      },
      async (measured) => {
        const lab = openTestLab();
        lab.joinDomain(87);
        const middleware = await untilGivenUp(lab, 700, flags);
        const sentence = lastSentence(middleware);
        measured(`exit 3: ${partOf(sentence, /no participants seen [^;]*; [^;]*/)}`);
        expect(sentence).toMatch(
          /no participants seen on DDS domain 1; programs of this machine are on DDS domain [\d, ]*\b87\b/,
        );
        expect(sentence).toContain('--domain-number');
        expect(findings(middleware)).toEqual(['noParticipants']);
      },
    );

    faultTest(
      {
        row: 19,
        fault: 'a writer of ready signals whose QoS does not fit',
        mode,
        expected: 'named with each policy and both values',
      },
      async (measured) => {
        const lab = openTestLab();
        lab
          .join('controllers')
          .createWriter(topics.readyStatus, { reliability: { kind: 'best-effort' } });
        const middleware = await untilGivenUp(lab, 1000, flags);
        const sentence = lastSentence(middleware);
        measured(`exit 3: ${partOf(sentence, /it offers RELIABILITY .*?(?=; let)/)}`);
        expect(sentence).toMatch(
          new RegExp(
            `the writer of topic readyStatus of node, process ${process.pid} on \\S+ does not fit: ` +
              'it offers RELIABILITY best-effort, and this middleware requests reliable; ' +
              'it offers DURABILITY volatile, and this middleware requests transient-local; ' +
              'let that writer offer RELIABILITY reliable, let that writer offer DURABILITY transient-local',
          ),
        );
        expect(findings(middleware)).toEqual(['qosMismatch']);
      },
    );

    faultTest(
      {
        row: 19,
        fault: 'a topic with another type',
        mode,
        expected: 'named with both types',
      },
      async (measured) => {
        const lab = openTestLab();
        const { name } = topics.readyStatus;
        const { typeName } = topics.systemTrigger;
        lab.join('controllers').createWriter({ name, typeName }, readyQos);
        const middleware = await untilGivenUp(lab, 1000, flags);
        const sentence = lastSentence(middleware);
        measured(`exit 3: ${partOf(sentence, /has the type \w+, [^;]* is \w+/)}`);
        expect(sentence).toContain(
          'has the type SystemTrigger, and the type of this topic is ReadyStatus',
        );
        expect(findings(middleware)).toEqual(['typeMismatch']);
      },
    );
  }

  it('says that what is there belongs to the other side', async () => {
    const lab = openTestLab();
    const vehicles = lab.joinDomain(1);
    vehicles.createWriter(topics.vehicleState, { reliability: { kind: 'reliable' } });
    const middleware = await untilGivenUp(lab, 1000);
    expect(lastSentence(middleware)).toContain(
      'DDS domain 1 is the controller side, and has what looks like vehicles',
    );
    expect(findings(middleware)).toEqual(['wrongSide']);
  });
});

describe('the wait for the lab', () => {
  it('for a parameter ends with exit code 3 and says that no participant is there', async () => {
    const lab = openOriginalLab();
    const middleware = lab.startMiddleware('--vehicle_ids=1', '--parameter-timeout-ms=2500');
    expect(await middleware.ended).toEqual({ code: 3, signal: null });
    const named =
      "waiting for the parameter middleware_period_ms of the lab's parameter server on DDS domain ";
    expect(waitedSeconds(middleware, named)).toEqual([1, 2]);
    expect(lastSentence(middleware)).toMatch(
      /did not answer for middleware_period_ms within 2500 ms on DDS domain \d+: no participants seen on DDS domain \d+.*\[HLC_PARAMETER_TIMEOUT\]$/,
    );
  });

  it.each([
    ['real time', []],
    ['simulated time', ['--simulated_time=true']],
  ])(
    'for its trigger names it every 2 s, then ends with exit code 3, in %s',
    async (mode, flags) => {
      const lab = openOriginalLab();
      const { met } = lab.realTimeControl({ parameters: middlewareParameters(40n, [1]) });
      const controller = lab.controller({ ids: [1] });
      const middleware = lab.startMiddleware(
        '--vehicle_ids=1',
        '--start-timeout-ms=4500',
        ...flags,
      );
      await met();
      controller.signIn();
      expect(await middleware.ended).toEqual({ code: 3, signal: null });
      const named = 'waiting for the system trigger of the lab control';
      const waited = waitedSeconds(middleware, named);
      expect(waited.map(Math.floor)).toEqual([2, 4, 4]);
      expect(middleware.logged(named)[0]?.msg).toMatch(/on DDS domain \d+$/);
      expect(lastSentence(middleware)).toMatch(
        /could send the system trigger on DDS domain \d+, and did not.*\[HLC_START_TIMEOUT\]$/,
      );
    },
  );
});
