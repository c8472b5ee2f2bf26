import { SaxesParser, type SaxesAttributeNS } from 'saxes';
import { HlcError } from '../../errors/index.js';

/** One element of a QoS file, with where it stands, so that every complaint can name its place. */
export interface XmlElement {
  readonly file: string;
  /** Line of the start tag; the first line is 1. */
  readonly line: number;
  /** Name without prefix. */
  readonly name: string;
  /** Names from the root down, `name` attributes in brackets: `dds/qos_library[Lab]/…`. */
  readonly path: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The element's own text, white space at both ends removed. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

const maxCharacters = 1024 * 1024;
const maxDepth = 32;
const omgNamespace = /^https?:\/\/www\.omg\.org\/(spec\/DDS-XML|dds)(\/|$)/;
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';
const xsiNamespace = 'http://www.w3.org/2001/XMLSchema-instance';
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

/**
 * Reads an XML text into a tree. Elements have no namespace or that of OMG DDS-XML 1.0; attributes
 * of the namespaces xsi and xml are dropped. DOCTYPE, and with it every entity of one's own, is
 * refused, and so is a text of more than 1 MiB or an element nested deeper than 32.
 * @throws HlcError `HLC_QOS_XML`, `HLC_QOS_ELEMENT` for a foreign namespace.
 */
export function parseXml(text: string, file: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let tagLine = 1;

  const malformed = (cause: string): never => {
    throw new HlcError('HLC_QOS_XML', { file, line: parser.line, cause });
  };
  if (text.length > maxCharacters) malformed('it has more than 1 MiB');

  parser.on('error', (error) => malformed(error.message.replace(/^\d+:\d+: |\.$/g, '')));
  parser.on('doctype', () => malformed('it has a DOCTYPE'));
  parser.on('opentagstart', () => {
    // The character after the name is read already; when it ends the line, the line is counted.
    tagLine = parser.column === 0 ? parser.line - 1 : parser.line;
  });
  parser.on('opentag', (tag) => {
    if (open.length >= maxDepth) malformed(`elements are nested deeper than ${maxDepth}`);
    const parent = open.at(-1);
    const label = tag.attributes.name ? `${tag.local}[${tag.attributes.name.value}]` : tag.local;
    const place = { file, line: tagLine, path: parent ? `${parent.path}/${label}` : label };
    if (tag.uri !== '' && !omgNamespace.test(tag.uri)) {
      throw new HlcError('HLC_QOS_ELEMENT', {
        file,
        line: tagLine,
        element: place.path,
        name: `the namespace ${tag.uri}`,
        accepted: 'no namespace, or http://www.omg.org/spec/DDS-XML',
      });
    }
    const attributes = ownAttributes(Object.values(tag.attributes));
    const element: OpenElement = { ...place, name: tag.local, attributes, children: [], text: '' };
    parent?.children.push(element);
    open.push(element);
  });
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop();
    if (!element) return;
    element.text = element.text.trim();
    if (open.length === 0) root = element;
  });

  parser.write(text).close();
  return root ?? malformed('it has no element');
}

function ownAttributes(attributes: readonly SaxesAttributeNS[]): ReadonlyMap<string, string> {
  const foreign = new Set([xmlnsNamespace, xsiNamespace, xmlNamespace]);
  return new Map(
    attributes
      .filter(({ name, uri }) => name !== 'xmlns' && !foreign.has(uri))
      .map(({ name, value }) => [name, value]),
  );
}
