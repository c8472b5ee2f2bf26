/** `/ns/name`. */
export function fullName(namespace: string, name: string): string {
  return `${namespace === '/' ? '' : namespace}/${name}`;
}
