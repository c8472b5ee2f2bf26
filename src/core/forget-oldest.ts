/** Deletes the oldest key when there are more than `most`. */
export function forgetOldest<K>(
  keys: Pick<Map<K, unknown>, 'size' | 'keys' | 'delete'>,
  most: number,
): void {
  if (keys.size <= most) return;
  for (const oldest of keys.keys()) {
    keys.delete(oldest);
    break;
  }
}
