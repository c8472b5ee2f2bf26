import type { Command } from '../../core/index.js';
import type { Transport } from '../../ports/index.js';
import type { VehicleMeasurement } from './vehicle-messages.js';

/** A command as a vehicle receives it: its kind, and the message of the wire contract in `idl/`. */
export type VehicleCommand = Command;

/** Which commands the vehicles obey, where it differs from the vehicle of the CPM Lab. */
export interface ProfileOptions {
  /**
   * The kinds that the vehicles obey; while a vehicle has commands of several kinds, an earlier one
   * of this list counts. Empty: they obey none, and no command is received. Default: direct,
   * speedCurvature, trajectory, pathTracking.
   */
  readonly kinds?: readonly VehicleCommand['kind'][];
  /**
   * How long a vehicle obeys a command after its `valid_after_stamp`, ms; 0: until the next one.
   * Default: 1000.
   */
  readonly timeoutMs?: number;
}

/** How vehicles take part in simulated time. */
export interface SimulatedSteps {
  /**
   * Called once for every step, to move the vehicles to its time and to publish their states. Time
   * goes on when it returns, or when its promise settles.
   * @param nowNs The time of the step, ns.
   */
  onStep(nowNs: bigint): void | Promise<void>;
  /**
   * Called after `onStep`: the time of the next step, ns, above `nowNs`; 2^64 − 1: no further step.
   * Default, and where it fails: one period later.
   */
  nextStepNs?(nowNs: bigint): bigint;
  /** Time between two steps, ms; the first step is at 0. Default: 20. */
  readonly periodMs?: number;
  /** Source id of the ready signals; default: `vehicle_` and the ids, for example `vehicle_1_2`. */
  readonly sourceId?: string;
}

/** What {@link createVehicles} needs. */
export interface VehiclesOptions {
  /** Ids of the vehicles, 0 to 255, each once; at least one. */
  readonly ids: readonly number[];
  /** DDS domain of the lab side; default: 0. */
  readonly labDomain?: number;
  /** Network interface; default: `lo`, which keeps everything on this machine. */
  readonly interface?: string;
  /** Further addresses at which DDS looks for others; default: none. */
  readonly initialPeers?: readonly string[];
  /**
   * An open lab side to use instead; it stays open when the vehicles close. A process can open DDS
   * once.
   */
  readonly transport?: Transport;
  /** Default: the vehicle of the CPM Lab. */
  readonly profile?: ProfileOptions;
  /** Present in simulated time, where the steps of the lab are the clock of the vehicles. */
  readonly simulatedTime?: SimulatedSteps;
  /**
   * Called for every command that arrives for one of the vehicles, also when it counts later only,
   * or never: `commandFor` says which one a vehicle obeys.
   */
  onCommand?(command: VehicleCommand): void;
  /** Called when the lab is stopped (SystemTrigger with the stop symbol). */
  onStop?(): void;
  /**
   * Called with every error while the vehicles are open: an HlcError
   * (`HLC_VEHICLES_COMMAND`, `HLC_VEHICLES_TWICE`, `HLC_SAMPLE_MALFORMED`, `HLC_PEER_QOS`,
   * `HLC_DDS_WRITE`), or what a callback threw. The vehicles go on. Without this callback an
   * HlcError is a warning of the process, and anything else is an uncaught exception.
   */
  onError?(error: unknown): void;
}

/** Vehicles of a user's own on the lab side. */
export interface Vehicles {
  /** The vehicles' time: that of this machine, ns since 1970, or that of the last simulated step. */
  readonly nowNs: bigint;
  /**
   * Publishes the state of a vehicle, and its observation.
   * @throws HlcError `HLC_VEHICLES_STATE` when it cannot be sent as it is, `HLC_CLOSED` after close().
   */
  publish(measurement: VehicleMeasurement): void;
  /** The command that a vehicle obeys now; null when it stops, and for a vehicle of others. */
  commandFor(vehicleId: number): VehicleCommand | null;
  /**
   * Leaves the lab side, and in simulated time signs off: no further step waits for these vehicles.
   * Closing twice is allowed.
   */
  close(): void;
}
