import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { FoxgloveServer } from '../../../src/observe/foxglove/foxglove-server.js';
import { LiveView } from '../../../src/observe/live/live-view.js';
import { PageServer } from '../../../src/observe/server/page-server.js';

/** How many clients try at the same time. */
const many = 1000;

/** So many Foxglove clients, pages and histories are served at the same time. */
const mostClients = 16;
const mostPages = 32;
const mostHistories = 8;

/** @param history parts of its JSON, in place of that of the view. */
async function serve(history?: readonly string[]): Promise<PageServer> {
  const view = new LiveView([0, 0, 1, 1]);
  if (history !== undefined) vi.spyOn(view, 'historyJson').mockImplementation(() => history);
  const foxglove = new FoxgloveServer(view);
  const nothing = { onControl: () => Promise.reject(new Error()), metrics: () => '' };
  const finding = () => Promise.resolve(undefined);
  const settings = { ...nothing, finding, foxglove, foxgloveOrigins: [] };
  const server = await PageServer.listen({ port: 0, view, ...settings });
  onTestFinished(() => server.close());
  return server;
}

/** Settles with the socket once it is open, or with the sentence of the refusal. */
async function open({ address }: PageServer): Promise<WebSocket | string> {
  const socket = new WebSocket(address.replace('http', 'ws'), ['foxglove.sdk.v1']);
  onTestFinished(() => socket.terminate());
  return await new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (_, response) => void text(response).then(resolve, reject));
    socket.on('error', reject);
  });
}

/** The answer to a GET, whose body is not read yet. */
async function ask({ address }: PageServer, path: string): Promise<IncomingMessage> {
  const asking = get(new URL(path, address), { agent: false });
  asking.on('error', () => undefined);
  onTestFinished(() => void asking.destroy());
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return response;
}

const isSentence = /^The observer serves \d+ [\w ]+ at the same time .* \[HLC_OBSERVE_BUSY\]\n$/;

function kept(answers: readonly (WebSocket | string)[]): WebSocket[] {
  const refusals = answers.filter((answer) => typeof answer === 'string');
  expect(refusals.filter((sentence) => !isSentence.test(sentence))).toEqual([]);
  return answers.filter((answer) => typeof answer !== 'string');
}

it('serves as many of a thousand Foxglove clients as it can, and says to the others why not', async () => {
  const server = await serve();
  const clients = kept(await Promise.all(Array.from({ length: many }, () => open(server))));
  expect(clients).toHaveLength(mostClients);
  const [first] = clients;
  first?.terminate();
  // The next one is served as soon as the server knows.
  let next = await open(server);
  while (typeof next === 'string') {
    await turn();
    next = await open(server);
  }
  expect(next.readyState).toBe(WebSocket.OPEN);
});

it('serves as many of a thousand pages as it can, and says to the others why not', async () => {
  const server = await serve();
  const answers = await Promise.all(Array.from({ length: many }, () => ask(server, '/live')));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(mostPages);
  const refused = answers.filter(({ statusCode }) => statusCode === 503);
  expect(refused).toHaveLength(many - mostPages);
  for (const answer of refused) expect(await text(answer)).toMatch(isSentence);
  for (const answer of answers) answer.destroy();
  let next = await ask(server, '/live');
  while (next.statusCode !== 200) next = await ask(server, '/live');
});

it('answers a request also while a thousand connections ask for nothing', async () => {
  const server = await serve();
  const { port } = new URL(server.address);
  const idle = await Promise.all(
    Array.from({ length: many }, async () => {
      const socket = connect(Number(port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      return socket;
    }),
  );
  const refused = await ask(server, '/');
  expect(refused.statusCode).toBe(503);
  expect(await text(refused)).toMatch(isSentence);
  for (const socket of idle) socket.destroy();
  let next = await ask(server, '/');
  while (next.statusCode !== 200) next = await ask(server, '/');
});

it('keeps no more histories in memory than eight', async () => {
  const part = 'x'.repeat(20_000_000);
  const server = await serve([part]);
  const answers = await Promise.all(
    Array.from({ length: mostHistories }, () => ask(server, '/history')),
  );
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  const refused = await ask(server, '/history');
  expect(refused.statusCode).toBe(503);
  expect(await text(refused)).toMatch(isSentence);
  const [first] = answers;
  if (first === undefined) throw new Error('There is no answer.');
  expect((await text(first)).length).toBe(part.length);
  let next = await ask(server, '/history');
  while (next.statusCode !== 200) next = await ask(server, '/history');
});
