import { chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { chromiumFile } from '../../tools/page-costs.mjs';

/** Why no test can have a browser; undefined when there is one. */
export const noBrowser =
  chromiumFile === undefined ? 'chromium is not installed: apt-get install chromium' : undefined;

/** A page in a browser of its own, and the requests to other machines, which are aborted. */
export interface OpenPage {
  readonly page: Page;
  readonly foreign: readonly string[];
  /** Faults of scripts, and messages about what was blocked. */
  readonly faults: readonly string[];
  /** Sends a signal to all processes of the browser. */
  readonly signal: (name: NodeJS.Signals) => void;
}

/** A new page in a browser of its own, which is closed with the test. */
export async function openPage(): Promise<OpenPage> {
  if (chromiumFile === undefined) throw new Error('chromium is not installed');
  // Its sandbox needs rights that containers lack; it loads only our own page.
  const server = await chromium.launchServer({
    executablePath: chromiumFile,
    args: ['--no-sandbox'],
  });
  onTestFinished(() => server.kill());
  const browser = await chromium.connect(server.wsEndpoint());
  const { pid = 0 } = server.process();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const foreign: string[] = [];
  const faults: string[] = [];
  await page.route('**/*', (route) => {
    const { hostname } = new URL(route.request().url());
    if (hostname === '127.0.0.1') return route.continue();
    foreign.push(route.request().url());
    return route.abort();
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return { page, foreign, faults, signal: (name) => void process.kill(-pid, name) };
}
