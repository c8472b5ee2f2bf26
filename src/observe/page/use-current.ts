import { useEffect, useState } from 'preact/hooks';
import { isCurrent } from './state.js';

const refreshMs = 250;

/** Whether the page shows the present. What uses it is drawn anew when that changes, also when nothing comes. */
export function useCurrent(): boolean {
  const [wasCurrent, setWasCurrent] = useState(isCurrent());
  useEffect(() => {
    const timer = setInterval(() => setWasCurrent(isCurrent()), refreshMs);
    return () => clearInterval(timer);
  }, []);
  return wasCurrent && isCurrent();
}
