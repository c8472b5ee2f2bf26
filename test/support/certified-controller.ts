import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';
import {
  certificationReportSchema,
  type CertificationReport,
} from '../../src/certify/judging/index.js';
import { isolatedCycloneUri } from './isolation.js';
import { loopbackUri } from './loopback-uri.js';
import { cliProgram } from './middleware.js';

const defectiveController = fileURLToPath(
  new URL('../peers/controllers/main.mjs', import.meta.url),
);

/** How a certification ended. */
export interface CertificationOutcome {
  readonly code: number | null;
  readonly report: CertificationReport;
}

/** How a certification is started. */
export interface CertificationStart {
  readonly ids?: string;
  readonly periodMs?: number;
  /** The command starts the controller; otherwise the test does. */
  readonly startedByIt?: boolean;
  /** Beside it the command keeps its finding; by default it keeps none. */
  readonly controlSocket?: string;
}

/** A controller in test/peers/controllers with this defect, and the only rule that it breaks. */
export interface Defect {
  readonly name: string;
  readonly rule: string;
  readonly options?: CertificationStart;
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

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A process that is gone when the test file is. */
function start(command: readonly string[], environment: NodeJS.ProcessEnv) {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/**
 * `hlc-middleware certify` of a controller, in a lab of its own, to its end.
 * @param controller program and arguments; nothing starts when it is empty
 * @throws Error with the output of the command when it prints no report.
 */
export async function certify(
  controller: readonly string[],
  { ids = '1', periodMs = 120, startedByIt = true, controlSocket = 'off' }: CertificationStart = {},
): Promise<CertificationOutcome> {
  const environment = {
    ...process.env,
    CYCLONEDDS_URI: loopbackUri(isolatedCycloneUri()),
    CERTIFY_PERIOD_MS: String(periodMs),
  };
  const flags = [
    ...[`--vehicle-ids=${ids}`, `--period-ms=${periodMs}`, '--json'],
    `--control-socket=${controlSocket}`,
  ];
  const other = startedByIt || controller.length === 0 ? undefined : start(controller, environment);
  const waits = controller.length === 0 ? ['--ready-timeout-ms=500'] : [];
  const after = startedByIt && controller.length > 0 ? ['--', ...controller] : [];
  const command = [process.execPath, cliProgram, 'certify', ...flags, ...waits, ...after];
  const program = start(command, environment);
  let output = '';
  let errors = '';
  program.stdout.on('data', (text: Buffer) => (output += text.toString()));
  program.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const code = await new Promise<number | null>((resolve) => program.once('close', resolve));
  other?.kill('SIGKILL');
  if (output === '') throw new Error(`The certification printed no report: ${errors}`);
  return { code, report: certificationReportSchema.parse(JSON.parse(output)) };
}

/** Certifies a controller with this defect, or with `none`. */
export async function certifyDefect(
  defect: string,
  options: CertificationStart = {},
): Promise<CertificationOutcome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hlc-middleware-certify-'));
  const controller = [process.execPath, defectiveController, defect, options.ids ?? '1', folder];
  try {
    return await certify(controller, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The ids of the rules with this outcome. */
export function rulesWith({ rules }: CertificationReport, outcome: string): string[] {
  return rules.filter((rule) => rule.outcome === outcome).map(({ id }) => id);
}

/** Certifications mostly wait. */
const atATime = 10;

/**
 * Carries out these certifications before the tests of the file, some at the same time, in this order.
 * @returns the outcome of the certification with this name, for a test; throws what that threw.
 */
export function certificationsBefore(
  certifications: ReadonlyMap<string, () => Promise<CertificationOutcome>>,
): (name: string) => CertificationOutcome {
  const outcomes = new Map<string, PromiseSettledResult<CertificationOutcome>>();
  beforeAll(async () => {
    const waiting = certifications.entries();
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
    if (outcome?.status !== 'fulfilled')
      throw outcome?.reason ?? new Error(`no certification "${name}"`);
    return outcome.value;
  };
}
