import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const tokenBytes = 24;

/** Who may do what: names of this server, and the token that controls the middleware. */
export class RequestGuard {
  /** What the address of the page carries once, for the cookie. */
  readonly token = randomBytes(tokenBytes).toString('base64url');
  readonly #hosts: readonly string[];
  readonly #cookie: string;

  /**
   * @param port that the server listens on.
   * @param upgradeOrigins of other pages that may open a WebSocket.
   */
  constructor(
    port: number,
    private readonly upgradeOrigins: readonly string[] = [],
  ) {
    // A fixed list: a name that a stranger's DNS gives to this address is refused.
    this.#hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
    // Cookies of one host are shared by all of its ports.
    this.#cookie = `hlc_control_${port}`;
  }

  /** Why a request is refused before its path is looked at; undefined when it is not. */
  refusal({ method, headers, url }: IncomingMessage): string | undefined {
    const { host, origin } = headers;
    if (host === undefined || !this.#hosts.includes(host)) return 'unknown host';
    if (origin !== undefined && !this.#isOwn(origin)) return 'another origin';
    if (method === 'POST' && origin === undefined) return 'no origin';
    const site = headers['sec-fetch-site'];
    const isPage =
      method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && pathOf(url) === '/';
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isPage) {
      return 'another site';
    }
    return undefined;
  }

  /** Why a WebSocket is refused; undefined when it is not. */
  upgradeRefusal({ headers: { host, origin } }: IncomingMessage): string | undefined {
    if (host === undefined || !this.#hosts.includes(host)) return 'unknown host';
    const isKnown =
      origin === undefined || this.#isOwn(origin) || this.upgradeOrigins.includes(origin);
    return isKnown ? undefined : 'another origin: see --foxglove-origins';
  }

  /** True when the request has the cookie of the control token. */
  mayControl({ headers }: IncomingMessage): boolean {
    const cookies = (headers.cookie ?? '').split(';').map((each) => each.trim());
    const own = cookies.find((each) => each.startsWith(`${this.#cookie}=`));
    return own !== undefined && this.isToken(own.slice(this.#cookie.length + 1));
  }

  isToken(text: string): boolean {
    const [given, wanted] = [Buffer.from(text), Buffer.from(this.token)];
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  /** The header that gives a browser the control token. */
  get setCookie(): string {
    return `${this.#cookie}=${this.token}; HttpOnly; SameSite=Strict; Path=/`;
  }

  #isOwn(origin: string): boolean {
    return this.#hosts.some((host) => origin === `http://${host}`);
  }
}

/** The path of a request target, without its query. */
export function pathOf(url = '/'): string {
  return url.split('?')[0] ?? '/';
}
