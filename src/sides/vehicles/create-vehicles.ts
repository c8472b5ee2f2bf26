import { HlcError, isHlcError } from '../../errors/index.js';
import { nsPerMs, stopSymbol } from '../../core/index.js';
import type { Transport } from '../../ports/index.js';
import { DdsContext } from '../../dds/index.js';
import { topics, type VehicleObservation, type VehicleState } from '../../messages/index.js';
import { defaultInterface, sideNetwork } from '../lab-network.js';
import { reportError, reportOrWarn } from '../report-error.js';
import { readTopic } from '../topic-reader.js';
import { areVehicleIds } from '../vehicle-ids.js';
import { profileFrom } from './profile-options.js';
import { StepParticipant } from './step-participant.js';
import { VehicleEnd } from './vehicle-end.js';
import {
  vehicleObservationOf,
  vehicleStateOf,
  type VehicleMeasurement,
} from './vehicle-messages.js';
import type {
  SimulatedSteps,
  VehicleCommand,
  Vehicles,
  VehiclesOptions,
} from './vehicles-options.js';

const defaultStepMs = 20;

/**
 * Joins the lab side as one or more vehicles: publish their states, and ask which command each of
 * them obeys.
 * @throws HlcError `HLC_VEHICLES_IDS`, `HLC_VEHICLES_PROFILE`, `HLC_TIME_PERIOD`; `HLC_CONFIG_PEER` or
 *   `HLC_PEER_UNREACHABLE` for a peer; `HLC_DDS_DOMAIN`, `HLC_DDS_ENTITY` or `HLC_NATIVE_MISSING`
 *   when DDS cannot be opened.
 */
export async function createVehicles(options: VehiclesOptions): Promise<Vehicles> {
  if (!areVehicleIds(options.ids)) {
    throw new HlcError('HLC_VEHICLES_IDS', { ids: options.ids.join(', ') });
  }
  if (options.transport !== undefined) {
    return new OpenVehicles(options, { transport: options.transport, nowNs: systemTimeNs });
  }
  const network = await sideNetwork({
    domainId: options.labDomain ?? 0,
    networkInterface: options.interface ?? defaultInterface,
    localAddresses: 'loopback',
    initialPeers: options.initialPeers ?? [],
  });
  const dds = DdsContext.open({ onFault: (fault) => report(options, fault) });
  try {
    const transport = dds.join(network);
    return new OpenVehicles(options, {
      transport,
      ownGuid: transport.guid,
      nowNs: () => dds.clocks.realtimeNs(),
      close: () => dds.close(),
    });
  } catch (error) {
    dds.close();
    throw error;
  }
}

/** The lab side as the vehicles have it. */
interface Connection {
  readonly transport: Transport;
  readonly ownGuid?: string;
  /** The time of this machine, ns since 1970. */
  readonly nowNs: () => bigint;
  readonly close?: () => void;
}

class OpenVehicles implements Vehicles {
  readonly #options: VehiclesOptions;
  readonly #connection: Connection;
  readonly #end: VehicleEnd;
  readonly #participant: StepParticipant | undefined;
  /** Of the last step; undefined in real time. */
  #stepNs: bigint | undefined;
  #closed = false;

  constructor(options: VehiclesOptions, connection: Connection) {
    this.#options = options;
    this.#connection = connection;
    const { ids, simulatedTime } = options;
    const { transport, ownGuid } = connection;
    if (simulatedTime !== undefined) this.#stepNs = 0n;
    this.#end = new VehicleEnd({
      transport,
      ids,
      profile: profileFrom(options.profile ?? {}),
      time: simulatedTime === undefined ? 'real' : 'simulated',
      nowNs: () => this.nowNs,
      ownGuid,
      onCommand: (command) => options.onCommand?.(command),
      onError: (error) => report(options, error),
    });
    try {
      readTopic(
        this.#end.side,
        topics.systemTrigger,
        ({ next_start }) => this.#onTrigger(next_start.nanoseconds),
        this.#end.errors,
      );
      this.#participant = simulatedTime && this.#takePart(simulatedTime);
    } catch (error) {
      this.#end.close();
      throw error;
    }
  }

  get nowNs(): bigint {
    return this.#stepNs ?? this.#connection.nowNs();
  }

  publish(measurement: VehicleMeasurement): void {
    if (this.#closed) throw new HlcError('HLC_CLOSED', { what: 'lab side of the vehicles' });
    const { vehicleId } = measurement;
    if (!this.#options.ids.includes(vehicleId)) {
      throw refused(vehicleId, 'it is none of these vehicles');
    }
    const { nowNs } = this;
    const state = vehicleStateOf(measurement, nowNs);
    const observation = vehicleObservationOf(measurement, nowNs);
    const field = notFinite(state) ?? (observation && notFinite(observation));
    if (field) throw refused(vehicleId, `${field} is not finite`);
    try {
      this.#end.writeState(state);
      if (observation !== null) this.#end.writeObservation(observation);
    } catch (error) {
      throw error instanceof RangeError ? refused(vehicleId, error.message, error) : error;
    }
  }

  commandFor(vehicleId: number): VehicleCommand | null {
    return this.#end.commandFor(vehicleId);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#participant?.signOff();
    this.#end.close();
    this.#connection.close?.();
  }

  #takePart(steps: SimulatedSteps): StepParticipant {
    const { periodMs = defaultStepMs, sourceId } = steps;
    const periodNs = nanoseconds(periodMs);
    return new StepParticipant(this.#end, {
      sourceId: sourceId ?? `vehicle_${this.#options.ids.join('_')}`,
      step: async (nowNs) => {
        this.#stepNs = nowNs;
        try {
          await steps.onStep(nowNs);
        } catch (error) {
          report(this.#options, error);
        }
        try {
          return steps.nextStepNs?.(nowNs) ?? nowNs + periodNs;
        } catch (error) {
          report(this.#options, error);
          return nowNs + periodNs;
        }
      },
    });
  }

  #onTrigger(nextStartNs: bigint): void {
    if (nextStartNs !== stopSymbol) {
      this.#participant?.trigger(nextStartNs);
      return;
    }
    this.#participant?.end();
    this.#options.onStop?.();
  }
}

/** @throws HlcError `HLC_TIME_PERIOD` when it is not above 0. */
function nanoseconds(periodMs: number): bigint {
  const periodNs = Number.isFinite(periodMs) ? BigInt(Math.round(periodMs * 1e6)) : 0n;
  if (periodNs <= 0n) throw new HlcError('HLC_TIME_PERIOD', { periodNs });
  return periodNs;
}

/** Name of the first field whose number is not finite. */
function notFinite(message: VehicleState | VehicleObservation): string | null {
  return notFiniteIn(message) ?? notFiniteIn(message.pose);
}

/** Gateways publish thousands of states a second: nothing is copied here. */
function notFiniteIn(part: object): string | null {
  for (const name in part) {
    const value = (part as Record<string, unknown>)[name];
    if (typeof value === 'number' && !Number.isFinite(value)) return name;
  }
  return null;
}

function refused(vehicleId: number, cause: string, error?: Error): HlcError {
  return new HlcError('HLC_VEHICLES_STATE', { vehicleId, cause }, { cause: error });
}

function report(options: VehiclesOptions, error: unknown): void {
  if (isHlcError(error)) reportOrWarn(options, error);
  else reportError(options, error);
}

function systemTimeNs(): bigint {
  return BigInt(Date.now()) * nsPerMs;
}
