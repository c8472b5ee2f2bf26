import type { RunConfig } from '../../config/index.js';
import { HlcError, namedIds } from '../../errors/index.js';
import { type EndReason, toMs } from '../../core/index.js';
import { topics } from '../../messages/index.js';
import type { Logger } from '../logger.js';
import { diagnoseTimeout, type DiagnosedSide } from './diagnose-timeout.js';

/** The missing controllers at the end of the wait for ready signals. */
export interface ReadinessReport {
  /** Controllers without a ready signal, ascending. */
  readonly absent: readonly number[];
  /** Source ids of ready signals that do not count. */
  readonly otherIds: readonly string[];
}

/** Makes the errors of waits that timed out, each with a diagnosis of the domain. */
export class TimeOuts {
  constructor(
    private readonly config: RunConfig,
    private readonly lab: DiagnosedSide,
    private readonly controllers: DiagnosedSide,
    private readonly log: Logger,
  ) {}

  /** The error of this end of a session; undefined for an end without error. */
  errorOf(reason: EndReason, readiness: () => ReadinessReport): HlcError | undefined {
    if (reason === 'readyTimeout') return this.#ready(readiness());
    if (reason === 'startTimeout') return this.#start();
    return undefined;
  }

  /** The parameter server did not answer for this parameter. */
  parameter(name: string): HlcError {
    const { session, sides } = this.config;
    const awaited = { topic: topics.parameter.name, what: `the parameter ${name}` };
    return new HlcError('HLC_PARAMETER_TIMEOUT', {
      parameter: name,
      waitedMs: toMs(session.parameterTimeoutNs),
      domainId: sides.lab.domainId,
      diagnosis: diagnoseTimeout(this.lab, awaited, this.log),
    });
  }

  #ready({ absent: ids, otherIds }: ReadinessReport): HlcError {
    const { session, sides } = this.config;
    const what = `the ready ${ids.length === 1 ? 'signal' : 'signals'} of ${namedIds('controller', ids)}`;
    const awaited = { topic: topics.readyStatus.name, what, otherIds };
    return new HlcError('HLC_READY_TIMEOUT', {
      ids,
      waitedMs: toMs(session.readyTimeoutNs ?? 0n),
      domainId: sides.controller.domainId,
      diagnosis: diagnoseTimeout(this.controllers, awaited, this.log),
    });
  }

  #start(): HlcError {
    const { session, sides } = this.config;
    const awaited = { topic: topics.systemTrigger.name, what: 'the system trigger' };
    return new HlcError('HLC_START_TIMEOUT', {
      waitedMs: toMs(session.startTimeoutNs ?? 0n),
      domainId: sides.lab.domainId,
      diagnosis: diagnoseTimeout(this.lab, awaited, this.log),
    });
  }
}
