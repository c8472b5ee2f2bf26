import { judge, judgeSeparately, type CertificationReport } from '../judging/index.js';
import { ExitCode, signalExitCodes, type EndSignal } from '../../errors/index.js';
import { DdsContext } from '../../dds/index.js';
import { Examination, type ExaminationOptions } from './examination.js';

/** What came of a certification. */
export interface CertificationResult {
  /** One; with `separately` one of each controller. */
  readonly reports: readonly CertificationReport[];
  /** 0: all rules passed that were tested; 1: some did not; 3: no controller appeared. */
  readonly exitCode: number;
}

/** What {@link runExamination} needs. */
export interface ExaminationRunOptions extends ExaminationOptions {
  /** Of the controller side. */
  readonly domainId: number;
  /** Judges each controller by itself. */
  readonly separately: boolean;
}

/**
 * Certifies controllers by all rules, which takes about 10 s with a period of 50 ms. SIGHUP, SIGINT and
 * SIGTERM end the process, and the controller with it when this process has started it.
 * @param report receives faults of this process and warnings of the DDS library.
 * @throws HlcError `HLC_CONTROLLER_START`, `HLC_OTHER_MIDDLEWARE`, `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY`.
 */
export async function runExamination(
  options: ExaminationRunOptions,
  report: (text: string) => void,
): Promise<CertificationResult> {
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

function exitCodeOf(reports: readonly CertificationReport[]): number {
  if (reports.some(({ appeared }) => !appeared)) return ExitCode.readinessTimeout;
  return reports.some(({ failed }) => failed > 0) ? ExitCode.failure : ExitCode.ok;
}
