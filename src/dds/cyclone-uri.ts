/**
 * What a value of `CYCLONEDDS_URI` says for one domain: its XML texts without comments and without
 * the `Domain` elements of other domains. It is read as Cyclone DDS 0.10 does: a list of XML texts
 * and files with commas between them; element names have no case; an `Id` that is absent or "any"
 * stands for every domain, and so does what lies outside of a `Domain` element.
 *
 * @param readFile for the files in the list; a throw means "cannot be read" and is left to Cyclone,
 *   which reads them itself and says what is wrong
 */
export function settingsForDomain(
  uri: string,
  domainId: number,
  readFile: (path: string) => string,
): string {
  return allSettings(uri, readFile).replace(domainElement, (element, attributes: string) =>
    applies(attributes, domainId) ? element : '',
  );
}

/** What a value of `CYCLONEDDS_URI` says for all domains: its XML texts without comments. */
export function allSettings(uri: string, readFile: (path: string) => string): string {
  return [...uri.matchAll(listItem)]
    .map(([item]) => (item.startsWith('<') ? item : textOf(item, readFile)))
    .map((xml) => xml.replace(comment, ''))
    .join('\n');
}

/** An XML text up to the end of its root, or a path up to the next comma. */
const listItem = /<[^]*?<\/CycloneDDS\s*>|[^\s,][^,]*/gi;
const comment = /<!--[^]*?-->/g;
const domainElement = /<Domain\b([^>]*?)(?:\/>|>[^]*?<\/Domain\s*>)/gi;

function textOf(item: string, readFile: (path: string) => string): string {
  try {
    return readFile(item.replace(/^file:\/\//, ''));
  } catch {
    return '';
  }
}

function applies(attributes: string, domainId: number): boolean {
  const id = /\bId\s*=\s*["']([^"']*)["']/i.exec(attributes)?.[1];
  return id === undefined || id.toLowerCase() === 'any' || Number(id) === domainId;
}
