/** A text in the INI format as the Unreal Engine reads it: names in any case, the last value counts. */
export class IniText {
  readonly #sections = new Map<string, Map<string, string>>();

  constructor(text: string) {
    let section: Map<string, string> | undefined;
    for (const raw of text.split(/[\r\n]+/)) {
      const line = raw.trim();
      if (line === '' || line.startsWith(';')) continue;
      const [, heading] = /^\[(.*)\]$/.exec(line) ?? [];
      if (heading !== undefined) {
        section = this.#sectionOf(heading);
        continue;
      }
      const at = line.indexOf('=');
      if (at <= 0) continue;
      const key = line.slice(0, at).trim().toLowerCase();
      section?.set(key, unquoted(line.slice(at + 1).trim()));
    }
  }

  /** The value of a key; undefined when the section has none. */
  value(section: string, key: string): string | undefined {
    return this.#sections.get(section.toLowerCase())?.get(key.toLowerCase());
  }

  #sectionOf(name: string): Map<string, string> {
    const key = name.toLowerCase();
    const found = this.#sections.get(key) ?? new Map<string, string>();
    this.#sections.set(key, found);
    return found;
  }
}

function unquoted(text: string): string {
  return /^"(.*)"$/.exec(text)?.[1] ?? text;
}

/** The engine takes these words for true, every other number than 0 too, and the rest for false. */
export function iniBoolean(text: string): boolean {
  return (
    /^(true|yes|on)$/i.test(text) || (iniNumber(text) !== 0 && !/^(false|no|off)$/i.test(text))
  );
}

/** The number at the beginning of a text; 0 without one. Finite. */
export function iniNumber(text: string): number {
  const number = Number.parseFloat(text);
  return Number.isFinite(number) ? number : 0;
}
