import type { EmergencySample, EmergencyStop } from '../../../src/dds/index.js';

/** Keeps there what is set. */
export function stopIn(set: Map<number, EmergencySample>): EmergencyStop {
  const emergencyStop: Partial<EmergencyStop> = {
    set: (key, sample) => {
      if (sample === undefined) set.delete(key);
      else set.set(key, sample);
      return true;
    },
  };
  return emergencyStop as EmergencyStop;
}
