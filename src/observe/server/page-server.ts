import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HlcError, isHlcError } from '../../errors/index.js';
import type { LiveView } from '../live/live-view.js';
import { errorPage } from '../error-page.js';
import type { Finding } from '../live/page-protocol.js';
import type { FoxgloveServer } from '../foxglove/foxglove-server.js';
import { pathOf, RequestGuard } from './guard-request.js';
import { readPageFiles } from '../page-files.js';
import { PageStreams } from './page-streams.js';
import { refuseBusy, refuseBusyUpgrade, refuseUpgrade } from './refuse-busy.js';

/** It listens on no other address: the page has no password. */
const address = '127.0.0.1';

/** Connections at the same time that get more than a refusal, and all of them. */
const mostConnections = 256;
const mostSockets = 2048;

/** Histories that are on their way at the same time; each may take some MB of memory. */
const mostHistories = 8;

/** A client that reads nothing for this time gets no history, ms. */
const longestPauseMs = 10_000;

/** Bytes of the body of a request for control. */
const longestBody = 4096;

const headersOfAll = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** The answer to a request for control. */
export interface ControlAnswer {
  readonly isDone: boolean;
  /** As JSON. */
  readonly text: string;
}

export interface PageServerOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly view: LiveView;
  /** Acts on a request of a browser that may control. @throws HlcError why it does not. */
  readonly onControl: (request: string) => Promise<ControlAnswer>;
  /** What a certification found about the controller of a vehicle. @throws HlcError why it is not known. */
  readonly finding: (id: number) => Promise<Finding | undefined>;
  /** The text of `/metrics`. */
  readonly metrics: () => string;
  /** On the same port. */
  readonly foxglove: FoxgloveServer;
  /** Origins of other pages that may read it. */
  readonly foxgloveOrigins: readonly string[];
}

type PageFiles = ReturnType<typeof readPageFiles>;

/** The page, its data and its controls over HTTP, on this machine only. */
export class PageServer {
  readonly #options: PageServerOptions;
  readonly #guard: RequestGuard;
  readonly #server: Server;
  readonly #streams: PageStreams;
  readonly #files: PageFiles;
  #connections = 0;
  #histories = 0;

  private constructor(options: PageServerOptions, server: Server, port: number, files: PageFiles) {
    this.#options = options;
    this.#files = files;
    this.#server = server;
    this.#guard = new RequestGuard(port, options.foxgloveOrigins);
    this.#streams = new PageStreams(options.view);
    // A connection that cannot be accepted is no fault of the others.
    server.on('error', () => undefined);
    server.on('connection', (socket) => {
      this.#connections++;
      socket.once('close', () => this.#connections--);
    });
    server.on('request', (request, response) => {
      void this.#answer(request, response).catch(() => response.destroy());
    });
    server.on('upgrade', (request: IncomingMessage, socket, head) => {
      const refusal = this.#guard.upgradeRefusal(request);
      if (refusal !== undefined) refuseUpgrade(socket, '403 Forbidden', refusal);
      else if (this.#isBusy) refuseBusyUpgrade(socket, 'connections', mostConnections);
      else options.foxglove.upgrade(request, socket, head);
    });
  }

  /** @throws HlcError `HLC_OBSERVE_LISTEN`, `HLC_OBSERVE_PAGE`. */
  static async listen(options: PageServerOptions): Promise<PageServer> {
    const { port } = options;
    const files = readPageFiles();
    const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 });
    server.maxConnections = mostSockets;
    try {
      const listening = once(server, 'listening');
      server.listen({ port, host: address });
      await listening;
    } catch (error) {
      const cause = (error as Error).message;
      throw new HlcError('HLC_OBSERVE_LISTEN', { port, cause }, { cause: error });
    }
    return new PageServer(options, server, (server.address() as AddressInfo).port, files);
  }

