import { nsPerS } from '../../core/index.js';
import {
  checkAttributes,
  checkNoText,
  refuseDuplicate,
  refuseElement,
  refuseValue,
} from './refusals.js';
import type { XmlElement } from './xml-element.js';

/** Reads the value of one element. @throws HlcError `HLC_QOS_VALUE` or `HLC_QOS_ELEMENT`. */
export type ValueReader<T> = (element: XmlElement) => T;

const int32Max = 2147483647;

/** One of the tokens of OMG DDS-XML 1.0, turned into this program's word for it. */
export function oneOf<T>(tokens: Readonly<Record<string, T>>): ValueReader<T> {
  return (element) => {
    checkLeaf(element);
    const value = Object.hasOwn(tokens, element.text) ? tokens[element.text] : undefined;
    return value ?? refuseValue(element, Object.keys(tokens).join(', '));
  };
}

/** `true`, `false`, `1` or `0` (XML Schema boolean). */
export const readBoolean: ValueReader<boolean> = (element) => {
  checkLeaf(element);
  return parseBoolean(element.text) ?? refuseValue(element, 'true, false, 1, 0');
};

/** The same for the text of an attribute; undefined when it is none. */
export function parseBoolean(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return undefined;
}

/** A whole number within the given limits. */
export function integer(minimum: number, maximum = int32Max): ValueReader<number> {
  return (element) => {
    checkLeaf(element);
    const value = /^[+-]?\d{1,10}$/.test(element.text) ? Number(element.text) : NaN;
    if (value >= minimum && value <= maximum) return value;
    return refuseValue(element, `a whole number, ${minimum} to ${maximum}`);
  };
}

/** A number of samples or instances, 1 or more; null for `LENGTH_UNLIMITED` (in OMG DDS: -1). */
export const readLength: ValueReader<number | null> = (element) => {
  checkLeaf(element);
  if (element.text === 'LENGTH_UNLIMITED' || element.text === '-1') return null;
  const value = /^\+?\d{1,10}$/.test(element.text) ? Number(element.text) : NaN;
  if (value >= 1 && value <= int32Max) return value;
  return refuseValue(element, `a whole number, 1 to ${int32Max}, or LENGTH_UNLIMITED`);
};

const secondSymbols = new Map<string, bigint | null>([
  ['DURATION_INFINITE_SEC', null],
  ['DURATION_INFINITY', null],
  ['DURATION_ZERO_SEC', 0n],
]);
const nanosecondSymbols = new Map<string, bigint | null>([
  ['DURATION_INFINITE_NSEC', null],
  ['DURATION_INFINITY', null],
  ['DURATION_ZERO_NSEC', 0n],
  [String(int32Max), null],
]);

/**
 * A duration, ns; null when infinite. Written as `<sec>` and `<nanosec>` (a missing one is 0), or
 * as the text `DURATION_INFINITY` or `DURATION_ZERO`. Each part is a number or a symbol; the pair
 * 2147483647, 2147483647 is infinite too (OMG DDS 1.4, section 2.3.3).
 */
export const readDuration: ValueReader<bigint | null> = (element) => {
  checkAttributes(element, []);
  if (element.children.length === 0) {
    if (element.text === 'DURATION_INFINITY') return null;
    if (element.text === 'DURATION_ZERO') return 0n;
    return refuseValue(element, '<sec> and <nanosec>, DURATION_INFINITY, DURATION_ZERO');
  }
  checkNoText(element);
  const parts = childrenByName(element, ['sec', 'nanosec']);
  const sec = parts.get('sec');
  const nanosec = parts.get('nanosec');
  const seconds = sec ? readPart(sec, secondSymbols, int32Max) : 0n;
  const nanoseconds = nanosec ? readPart(nanosec, nanosecondSymbols, 999_999_999) : 0n;
  if (seconds === null || (nanoseconds === null && !sec)) return null;
  if (nanosec && nanoseconds === null) {
    if (seconds === BigInt(int32Max)) return null;
    return refuseValue(nanosec, 'a whole number, 0 to 999999999, beside a finite <sec>');
  }
  return seconds * nsPerS + (nanoseconds ?? 0n);
};

/** A duration that must end, ns. */
export const readFiniteDuration: ValueReader<bigint> = (element) =>
  readDuration(element) ?? refuseValue(element, 'a finite duration', 'infinite');

function readPart(
  element: XmlElement,
  symbols: ReadonlyMap<string, bigint | null>,
  maximum: number,
): bigint | null {
  checkLeaf(element);
  const symbol = symbols.get(element.text);
  if (symbol !== undefined) return symbol;
  if (/^\+?\d{1,10}$/.test(element.text) && Number(element.text) <= maximum) {
    return BigInt(element.text.replace('+', ''));
  }
  const names = [...symbols.keys()].filter((name) => name.startsWith('D')).join(', ');
  return refuseValue(element, `a whole number, 0 to ${maximum}, ${names}`);
}

/** Any text. */
export const readString: ValueReader<string> = (element) => {
  checkLeaf(element);
  return element.text;
};

/** A sequence: `<element>` children, each with a value. */
export function listOf<T>(readItem: ValueReader<T>): ValueReader<readonly T[]> {
  return (element) => {
    checkAttributes(element, []);
    checkNoText(element);
    return element.children.map((child) => {
      if (child.name !== 'element') refuseElement(child, ['element']);
      return readItem(child);
    });
  };
}

/**
 * Bytes: base64 as in OMG DDS-XML 1.0, or RTI's list of numbers with commas, `34, 0x2c, 7`.
 * White space counts for nothing; without a comma it is base64.
 */
export const readBytes: ValueReader<Uint8Array> = (element) => {
  checkLeaf(element);
  const text = element.text.replace(/\s+/g, '');
  if (text.includes(',')) {
    const numbers = text
      .split(',')
      .map((part) => (/^(0x[0-9a-f]+|\d+)$/i.test(part) ? +part : NaN));
    if (numbers.every((number) => number <= 255)) return Uint8Array.from(numbers);
  } else if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    return new Uint8Array(Buffer.from(text, 'base64'));
  }
  return refuseValue(element, 'base64, or bytes 0 to 255 with commas between them');
};

/**
 * The children of an element by name.
 * @throws HlcError `HLC_QOS_ELEMENT` for a name not in `accepted`, `HLC_QOS_DUPLICATE`.
 */
export function childrenByName(
  element: XmlElement,
  accepted: readonly string[],
): ReadonlyMap<string, XmlElement> {
  const found = new Map<string, XmlElement>();
  for (const child of element.children) {
    if (!accepted.includes(child.name)) refuseElement(child, accepted);
    const first = found.get(child.name);
    if (first) refuseDuplicate(child, first);
    found.set(child.name, child);
  }
  return found;
}

function checkLeaf(element: XmlElement): void {
  checkAttributes(element, []);
  const child = element.children[0];
  if (child) refuseElement(child, []);
}
