import { brokenRecordsName, recoveredName, type TapItem } from '../record/index.js';

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
  #read = 0;
  #leftOut = 0;

  /** A recovered recording has no broken records any more, but may have effects without their events. */
  get brokenRecords(): number {
    return Math.max(this.#read, this.#leftOut);
  }

  add(item: TapItem): void {
    if (item.kind === 'cut') this.isCut = true;
    if (item.kind === 'broken') this.#read++;
    if (item.kind !== 'metadata' || item.metadata.name !== recoveredName) return;
    const leftOut = Number(item.metadata.metadata.get(brokenRecordsName));
    if (Number.isSafeInteger(leftOut) && leftOut > 0) this.#leftOut += leftOut;
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
