import { TapFormatError } from './byte-reader.js';

const bigintKey = '$int';
const floatKey = '$float';

/**
 * JSON of a value of plain data. Integers of 64 bits become `{"$int":"12"}`, and numbers that JSON does
 * not have become `{"$float":"Infinity"}`.
 */
export function toPlainText(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'bigint') return { [bigintKey]: each.toString() };
    if (typeof each === 'number' && !Number.isFinite(each)) return { [floatKey]: String(each) };
    return each;
  });
}

/** @throws TapFormatError when the text is not what `toPlainText` makes. */
export function fromPlainText(text: string): unknown {
  try {
    return JSON.parse(text, (_, each: unknown) => restored(each)) as unknown;
  } catch (error) {
    if (error instanceof TapFormatError) throw error;
    throw new TapFormatError(`a text is no JSON (${(error as Error).message})`);
  }
}

function restored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (bigintKey in value) {
    const digits = value[bigintKey];
    if (typeof digits !== 'string' || !/^-?\d{1,40}$/.test(digits)) {
      throw new TapFormatError('an integer is no decimal number');
    }
    return BigInt(digits);
  }
  return floatKey in value ? Number(value[floatKey]) : value;
}
