import type { StatusView } from '../live/page-protocol.js';
import { Controller } from './controller.js';
import { sendMove } from './controls.js';
import { chosen, mayControl, status } from './state.js';
import { useCurrent } from './use-current.js';

function stateText({ stopping, latched, state }: StatusView['controllers'][number]): string {
  if (stopping) return '■ stopping';
  if (latched) return '■ stopped';
  return state === 'dead' ? '■ dead' : state;
}

export function Controllers() {
  const controllers = status.value?.controllers ?? [];
  const mayMove = useCurrent();
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
              <th>refused</th>
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
                  {stateText(each)}{' '}
                  {each.latched && mayControl.value && (
                    <button
                      class="link"
                      aria-label={`Resume controller ${each.id}`}
                      disabled={!mayMove}
                      onClick={() => void sendMove({ command: 'resume', ids: [each.id] })}
                    >
                      Resume
                    </button>
                  )}
                </td>
                <td data-testid="replies">{each.replies}</td>
                <td data-testid="misses" class={each.misses > 0 ? 'warn' : ''}>
                  {each.misses}
                </td>
                <td data-testid="late">{each.lateReplies}</td>
                <td data-testid="refusals" class={each.refusals > 0 ? 'warn' : ''}>
                  {each.refusals}
                </td>
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
      {chosen.value !== undefined && <Controller key={chosen.value} id={chosen.value} />}
    </section>
  );
}
