import { HlcError } from '../../errors/index.js';
import type { XmlElement } from './xml-element.js';

/** Refuses the text of an element. `accepted` says in words which values are accepted. */
export function refuseValue(element: XmlElement, accepted: string, value = element.text): never {
  throw new HlcError('HLC_QOS_VALUE', { ...placeOf(element), value, accepted });
}

/** Refuses an element at its place, and names what may stand there instead. */
export function refuseElement(element: XmlElement, accepted: readonly string[]): never {
  throw new HlcError('HLC_QOS_ELEMENT', {
    ...placeOf(element),
    name: `the element <${element.name}>`,
    accepted: accepted.length > 0 ? accepted.map((name) => `<${name}>`).join(', ') : 'no element',
  });
}

/** Refuses every attribute whose name is not in `accepted`. */
export function checkAttributes(element: XmlElement, accepted: readonly string[]): void {
  for (const name of element.attributes.keys()) {
    if (accepted.includes(name)) continue;
    throw new HlcError('HLC_QOS_ELEMENT', {
      ...placeOf(element),
      name: `the attribute ${name}`,
      accepted: accepted.length > 0 ? accepted.join(', ') : 'no attribute',
    });
  }
}

/** Refuses text in an element that may hold elements only. */
export function checkNoText(element: XmlElement): void {
  if (element.text !== '') refuseValue(element, 'elements only, no text');
}

/** Refuses `element` because `first` said the same before. */
export function refuseDuplicate(element: XmlElement, first: { readonly line: number }): never {
  throw new HlcError('HLC_QOS_DUPLICATE', { ...placeOf(element), firstLine: first.line });
}

/** File, line and element, as the details of the errors `HLC_QOS_…` carry them. */
export function placeOf(element: XmlElement): { file: string; line: number; element: string } {
  return { file: element.file, line: element.line, element: element.path };
}
