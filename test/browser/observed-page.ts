import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ChildProgram } from '../support/child-program.js';
import { runCli } from '../support/cli.js';
import { cliProgram } from '../support/middleware.js';

/** A program that serves a page. */
export interface StartedPage {
  readonly program: ChildProgram;
  /** The page without controls, and with them. */
  readonly address: string;
  readonly controlAddress: string;
}

/** `hlc-middleware observe` at this control socket, once it has printed the addresses. */
export function startObserver(socket: string): Promise<StartedPage> {
  return startPage('observe', `--control-socket=${socket}`);
}

/** A command of `hlc-middleware` that serves a page, once it has printed the addresses. */
export async function startPage(...command: string[]): Promise<StartedPage> {
  const args = [cliProgram, ...command, '--port=0'];
  const program = new ChildProgram('the page', process.execPath, args, '');
  const addressAfter = async (text: string) =>
    /http:\S+/.exec(await program.stdout.until((line) => line.startsWith(text)))?.[0] ?? '';
  const controlAddress = await addressAfter('page with controls');
  return { program, controlAddress, address: await addressAfter('page to look at') };
}

/** A number on the page. */
export async function shownNumber(page: Page, selector: string): Promise<number> {
  return Number(await page.locator(selector).textContent());
}

/** What `hlc-middleware status` prints about the middleware at this socket. */
export async function statusOf(socket: string): Promise<string> {
  const { code, output, errors } = await runCli('status', `--control-socket=${socket}`);
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  return output.join('\n');
}
