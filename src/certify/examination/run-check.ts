import { judge, judgeSeparately, type CheckReport } from '../judging/index.js';
import { ExitCode, signalExitCodes, type EndSignal } from '../../errors/index.js';
import { DdsContext } from '../../dds/index.js';
import { Examination, type ExaminationOptions } from './examination.js';

/** What came of a check. */
export interface CheckResult {
  /** One; with `separately` one of each controller. */
  readonly reports: readonly CheckReport[];
  /** 0: all rules passed that were tested; 1: some did not; 3: no controller appeared. */
  readonly exitCode: number;
}

/** What {@link runCheck} needs. */
export interface CheckOptions extends ExaminationOptions {
  /** Of the controller side. */
  readonly domainId: number;
  /** Judges each controller by itself. */
  readonly separately: boolean;
}

/**
 * Checks controllers by all rules, which takes about 10 s with a period of 50 ms. SIGHUP, SIGINT and
 * SIGTERM end the process, and the controller with it when the check has started it.
 * @param report receives faults of the check itself and warnings of the DDS library.
 * @throws HlcError `HLC_CHECK_COMMAND`, `HLC_CHECK_MIDDLEWARE`, `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export async function runCheck(
  options: CheckOptions,
  report: (text: string) => void,
): Promise<CheckResult> {
  for (const signal of Object.keys(signalExitCodes) as EndSignal[]) {
    process.once(signal, () => process.exit(signalExitCodes[signal]));
  }
  const dds = DdsContext.open({
    onFault: (fault) => report(`fault: ${String(fault)}`),
    onLibraryLog: report,
  });
  try {
    const examination = new Examination(dds, options);
    try {
      const transcript = await examination.run();
      const setting = { seed: options.seed, domain: options.domainId };
      const reports = options.separately
        ? judgeSeparately(transcript, setting)
        : [judge(transcript, setting)];
      return { reports, exitCode: exitCodeOf(reports) };
    } finally {
      await examination.close();
    }
  } finally {
    dds.close();
  }
}

function exitCodeOf(reports: readonly CheckReport[]): number {
  if (reports.some(({ appeared }) => !appeared)) return ExitCode.readinessTimeout;
  return reports.some(({ failed }) => failed > 0) ? ExitCode.failure : ExitCode.ok;
}
