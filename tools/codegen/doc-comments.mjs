const typeHead = /\b(struct|enum)\s+(\w+)\s*\{([^}]*)\}/g;
const docComment = String.raw`/\*\*((?:[^*]|\*(?!/))*)\*/\s*`;
const annotations = String.raw`(?:@\w+(?:\([^)]*\))?\s*)*`;
const beforeType = new RegExp(`${docComment}${annotations}$`);
const beforeStructMember = new RegExp(`${docComment}${annotations}[\\w<>,\\s]*?(\\w+)\\s*;`, 'g');
const beforeEnumerator = new RegExp(`${docComment}${annotations}(\\w+)\\s*(?:,|$)`, 'g');

/**
 * The comments of an IDL text, which its parser drops: each doc comment by the thing it stands
 * before, under `Type` or `Type.member`.
 * @param {string} idl
 * @returns {Map<string, string[]>} the lines of each comment, without the asterisks
 */
export function docComments(idl) {
  /** @type {Map<string, string[]>} */
  const comments = new Map();
  for (const match of idl.matchAll(typeHead)) {
    const [, kind, type = '', body = ''] = match;
    const ownComment = beforeType.exec(idl.slice(0, match.index))?.[1];
    if (ownComment !== undefined) comments.set(type, commentLines(ownComment));
    const members = kind === 'struct' ? beforeStructMember : beforeEnumerator;
    for (const [, comment = '', member = ''] of body.matchAll(members)) {
      comments.set(`${type}.${member}`, commentLines(comment));
    }
  }
  return comments;
}

/** @param {string} comment */
function commentLines(comment) {
  return comment
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
}
