import type { Transport } from '../core/ports/index.js';
import type { Side } from './side.js';

/** What one session opened on a side. */
export interface SideOfSession {
  readonly side: Side;
  /** Closes the readers and writers of the session; the side itself stays open. */
  close(): void;
}

/** A side whose readers and writers close together, so that the next session has its own. */
export function sideOfSession(side: Side): SideOfSession {
  const { transport } = side;
  const endpoints: { close(): void }[] = [];
  const keep = <E extends { close(): void }>(endpoint: E): E => {
    endpoints.push(endpoint);
    return endpoint;
  };
  const close = () => {
    for (const endpoint of endpoints.splice(0)) endpoint.close();
  };
  const own: Transport = {
    knowsWriters: transport.knowsWriters,
    createWriter: (...options) => keep(transport.createWriter(...options)),
    createReader: (...options) => keep(transport.createReader(...options)),
    close,
  };
  return { side: { ...side, transport: own }, close };
}
