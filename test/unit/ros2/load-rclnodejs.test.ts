import { describe, expect, it, vi } from 'vitest';
import { HlcError } from '../../../src/errors/index.js';
import { loadRclnodejs, type ImportHost } from '../../../src/ros2/load-rclnodejs.js';

const sourced = { ROS_DISTRO: 'jazzy', AMENT_PREFIX_PATH: '/opt/ros/jazzy' };

const removeSignalHandlers = vi.fn();
const theModule = {
  default: { name: 'rclnodejs', removeSignalHandlers },
  PublisherEventCallbacks: 'of publishers',
  SubscriptionEventCallbacks: 'of subscriptions',
};

/** A process with this environment, and what it imported. */
function host(
  environment: Record<string, string | undefined>,
  importModule: ImportHost['importModule'] = () => Promise.resolve(theModule),
) {
  const shells: (string | undefined)[] = [];
  return {
    shells,
    environment,
    isMainThread: true,
    importModule: (name: string) => {
      shells.push(environment.npm_config_script_shell);
      return importModule(name);
    },
  };
}

async function refusalOf(process: ImportHost): Promise<string> {
  const error: unknown = await loadRclnodejs(process).catch((reason: unknown) => reason);
  if (!(error instanceof HlcError)) throw new Error('It was not refused.');
  expect([error.code, error.exitCode]).toEqual(['HLC_ROS_UNAVAILABLE', 2]);
  return error.message;
}

function failing(error: Error): ImportHost['importModule'] {
  return () => Promise.reject(error);
}

describe('rclnodejs', () => {
  it('is imported with a shell for npm that does nothing, and the shell of before comes back', async () => {
    const process = host({ ...sourced, npm_config_script_shell: '/bin/bash' });
    expect(await loadRclnodejs(process)).toEqual({
      name: 'rclnodejs',
      removeSignalHandlers,
      PublisherEventCallbacks: 'of publishers',
      SubscriptionEventCallbacks: 'of subscriptions',
    });
    expect(removeSignalHandlers).toHaveBeenCalledOnce();
    expect(process.shells).toEqual(['/bin/false', '/bin/false']);
    expect(process.environment.npm_config_script_shell).toBe('/bin/bash');
  });

  it('is looked for where the set-up installs it, and then as an npm package', async () => {
    const names: string[] = [];
    const process = host({ ...sourced }, (name) => {
      names.push(name);
      const missing = Object.assign(new Error('not here'), { code: 'ERR_MODULE_NOT_FOUND' });
      return Promise.reject(missing);
    });
    expect(await refusalOf(process)).toContain('(the npm package rclnodejs is not installed)');
    expect(names[0]).toMatch(/^file:.*\/build\/ros2\/node_modules\/rclnodejs\/index\.js$/);
  });

  it('leaves no shell behind where there was none, also after a failure', async () => {
    const process = host({ ...sourced }, failing(new Error('dlopen: no\nmore')));
    expect(await refusalOf(process)).toContain('(dlopen: no)');
    expect('npm_config_script_shell' in process.environment).toBe(false);
  });

  it.each([
    [{}, 'ROS_DISTRO and AMENT_PREFIX_PATH are not set'],
    [{ ROS_DISTRO: 'jazzy' }, 'AMENT_PREFIX_PATH is not set'],
    [{ ...sourced, AMENT_PREFIX_PATH: '' }, 'AMENT_PREFIX_PATH is not set'],
    [{ ...sourced, ROS_DISTRO: 'humble' }, 'ROS 2 humble is too old'],
  ])('is not touched with the environment %j', async (environment, cause) => {
    const process = host(environment);
    expect(await refusalOf(process)).toBe(
      `ROS 2 cannot be used (${cause}); source a ROS 2 that is Jazzy or newer, run "npm run setup" in that shell and start again, or use --lab-side=ros2 or --controller-side=ros2 instead of rclnodejs, which need no ROS 2 installation.`,
    );
    expect(process.shells).toEqual([]);
  });

  it('is not touched in a worker thread, where it aborts the process', async () => {
    const process = { ...host({ ...sourced }), isMainThread: false };
    expect(await refusalOf(process)).toContain('main thread');
    expect(process.shells).toEqual([]);
  });

  it.each([
    ['ERR_MODULE_NOT_FOUND', 'the npm package rclnodejs is not installed'],
    ['NATIVE_ERROR', 'the npm package rclnodejs was not built for this ROS 2'],
  ])('that fails with %s is explained', async (code, cause) => {
    const error = Object.assign(new Error('long and technical'), { code });
    expect(await refusalOf(host({ ...sourced }, failing(error)))).toContain(`(${cause})`);
  });
});
