/**
 * What a value of `CYCLONEDDS_URI` says for one domain: the contents of all its `Domain` elements
 * that apply to it. As Cyclone DDS does (manual, "Configuration"; src/core/ddsi/src/ddsi_config.c),
 * it is read as a list of XML texts and files with commas between them, where the names of elements
 * have no case, and an `Id` that is absent or "any" stands for every domain.
 *
 * @param readFile for the files in the list; a throw means "cannot be read", and is left to Cyclone,
 *   which reads them itself and says what is wrong
 */
export function settingsForDomain(
  uri: string,
  domainId: number,
  readFile: (path: string) => string,
): string {
  return [...uri.matchAll(listItem)]
    .map(([item]) => (item.startsWith('<') ? item : textOf(item, readFile)))
    .map((xml) => xml.replace(comment, ''))
    .flatMap((xml) => [...xml.matchAll(domainElement)])
    .filter(([, attributes = '']) => applies(attributes, domainId))
    .map(([, , content]) => content)
    .join('\n');
}

/** An XML text up to the end of its root, or a path up to the next comma. */
const listItem = /<[^]*?<\/\s*CycloneDDS\s*>|[^\s,][^,]*/gi;
const comment = /<!--[^]*?-->/g;
const domainElement = /<\s*Domain\b([^>]*)>([^]*?)<\/\s*Domain\s*>/gi;

function textOf(item: string, readFile: (path: string) => string): string {
  try {
    return readFile(item.replace(/^file:\/\//, '').trimEnd());
  } catch {
    return '';
  }
}

function applies(attributes: string, domainId: number): boolean {
  const id = /\bId\s*=\s*["']\s*([^"']*?)\s*["']/i.exec(attributes)?.[1];
  return id === undefined || id.toLowerCase() === 'any' || Number(id) === domainId;
}
