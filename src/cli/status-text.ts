import { toMs } from '../core/index.js';
import { type ControlStatus, type RemoteAgentStatus, stateWords } from '../remote/index.js';

/** How a middleware stands, in a few lines for the eye. */
export function statusText(status: ControlStatus): string {
  const { node_id, pid, time_mode, phase, start_signals, time_ns, period_ns, controllers } = status;
  const last = time_ns === null ? '' : `, the last one for ${time_ns} ns`;
  const period = period_ns === null ? 'not known yet' : `${toMs(period_ns)} ms`;
  return [
    `${node_id} (pid ${pid}): ${time_mode === 'real' ? 'real time' : 'simulated time'}, ${stateWords(phase)}`,
    `start signals: ${start_signals}${last}; period: ${period}`,
    ...controllers.map(controllerText),
    ...(status.remote_agents ?? []).map(remoteAgentText),
    '',
  ].join('\n');
}

function controllerText(controller: ControlStatus['controllers'][number]): string {
  const { id, state, replies, misses } = controller;
  const remarks = [
    controller.stopping ? ', its vehicle is being stopped' : '',
    controller.latched ? ', stopped until it is resumed' : '',
  ];
  return `controller ${id}: ${stateWords(state)}${remarks.join('')}, replies: ${replies}, misses: ${misses}`;
}

function remoteAgentText({
  source,
  node,
  agent,
  kind,
  vehicle_id,
  parts,
  files,
}: RemoteAgentStatus): string {
  const counts = Object.entries(parts).map(([name, count]) => `${count} ${name}`);
  const of = [...counts, ...new Set(Object.values(files))].join(', ');
  const vehicle = vehicle_id === null ? '' : `, vehicle ${vehicle_id}`;
  return `agent ${node}.${agent} of ${source}: ${kind}${vehicle}, ${of}`;
}
