import { useEffect, useState } from 'preact/hooks';
import { connection, isCurrent, problem, updateAgeMs } from './state.js';

const refreshMs = 250;

const lastData = 'The page shows its last data, and continues with the next one.';

/** A sentence while the page does not show the present. */
export function Notice() {
  const [ageMs, setAgeMs] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setAgeMs(updateAgeMs()), refreshMs);
    return () => clearInterval(timer);
  }, []);
  const text = sentence(ageMs);
  if (text === undefined) return null;
  return (
    <p class="notice" role="alert" data-testid="notice">
      {text}
    </p>
  );
}

function sentence(ageMs: number): string | undefined {
  const age = (ageMs / 1000).toFixed(0);
  const isReachable = connection.value !== 'lost' && connection.value !== 'closed';
  if (problem.value !== null && isReachable) {
    return `The observer cannot read the middleware: ${problem.value} It tries again every few seconds.`;
  }
  switch (connection.value) {
    case 'lost':
      return 'The observer does not respond. The page shows old data, and connects again by itself.';
    case 'gone':
      return `The middleware is gone: it was killed, or it crashed. Check that all vehicles stand still. ${lastData}`;
    case 'ended':
      return `The middleware has ended. ${lastData}`;
    case 'closed':
      return `The middleware has ended, and the observer has, too. ${lastData}`;
    case 'silent':
      return `The middleware does not respond: it writes no data. Check that all vehicles stand still. The data is ${age} s old.`;
    case 'connected':
      if (isCurrent()) return undefined;
      return `The observer does not respond. The data is ${age} s old.`;
    default:
      return undefined;
  }
}
