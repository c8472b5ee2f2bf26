import type { Transport } from '../ports/index.js';
import type { DomainNetwork } from '../dds/index.js';
import type { StepCallbacks, Overrun, StepResult } from './step-runner.js';
import type { Step } from './step.js';

/**
 * What {@link createController} needs. No two callbacks run at the same time, except onOverrun and onStop: they do not
 * wait for a step that is under way.
 */
export interface ControllerOptions extends StepCallbacks {
  /** Ids of the vehicles that this controller drives, 0 to 255, each once; at least one. */
  readonly vehicleIds: readonly number[];
  /**
   * How the controller reaches the middleware over DDS, where it differs from the default: domain
   * 1, loopback interface, no further peers. `CYCLONEDDS_URI` has the last word. A process can
   * open DDS once; for more than one controller in a process give a `transport`.
   */
  readonly network?: Partial<DomainNetwork>;
  /** An open controller side to use instead of `network`; it stays open when the controller closes. */
  readonly transport?: Transport;
  /**
   * Called with the first start signal, before onStep: the place to prepare with what is known of
   * the vehicles. When it fails it is called again with the next start signal.
   */
  onFirstStep?(step: Step): void | Promise<void>;
  /**
   * Called at the start of every period to plan. The commands that it returns are sent when they
   * are there, unless `step.signal` fired: then they are dropped, and the next step begins. Without
   * a command for a vehicle in the period the middleware counts a miss for it.
   */
  onStep(step: Step): StepResult | Promise<StepResult>;
  /** Called when a start signal comes while onStep is not done, after `step.signal` fired. */
  onOverrun?(overrun: Overrun): void;
  /**
   * Called once when the lab is stopped (SystemTrigger with the stop symbol). The controller closes
   * when it is done.
   */
  onStop?(): void | Promise<void>;
  /**
   * Called with every error while the controller runs: what the callbacks throw, commands
   * that cannot be sent (HlcError `HLC_CONTROLLER_COMMAND`, `HLC_DDS_WRITE`), samples that are no
   * messages (`HLC_SAMPLE_MALFORMED`). The controller goes on. Without this callback the error is thrown as an uncaught exception of the process.
   */
  onError?(error: unknown): void;
}

/** A controller at work. */
export interface Controller {
  /** Settles when the controller is closed, by close() or after the lab was stopped. Never fails. */
  readonly closed: Promise<void>;
  /**
   * Asks the lab to stop (topic stopRequest). The lab answers with the stop trigger.
   * @param vehicleIds Whose stop is asked for; default: all vehicles of this controller.
   * @throws HlcError `HLC_CLOSED` when the controller is closed; `HLC_DDS_WRITE` when it cannot be sent.
   */
  requestStop(vehicleIds?: readonly number[]): void;
  /**
   * Aborts the running step and leaves: the middleware sees the controller go, of several with one `transport` only
   * when the last one leaves. Closing twice is
   * allowed.
   */
  close(): void;
}
