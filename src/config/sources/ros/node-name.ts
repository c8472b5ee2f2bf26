/** Full name of a node: its namespace, which begins with a slash, and its name. */
export interface NodeName {
  readonly namespace: string;
  readonly name: string;
}

/** A name for the node of a middleware: letters, digits and underscores, no digit first (rmw). */
export function rosNodeName(nodeId: string): string {
  const legal = nodeId.replaceAll(/[^A-Za-z0-9_]/g, '_');
  return /^[0-9]/.test(legal) ? `_${legal}` : legal;
}

/** `/ns/name`. */
export function fullName({ namespace, name }: NodeName): string {
  return namespace === '/' ? `/${name}` : `${namespace}/${name}`;
}

/**
 * Whether a key of a parameter file means this node: a full name, where `*` stands for one part
 * and `**` for any number of them.
 */
export function keyMatches(key: string, node: NodeName): boolean {
  const parts = key.replace(/^\//, '').split('/');
  const pattern = parts.map((part) => {
    if (part === '**') return '(/[^/]+)*';
    return `/${part === '*' ? '[^/]+' : part.replaceAll(/[^\w]/g, '\\$&')}`;
  });
  return new RegExp(`^${pattern.join('')}$`).test(fullName(node));
}