  /** Address of the page without controls. */
  get address(): string {
    return `http://${address}:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Address of the page that also gives the browser the control token. */
  get controlAddress(): string {
    return `${this.address}?token=${this.#guard.token}`;
  }

  async close(): Promise<void> {
    this.#streams.close();
    this.#options.foxglove.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(headersOfAll)) response.setHeader(name, value);
    const refusal = this.#guard.refusal(request);
    if (refusal !== undefined) {
      end(response, 403, refusal);
      return;
    }
    if (this.#isBusy) {
      refuseBusy(response, 'connections', mostConnections);
      return;
    }
    const path = pathOf(request.url);
    if (request.method === 'POST' && path === '/control') return this.#control(request, response);
    if (request.method === 'GET' && path === '/finding') return this.#finding(request, response);
    if (request.method === 'GET') this.#get(path, request, response);
    else end(response, 405, 'only GET is possible here');
  }

  #get(path: string, request: IncomingMessage, response: ServerResponse): void {
    const { view, metrics } = this.#options;
    const query = queryOf(request);
    switch (path) {
      case '/live':
        this.#streams.open(response, this.#guard.mayControl(request));
        break;
      case '/history':
        this.#history(response);
        break;
      case '/commands': {
        const commands = view.commands(Number(query.get('id')));
        send(response, 'application/json', JSON.stringify(commands));
        break;
      }
      case '/metrics':
        send(response, 'text/plain; version=0.0.4; charset=utf-8', metrics());
        break;
      case '/errors':
        send(response, 'text/html; charset=utf-8', errorPage());
        break;
      default:
        this.#file(path, query.get('token'), response);
    }
  }

  get #isBusy(): boolean {
    return this.#connections > mostConnections;
  }

  /** A client that does not read keeps its history in memory. */
  #history(response: ServerResponse): void {
    if (this.#histories >= mostHistories) {
      refuseBusy(response, 'histories', mostHistories);
      return;
    }
    this.#histories++;
    response.once('close', () => this.#histories--);
    response.setTimeout(longestPauseMs, () => response.destroy());
    response.setHeader('content-type', 'application/json');
    for (const part of this.#options.view.historyJson()) response.write(part);
    response.end();
  }

  /** `null` without a finding. */
  async #finding(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = queryOf(request).get('id') ?? '';
    if (!/^\d{1,3}$/.test(id)) {
      end(response, 404, 'there is nothing here');
      return;
    }
    try {
      const finding = await this.#options.finding(Number(id));
      send(response, 'application/json', JSON.stringify(finding ?? null));
    } catch (error) {
      if (!isHlcError(error)) throw error;
      end(response, 409, `${error.message} [${error.code}]`);
    }
  }

  /** @param token of the control address; the browser gets it as a cookie. */
  #file(path: string, token: string | null, response: ServerResponse): void {
    const file = this.#files.get(path);
    if (file === undefined) {
      end(response, 404, 'there is nothing here');
    } else if (path !== '/' || token === null) {
      send(response, file.type, file.content);
    } else if (this.#guard.isToken(token)) {
      response.writeHead(303, { 'set-cookie': this.#guard.setCookie, location: '/' }).end();
    } else {
      end(response, 403, 'wrong token');
    }
  }

  /** A request for control, for a browser that has the control token. */
  async #control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#guard.mayControl(request)) {
      end(response, 403, 'open the page with its control address');
      return;
    }
    if (request.headers['content-type'] !== 'application/json') {
      end(response, 415, 'send JSON');
      return;
    }
    const body = await bodyOf(request);
    if (body === undefined) {
      end(response, 413, 'the request is too long');
      return;
    }
    try {
      const { isDone, text } = await this.#options.onControl(body);
      response.statusCode = isDone ? 200 : 409;
      send(response, 'application/json', text);
    } catch (error) {
      if (!isHlcError(error)) throw error;
      end(response, 409, `${error.message} [${error.code}]`);
    }
  }
}

function queryOf({ url }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url?.split('?')[1] ?? '');
}

/** Undefined when it is too long. It is read to its end: the socket of a request that is left early is destroyed. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= longestBody) chunks.push(chunk);
  }
  return bytes > longestBody ? undefined : Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, type: string, content: string | Buffer): void {
  response.setHeader('content-type', type);
  response.end(content);
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  send(response, 'text/plain; charset=utf-8', `${text}\n`);
}
