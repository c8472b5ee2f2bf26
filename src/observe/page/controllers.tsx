import { useEffect, useState } from 'preact/hooks';
import type { CommandView } from '../live/page-protocol.js';
import { chosen, status } from './state.js';

const refreshMs = 1000;

export function Controllers() {
  const controllers = status.value?.controllers ?? [];
  return (
    <section aria-label="Controllers">
      <h2>Controllers</h2>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>id</th>
              <th>state</th>
              <th>replies</th>
              <th>misses</th>
              <th>late</th>
              <th>stops</th>
              <th>p50 ms</th>
              <th>p99 ms</th>
            </tr>
          </thead>
          <tbody>
            {controllers.map((each) => (
              <tr key={each.id} data-testid={`controller-${each.id}`}>
                <td>
                  <button
                    class="link"
                    aria-expanded={chosen.value === each.id}
                    onClick={() => (chosen.value = chosen.value === each.id ? undefined : each.id)}
                  >
                    {each.id}
                  </button>
                </td>
                <td class={each.stopping || each.latched || each.state === 'dead' ? 'bad' : ''}>
                  {each.stopping ? '■ stopping' : each.latched ? '■ stopped' : each.state}
                </td>
                <td data-testid="replies">{each.replies}</td>
                <td data-testid="misses" class={each.misses > 0 ? 'warn' : ''}>
                  {each.misses}
                </td>
                <td>{each.lateReplies}</td>
                <td data-testid="stops" class={each.safeStops > 0 ? 'bad' : ''}>
                  {each.safeStops}
                </td>
                <td>{each.replyP50Ms.toFixed(2)}</td>
                <td>{each.replyP99Ms.toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {chosen.value !== undefined && <Commands id={chosen.value} />}
    </section>
  );
}

/** The last commands of a controller as numbers. */
function Commands({ id }: { readonly id: number }) {
  const [commands, setCommands] = useState<readonly CommandView[]>([]);
  useEffect(() => {
    const load = async () => {
      const response = await fetch(`/commands?id=${id}`);
      if (response.ok) setCommands((await response.json()) as readonly CommandView[]);
    };
    const loadOrKeep = () => void load().catch(() => undefined);
    loadOrKeep();
    const timer = setInterval(loadOrKeep, refreshMs);
    return () => clearInterval(timer);
  }, [id]);
  return (
    <div class="scroll" data-testid="commands">
      <h3>Last commands for vehicle {id}</h3>
      <table>
        <tbody>
          {commands.map((command, i) => (
            <tr key={i}>
              <td>{new Date(command.t).toISOString().slice(11, 23)}</td>
              <td>{command.kind}</td>
              <td class={command.forwarded ? '' : 'warn'}>
                {command.forwarded ? 'forwarded' : 'refused'}
              </td>
              <td>
                {Object.entries(command.numbers)
                  .map(([name, value]) => `${name} ${Number(value.toPrecision(6))}`)
                  .join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
