import type { RemoteAgentView } from '../live/page-protocol.js';
import { remoteAgents } from './state.js';
import { useCurrent } from './use-current.js';

/** The vehicles of other simulations; nothing while there is none. */
export function RemoteAgents() {
  const isCurrent = useCurrent();
  if (remoteAgents.value.length === 0) return null;
  return (
    <section aria-label="Vehicles of other simulations">
      <h2>Vehicles of other simulations</h2>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>agent</th>
              <th>kind</th>
              <th>vehicle</th>
              <th>speed m/s</th>
              <th>parts</th>
              <th>files</th>
            </tr>
          </thead>
          <tbody>{remoteAgents.value.map((agent) => row(agent, isCurrent))}</tbody>
        </table>
      </div>
    </section>
  );
}

function row(
  { source, node, agent, kind, vehicle_id, parts, files, state }: RemoteAgentView,
  isCurrent: boolean,
) {
  const counts = Object.entries(parts).map(([name, count]) => `${count} ${name}`);
  return (
    <tr key={`${source} ${node}.${agent}`} data-testid={`remote-agent-${node}.${agent}`}>
      <td title={source}>
        {node}.{agent}
      </td>
      <td>{kind}</td>
      <td>{vehicle_id ?? '–'}</td>
      <td>{state === null || !isCurrent ? '–' : state.speed.toFixed(2)}</td>
      <td>{counts.join(', ')}</td>
      <td>{[...new Set(Object.values(files))].join(', ')}</td>
    </tr>
  );
}
