import { HlcError } from '../../errors/index.js';
import type { QosProfile } from './qos-profile.js';
import type { QosWarning } from './rti-extensions.js';

/** What one QoS file says, together with what was loaded before it. */
export interface QosLibraries {
  readonly fileName: string;
  /** Every profile that can be named, by `Library::Profile`. */
  readonly profiles: ReadonlyMap<string, QosProfile>;
  /** The profiles of this file alone, in their order. */
  readonly ownProfiles: readonly QosProfile[];
  /** The profile of this file with `is_default_qos="true"`. */
  readonly defaultProfile: QosProfile | undefined;
  /** What this file says without effect. */
  readonly warnings: readonly QosWarning[];
}

/** Finds a profile by its full name. @throws HlcError `HLC_QOS_PROFILE`. */
export function findProfile(libraries: QosLibraries, fullName: string): QosProfile {
  return (
    libraries.profiles.get(fullName) ??
    refuseProfile(libraries, fullName, 'no library has it', [...libraries.profiles.keys()])
  );
}

/**
 * The profile of the file to use for one side (`Lab` or `Controller`): the one with this name in
 * any library of the file, else the default profile, else the only one.
 * @throws HlcError `HLC_QOS_PROFILE` when that leaves none or several.
 */
export function chooseProfile(libraries: QosLibraries, side: string): QosProfile {
  const { ownProfiles, defaultProfile } = libraries;
  const named = ownProfiles.filter(({ name }) => name.endsWith(`::${side}`));
  const chosen = named.length === 0 ? [defaultProfile ?? ownProfiles].flat() : named;
  const [profile, another] = chosen;
  if (profile && !another) return profile;
  const cause = profile ? 'several could be meant' : 'the file has no profile';
  const accepted = `one profile with the name ${side}, or one with is_default_qos="true"`;
  return refuseProfile(libraries, side, cause, [accepted]);
}

function refuseProfile(
  libraries: QosLibraries,
  profile: string,
  cause: string,
  accepted: readonly string[],
): never {
  throw new HlcError('HLC_QOS_PROFILE', {
    file: libraries.fileName,
    profile,
    cause,
    accepted: accepted.join(', '),
  });
}
