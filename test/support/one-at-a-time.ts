/** By name: the work that was handed over last. */
const last = new Map<string, Promise<unknown>>();

/** Does the work of one name one after the other. A test file has a process, and an order, of its own. */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  const result = (last.get(name) ?? Promise.resolve()).then(work);
  last.set(
    name,
    result.catch(() => undefined),
  );
  return await result;
}
