import type { ServerResponse } from 'node:http';
import { toMs } from '../../core/index.js';
import type { LiveView } from '../live/live-view.js';
import type { PageBacklog } from '../live/page-backlog.js';
import type { PageUpdate } from '../live/page-protocol.js';
import { refuseBusy } from './refuse-busy.js';

/** Pages at the same time. */
const mostPages = 32;

/** Pages get what is new so often, ms. */
const updateMs = 50;

/** The updates of all pages, as server-sent events. */
export class PageStreams {
  readonly #view: LiveView;
  readonly #pages = new Map<ServerResponse, PageBacklog>();
  readonly #timer: NodeJS.Timeout;

  constructor(view: LiveView) {
    this.#view = view;
    this.#timer = setInterval(() => this.#update(), updateMs);
  }

  /** A page is refused while there are 32 others. */
  open(response: ServerResponse, mayControl: boolean): void {
    if (this.#pages.size >= mostPages) {
      refuseBusy(response, 'pages', mostPages);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const page = this.#view.open(mayControl);
    this.#pages.set(response, page);
    response.on('error', () => undefined);
    response.on('close', () => {
      this.#pages.delete(response);
      this.#view.close(page);
    });
    this.#write(response, page);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#update();
    for (const response of this.#pages.keys()) response.end();
  }

  #update(): void {
    this.#view.watch();
    for (const [response, page] of this.#pages) {
      // A page that has not read the last update gets one with the newest instead.
      if (!response.writableNeedDrain) this.#write(response, page);
    }
  }

  #write(response: ServerResponse, page: PageBacklog): void {
    const update = this.#view.take(page);
    if (update === undefined) return;
    const sent: PageUpdate = { ...update, sentAtMs: toMs(process.hrtime.bigint()) };
    response.write(`data: ${JSON.stringify(sent)}\n\n`);
  }
}
