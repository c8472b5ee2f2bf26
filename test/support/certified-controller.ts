import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';
import { checkReportSchema, type CheckReport } from '../../src/certify/judging/index.js';
import { isolatedCycloneUri } from './isolation.js';
import { loopbackUri } from './loopback-uri.js';
import { cliProgram } from './middleware.js';

const defectiveController = fileURLToPath(
  new URL('../peers/controllers/main.mjs', import.meta.url),
);

/** How a check ended. */
export interface CheckOutcome {
  readonly code: number | null;
  readonly report: CheckReport;
}

/** How a check is started. */
export interface CheckStart {
  readonly ids?: string;
  readonly periodMs?: number;
  /** The check starts the controller; otherwise the test does. */
  readonly byCheck?: boolean;
  /** Beside it the check keeps its finding; by default it keeps none. */
  readonly controlSocket?: string;
}

/** A controller in test/peers/controllers with this defect, and the only rule that it breaks. */
export interface Defect {
  readonly name: string;
  readonly rule: string;
  readonly options?: CheckStart;
}

export const defects: readonly Defect[] = [
  { name: 'wrong-source-id', rule: 'ready-id' },
  { name: 'volatile-ready', rule: 'ready-kept' },
  { name: 'keeps-one-ready', rule: 'ready-kept', options: { ids: '1,2' } },
  { name: 'pauses', rule: 'reply' },
  { name: 'slow', rule: 'reply-time', options: { periodMs: 150 } },
  { name: 'future-stamps', rule: 'create-stamp' },
  { name: 'no-valid-after', rule: 'valid-after' },
  { name: 'commands-others', rule: 'own-vehicles' },
  { name: 'steers-too-far', rule: 'content' },
  { name: 'short-trajectory', rule: 'content' },
  { name: 'many-commands', rule: 'few-commands' },
  { name: 'free-running', rule: 'asked-only' },
  { name: 'backlog', rule: 'newest' },
  { name: 'needs-its-state', rule: 'survives' },
  { name: 'one-middleware', rule: 'rejoin' },
  { name: 'wall-clock-only', rule: 'simulated-reply' },
  { name: 'wall-clock-stamps', rule: 'simulated-stamps' },
  { name: 'ignores-stop', rule: 'stop' },
  { name: 'leaves-lock', rule: 'restart' },
];

/** A process that is gone when the test file is. */
function start(command: readonly string[], environment: NodeJS.ProcessEnv) {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/**
 * `hlc-middleware check` of a controller, in a lab of its own, to its end.
 * @param controller program and arguments; nothing starts when it is empty
 * @throws Error with the output of the check when it prints no report.
 */
export async function check(
  controller: readonly string[],
  { ids = '1', periodMs = 120, byCheck = true, controlSocket = 'off' }: CheckStart = {},
): Promise<CheckOutcome> {
  const environment = {
    ...process.env,
    CYCLONEDDS_URI: loopbackUri(isolatedCycloneUri()),
    CHECK_PERIOD_MS: String(periodMs),
  };
  const flags = [
    ...[`--vehicle-ids=${ids}`, `--period-ms=${periodMs}`, '--json'],
    `--control-socket=${controlSocket}`,
  ];
  const other = byCheck || controller.length === 0 ? undefined : start(controller, environment);
  const waits = controller.length === 0 ? ['--ready-timeout-ms=500'] : [];
  const after = byCheck && controller.length > 0 ? ['--', ...controller] : [];
  const command = [process.execPath, cliProgram, 'check', ...flags, ...waits, ...after];
  const program = start(command, environment);
  let output = '';
  let errors = '';
  program.stdout.on('data', (text: Buffer) => (output += text.toString()));
  program.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const code = await new Promise<number | null>((resolve) => program.once('close', resolve));
  other?.kill('SIGKILL');
  if (output === '') throw new Error(`The check printed no report: ${errors}`);
  return { code, report: checkReportSchema.parse(JSON.parse(output)) };
}

/** The check of a controller with this defect, or with `none`. */
export async function checkDefect(defect: string, options: CheckStart = {}): Promise<CheckOutcome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hlc-middleware-check-'));
  const controller = [process.execPath, defectiveController, defect, options.ids ?? '1', folder];
  try {
    return await check(controller, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The ids of the rules with this outcome. */
export function rulesWith({ rules }: CheckReport, outcome: string): string[] {
  return rules.filter((rule) => rule.outcome === outcome).map(({ id }) => id);
}

/** Checks mostly wait. */
const atATime = 5;

/**
 * Carries out these checks before the tests of the file, some at the same time, in this order.
 * @returns the outcome of the check with this name, for a test; throws what the check threw.
 */
export function checksBefore(
  checks: ReadonlyMap<string, () => Promise<CheckOutcome>>,
): (name: string) => CheckOutcome {
  const outcomes = new Map<string, PromiseSettledResult<CheckOutcome>>();
  beforeAll(async () => {
    const waiting = checks.entries();
    const work = async () => {
      for (const [name, run] of waiting) {
        const [outcome] = await Promise.allSettled([run()]);
        outcomes.set(name, outcome);
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
  }, 300_000);
  return (name) => {
    const outcome = outcomes.get(name);
    if (outcome?.status !== 'fulfilled') throw outcome?.reason ?? new Error(`no check "${name}"`);
    return outcome.value;
  };
}
