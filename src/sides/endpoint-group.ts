import type { Transport } from '../ports/index.js';
import type { Side } from './side.js';

/** Endpoints of a side that close together. */
export interface EndpointGroup {
  /** What is opened on it belongs to the group. */
  readonly side: Side;
  /**
   * Closes the readers and writers of the group, the newest first; the transport itself stays open.
   * Closing twice is allowed.
   */
  close(): void;
}

/** Groups the readers and writers that are opened on a side from now on. */
export function groupEndpoints({ transport, qos }: Side): EndpointGroup {
  const endpoints: { close(): void }[] = [];
  const keep = <E extends { close(): void }>(endpoint: E): E => {
    endpoints.push(endpoint);
    return endpoint;
  };
  const close = () => {
    for (const endpoint of endpoints.splice(0).reverse()) endpoint.close();
  };
  const own: Transport = {
    knowsWriters: transport.knowsWriters,
    createWriter: (...options) => keep(transport.createWriter(...options)),
    createReader: (...options) => keep(transport.createReader(...options)),
    close,
  };
  return { side: { transport: own, qos }, close };
}
