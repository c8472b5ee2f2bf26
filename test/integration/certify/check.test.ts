import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkReportSchema,
  reportText,
  rules,
  type CheckReport,
} from '../../../src/certify/judging/index.js';
import { isolatedCycloneUri } from '../../support/isolation.js';
import { loopbackUri } from '../../support/loopback-uri.js';
import { cliProgram } from '../../support/middleware.js';

const fromRoot = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));
const peer = fromRoot('test/peers/controllers/main.mjs');
const node = process.execPath;

interface Outcome {
  readonly code: number | null;
  readonly report: CheckReport;
  readonly errors: string;
}

interface Start {
  readonly ids?: string;
  readonly periodMs?: number;
  /** The check starts it; otherwise the test does. */
  readonly byCheck?: boolean;
}

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** A process that is gone when the test file is. */
function start(command: readonly string[], environment: NodeJS.ProcessEnv) {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/** `hlc-middleware check` of a controller, in a lab of its own, to its end. */
async function check(controller: readonly string[], options: Start = {}): Promise<Outcome> {
  const { ids = '1', periodMs = 120, byCheck = true } = options;
  const environment = {
    ...process.env,
    CYCLONEDDS_URI: loopbackUri(isolatedCycloneUri()),
    CHECK_PERIOD_MS: String(periodMs),
  };
  const flags = [`--vehicle-ids=${ids}`, `--period-ms=${periodMs}`, '--json'];
  const other = byCheck || controller.length === 0 ? undefined : start(controller, environment);
  const waits = controller.length === 0 ? ['--ready-timeout-ms=500'] : [];
  const after = byCheck && controller.length > 0 ? ['--', ...controller] : [];
  const program = start([node, cliProgram, 'check', ...flags, ...waits, ...after], environment);
  let output = '';
  let errors = '';
  program.stdout.on('data', (text: Buffer) => (output += text.toString()));
  program.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const code = await new Promise<number | null>((resolve) => program.once('close', resolve));
  other?.kill('SIGKILL');
  const report = checkReportSchema.parse(JSON.parse(output === '' ? '{}' : output));
  return { code, report, errors };
}

function withDefect(defect: string, options: Start = {}): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hlc-middleware-check-'));
  folders.push(folder);
  return check([node, peer, defect, options.ids ?? '1', folder], options);
}

const idsOf = ({ rules }: CheckReport, outcome: string) =>
  rules.filter((rule) => rule.outcome === outcome).map(({ id }) => id);

/** Each defect, the rule that it breaks, and what else cannot be tested then. */
const defects: readonly (readonly [defect: string, rule: string, options?: Start])[] = [
  ['wrong-source-id', 'ready-id'],
  ['volatile-ready', 'ready-kept'],
  ['keeps-one-ready', 'ready-kept', { ids: '1,2' }],
  ['pauses', 'reply'],
  ['slow', 'reply-time', { periodMs: 150 }],
  ['future-stamps', 'create-stamp'],
  ['no-valid-after', 'valid-after'],
  ['commands-others', 'own-vehicles'],
  ['steers-too-far', 'content'],
  ['short-trajectory', 'content'],
  ['many-commands', 'few-commands'],
  ['free-running', 'asked-only'],
  ['backlog', 'newest'],
  ['needs-its-state', 'survives'],
  ['one-middleware', 'rejoin'],
  ['wall-clock-only', 'simulated-reply'],
  ['wall-clock-stamps', 'simulated-stamps'],
  ['ignores-stop', 'stop'],
  ['leaves-lock', 'restart'],
];

/** Controllers that keep all rules. */
const sound: readonly (readonly [name: string, run: () => Promise<Outcome>])[] = [
  ['without a defect', () => withDefect('none')],
  ['in C', () => check([fromRoot('build/examples/c/controller'), '--vehicle-id', '1'])],
  ...['trajectory', 'path'].map((kind) => {
    const example = fromRoot('build/examples/typescript/oval-controller.js');
    return [
      `in TypeScript, with kind ${kind}`,
      () => check([node, example, '--vehicle-id', '1', '--command', kind]),
    ] as const;
  }),
  [
    'of two vehicles, with the SDK',
    () => check([node, cliProgram, 'drive', '--vehicle-ids=1,2'], { ids: '1,2' }),
  ],
];

const startedBefore = () => withDefect('none', { byCheck: false });
const nobody = () => check([]);
const others: readonly (readonly [name: string, run: () => Promise<Outcome>])[] = [
  ['started before', startedBefore],
  ['nobody', nobody],
];

/** Checks are mostly waiting, so that several go on at a time. */
const atATime = 5;
const results = new Map<string, Outcome>();

beforeAll(async () => {
  const waiting: (readonly [string, () => Promise<Outcome>])[] = [
    ...sound,
    ...others,
    ...defects.map(([defect, , options]) => [defect, () => withDefect(defect, options)] as const),
  ];
  // The longest first.
  waiting.sort(([a], [b]) => Number(b === 'slow') - Number(a === 'slow'));
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, run] = next;
      // What fails here is run again by its test, which then tells why.
      const outcome = await run().catch(() => undefined);
      if (outcome !== undefined) results.set(name, outcome);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
}, 300_000);

/** What the check in the background said; checked again when a test is tried again. */
async function resultOf(name: string, again: () => Promise<Outcome>): Promise<Outcome> {
  const known = results.get(name);
  results.delete(name);
  return known ?? again();
}

const options = { timeout: 60_000 };

describe('hlc-middleware check', () => {
  it.each(sound)('passes a controller %s', options, async (name, run) => {
    const { code, report } = await resultOf(name, run);
    expect(idsOf(report, 'fail'), reportText(report)).toEqual([]);
    expect(idsOf(report, 'not-tested'), reportText(report)).toEqual([]);
    expect(code).toBe(0);
  });

  it.each(defects.map(([defect, rule, start]) => ({ defect, rule, start })))(
    'finds that a controller with defect $defect breaks rule $rule, and no other',
    options,
    async ({ defect, rule, start }) => {
      const { code, report } = await resultOf(defect, () => withDefect(defect, start));
      expect(idsOf(report, 'fail'), reportText(report)).toEqual([rule]);
      expect(code).toBe(1);
    },
  );

  it('has a controller for every rule that breaks it', () => {
    const broken = new Set(defects.map(([, rule]) => rule));
    expect([...broken].sort()).toEqual(rules.map(({ id }) => id).sort());
  });

  it('checks a controller that was started before it, all but the restart', options, async () => {
    const { code, report } = await resultOf('started before', startedBefore);
    expect(idsOf(report, 'fail'), reportText(report)).toEqual([]);
    expect(idsOf(report, 'not-tested')).toEqual(['restart']);
    expect(code).toBe(0);
  });

  it('ends with exit code 3 when no controller appears', async () => {
    const { code, report } = await resultOf('nobody', nobody);
    expect(code).toBe(3);
    expect(report).toMatchObject({ appeared: false, passed: 0 });
    expect(idsOf(report, 'fail')).toEqual(['ready-id']);
  });
});
