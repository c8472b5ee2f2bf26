import type { TapItem } from '../record/index.js';

/** What of a recording cannot be read. */
export interface RecordingDamage {
  /** The recording has no end. */
  readonly isCut: boolean;
  /** Records of the file that are broken; in ours each is a chunk. */
  readonly brokenRecords: number;
}

/** Counts the damage while a recording is read. */
export class DamageCount implements RecordingDamage {
  isCut = false;
  brokenRecords = 0;

  add({ kind }: TapItem): void {
    if (kind === 'cut') this.isCut = true;
    if (kind === 'broken') this.brokenRecords++;
  }
}

/** The damage in sentences; none when there is none. */
export function damageTexts({ isCut, brokenRecords }: RecordingDamage): string[] {
  const chunks = `${brokenRecords} ${brokenRecords === 1 ? 'chunk' : 'chunks'}`;
  return [
    ...(isCut ? ['The recording was cut: it has no end.'] : []),
    ...(brokenRecords > 0
      ? [`${chunks} of the recording cannot be read: what they had is missing.`]
      : []),
  ];
}
