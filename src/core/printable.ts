/** Characters of a name of a peer that are printed. */
const nameCharacters = 64;

/** Characters that move the cursor, reverse a line or break it. */
const unsafeCharacters = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A text of a peer, safe for a terminal and a log: without control characters, and not too long.
 * @param most characters that are kept; default: enough for a name.
 */
export function printable(text: string, most = nameCharacters): string {
  // Cut before the replacement, which makes a text up to ten times as long.
  const characters = Array.from(text.slice(0, 2 * most));
  const isCut = characters.length > most || text.length > 2 * most;
  const shown = characters.slice(0, most).join('');
  const safe = shown.replace(unsafeCharacters, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
  return isCut ? `${safe}…` : safe;
}
