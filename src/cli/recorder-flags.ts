import type { RunConfig } from '../config/index.js';

/** What a recorder must know of the configuration of its middleware. */
export function recorderFlags({ nodeId, output, sides: { qosFile } }: RunConfig): string[] {
  const { controlSocket } = output;
  return [
    `--node-id=${nodeId}`,
    ...(controlSocket === null ? [] : [`--control-socket=${controlSocket.path}`]),
    ...(qosFile === undefined ? [] : [`--qos-file=${qosFile}`]),
  ];
}
