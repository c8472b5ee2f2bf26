import type { Transport } from '../core/ports/index.js';
import {
  chooseProfile,
  findProfile,
  type QosLibraries,
  type QosProfile,
} from '../dds/qos/index.js';

/** One side: its transport and its QoS. */
export interface Side {
  readonly transport: Transport;
  readonly profile: QosProfile;
  /** The shipped profile of this side: what `profile` leaves out. */
  readonly defaults: QosProfile;
}

/**
 * A side with the profile that the QoS file has for it.
 * @throws HlcError `HLC_QOS_PROFILE`.
 */
export function createSide(
  name: 'Lab' | 'Controller',
  transport: Transport,
  libraries: QosLibraries,
): Side {
  return {
    transport,
    profile: chooseProfile(libraries, name),
    defaults: findProfile(libraries, `HlcMiddleware::${name}`),
  };
}
