import { isMainThread } from 'node:worker_threads';
import { HlcError } from '../errors/index.js';
import type { Rclnodejs } from './rclnodejs-api.js';

/** The process around the import; a test gives its own. */
export interface ImportHost {
  readonly environment: Record<string, string | undefined>;
  readonly isMainThread: boolean;
  /** The module's namespace. */
  readonly importModule: (name: string) => Promise<unknown>;
}

const thisProcess: ImportHost = {
  environment: process.env,
  isMainThread,
  importModule: (name) => import(name),
};

/** Set by the set-up file of every ROS 2; without them its libraries are not found either. */
const sourcedVariables = ['ROS_DISTRO', 'AMENT_PREFIX_PATH'] as const;
/** ROS 2 releases without the events for matched and for incompatible peers. */
const tooOld = ['foxy', 'galactic', 'humble', 'iron'];

/** The shell that npm starts scripts with. */
const npmShell = 'npm_config_script_shell';

/**
 * Loads rclnodejs, the ROS 2 client library. When its add-on cannot be loaded, rclnodejs deletes the
 * build and starts a new one, which fails without ROS 2 and takes a minute with it. So it is only
 * imported where ROS 2 is sourced, and meanwhile npm has a shell that does nothing.
 * @throws HlcError `HLC_ROS_UNAVAILABLE`.
 */
export async function loadRclnodejs(host: ImportHost = thisProcess): Promise<Rclnodejs> {
  const { environment } = host;
  if (!host.isMainThread) throw unavailable('it works on the main thread of a process only');
  const missing = sourcedVariables.filter((name) => (environment[name] ?? '') === '');
  if (missing.length > 0)
    throw unavailable(`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set`);
  const { ROS_DISTRO: distribution = '' } = environment;
  if (tooOld.includes(distribution)) throw unavailable(`ROS 2 ${distribution} is too old`);

  const shell = environment[npmShell];
  environment[npmShell] = '/bin/false';
  try {
    return await importFirst(host);
  } catch (cause) {
    throw unavailable(reasonOf(cause), cause);
  } finally {
    if (shell === undefined) Reflect.deleteProperty(environment, npmShell);
    else environment[npmShell] = shell;
  }
}

type Events = Pick<Rclnodejs, 'PublisherEventCallbacks' | 'SubscriptionEventCallbacks'>;

/** Its folder, where the set-up of this program installs it, and where another project has it. */
const folders = [
  () => new URL('../../build/ros2/node_modules/rclnodejs/', import.meta.url).href,
  () => new URL('.', import.meta.resolve('rclnodejs/package.json')).href,
];

async function importFirst(host: ImportHost): Promise<Rclnodejs> {
  const [own = () => '', peer = () => ''] = folders;
  try {
    return await importFrom(own(), host);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return importFrom(peer(), host);
  }
}

/**
 * Its modules one by one: the bundle that the package offers keeps the classes of events to itself,
 * and accepts no others.
 */
async function importFrom(folder: string, { importModule }: ImportHost): Promise<Rclnodejs> {
  const main = (await importModule(`${folder}index.js`)) as { readonly default: Rclnodejs };
  const events = (await importModule(`${folder}lib/event_handler.js`)) as Events;
  // The import makes SIGINT shut down every context, whatever this program makes of the signal.
  main.default.removeSignalHandlers();
  const { PublisherEventCallbacks, SubscriptionEventCallbacks } = events;
  return Object.assign(main.default, { PublisherEventCallbacks, SubscriptionEventCallbacks });
}

function isNotFound(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as { readonly code?: unknown; readonly message: string };
  if (isNotFound(cause)) return 'the npm package rclnodejs is not installed';
  if (code === 'NATIVE_ERROR') return 'the npm package rclnodejs was not built for this ROS 2';
  return message.split('\n')[0] ?? '';
}

function unavailable(cause: string, error?: unknown): HlcError {
  return new HlcError('HLC_ROS_UNAVAILABLE', { cause }, { cause: error });
}
