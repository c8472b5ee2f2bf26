/**
 * Which topics a `datawriter_qos`, `datareader_qos` or `topic_qos` is for: the patterns of its
 * attribute `topic_filter`, with commas between them. A pattern is that of POSIX fnmatch: `*` any
 * text, `?` one character, `[a-z]` one of a set, `[!a-z]` one that is not, `\` takes the next
 * character as it is (RTI Connext user's manual, "Topic Filters").
 */
export interface TopicFilter {
  readonly text: string;
  readonly patterns: readonly (readonly Token[])[];
}

/** A run of any length, or a test of one character. */
type Token = 'run' | ((character: string) => boolean);

/** Reads the attribute; undefined when a pattern is empty or has a `[` without `]`. */
export function parseTopicFilter(text: string): TopicFilter | undefined {
  const patterns: (readonly Token[])[] = [];
  for (const part of text.split(',')) {
    const tokens = parsePattern(part.trim());
    if (!tokens || tokens.length === 0) return undefined;
    patterns.push(tokens);
  }
  return { text, patterns };
}

/** True when one of the patterns matches the whole name. */
export function matchesTopic(filter: TopicFilter, topicName: string): boolean {
  const characters = Array.from(topicName);
  return filter.patterns.some((tokens) => matches(tokens, characters));
}

function parsePattern(pattern: string): readonly Token[] | undefined {
  const characters = Array.from(pattern);
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at];
    if (character === '*') tokens.push('run');
    else if (character === '?') tokens.push(() => true);
    else if (character === '[') {
      // A `]` right after the opening, or after its `!`, stands for itself.
      const first = characters[at + 1] === '!' || characters[at + 1] === '^' ? at + 2 : at + 1;
      const end = characters.indexOf(']', first + 1);
      if (end < 0) return undefined;
      tokens.push(parseSet(characters.slice(first, end), first === at + 2));
      at = end;
    } else {
      if (character === '\\') at++;
      const literal = characters[at];
      if (literal === undefined) return undefined;
      tokens.push((other) => other === literal);
    }
  }
  return tokens;
}

function parseSet(members: readonly string[], negated: boolean): Token {
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < members.length; at++) {
    const low = members[at] ?? '';
    const high = members[at + 1] === '-' ? members[at + 2] : undefined;
    ranges.push([low, high ?? low]);
    if (high !== undefined) at += 2;
  }
  return (character) =>
    ranges.some(([low, high]) => low <= character && character <= high) !== negated;
}

/** Goes back to the last run only, so the time is at most the product of both lengths. */
function matches(tokens: readonly Token[], characters: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let runToken = -1;
  let runAt = 0;
  while (at < characters.length) {
    const test = tokens[token];
    if (test === 'run') {
      runToken = token++;
      runAt = at;
    } else if (test?.(characters[at] ?? '')) {
      token++;
      at++;
    } else if (runToken >= 0) {
      token = runToken + 1;
      at = ++runAt;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === 'run');
}
