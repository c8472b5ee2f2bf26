/** The local time of day, as 14:03:07.250. @param t ms since 1970. */
export function timeOf(t: number): string {
  const date = new Date(t);
  const two = (n: number) => String(n).padStart(2, '0');
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}
