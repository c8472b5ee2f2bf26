import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { resolveControlSocket } from '../../../src/config/resolve/control-socket.js';
import type { Environment } from '../../../src/config/index.js';
import { parse, refusal, type Surroundings } from './parse.js';

function defaultPath(nodeId: string, environment: Environment, userId = 1000) {
  return resolveControlSocket('auto', nodeId, environment, userId)?.path;
}

function inRunFolder(nodeId: string) {
  return defaultPath(nodeId, { XDG_RUNTIME_DIR: '/run/user/1000' });
}

function socketOf(commandLine: string, surroundings?: Surroundings) {
  return parse(commandLine, surroundings).output.controlSocket;
}

describe('the control socket', () => {
  it('is named after the node id in the folder of the user', () => {
    expect(inRunFolder('middleware')).toBe('/run/user/1000/hlc-middleware/middleware.sock');
    expect(inRunFolder('middleware_1,2')).toBe('/run/user/1000/hlc-middleware/middleware_1,2.sock');
  });

  it.each([{}, { XDG_RUNTIME_DIR: '' }, { XDG_RUNTIME_DIR: 'relative' }])(
    'is in /tmp when the environment is %j',
    (environment) => {
      const path = defaultPath('middleware', environment);
      expect(path).toBe('/tmp/hlc-middleware-1000/middleware.sock');
    },
  );

  it('is in /tmp when the folder of the user leaves no room', () => {
    const environment = { XDG_RUNTIME_DIR: `/run/${'x'.repeat(90)}` };
    const path = defaultPath('middleware', environment);
    expect(path).toBe('/tmp/hlc-middleware-1000/middleware.sock');
  });

  it.each([
    ['../../etc/passwd', '..%2F..%2Fetc%2Fpasswd'],
    ['a b', 'a%20b'],
    ['Süd', 'S%C3%BCd'],
  ])('of the node %s stays in that folder', (nodeId, name) => {
    expect(inRunFolder(nodeId)).toBe(`/run/user/1000/hlc-middleware/${name}.sock`);
  });

  it('of a node with a long id ends with a hash', () => {
    const ids = Array.from({ length: 100 }, (_, index) => index + 1).join(',');
    const path = inRunFolder(`middleware_${ids}`) ?? '';
    expect(path).toMatch(/^\/run\/user\/1000\/hlc-middleware\/middleware_1,2,.*[0-9a-f]{8}\.sock$/);
    expect(path).toHaveLength(107);
    expect(inRunFolder(`middleware_${ids},101`)).not.toBe(path);
  });

  it('of any node has a path that a socket can have', () => {
    const text = (maxLength: number) =>
      fc.string({ unit: 'grapheme', minLength: 1, maxLength }).map((all) => all.normalize());
    fc.assert(
      fc.property(text(80), text(120), (nodeId, folder) => {
        const path = defaultPath(nodeId, { XDG_RUNTIME_DIR: `/${folder}` }, 4e9);
        expect(Buffer.byteLength(path ?? '')).toBeLessThanOrEqual(107);
        expect(path).toMatch(/[^/]+\.sock$/);
      }),
    );
  });

  it('can be named, and is required then', () => {
    expect(socketOf('--control-socket=run/a.sock')).toEqual({
      path: 'run/a.sock',
      isRequired: true,
    });
  });

  it('can be left out', () => {
    expect(socketOf('--control-socket=off')).toBeNull();
  });

  it('is the default one with auto', () => {
    const environment = { XDG_RUNTIME_DIR: '/run/user/5' };
    expect(socketOf('--control-socket=auto --node-id=b', { environment })).toEqual({
      path: '/run/user/5/hlc-middleware/b.sock',
      isRequired: false,
    });
  });

  it('that is named has at most 107 bytes', () => {
    expect(socketOf(`--control-socket=${'x'.repeat(107)}`)?.path).toHaveLength(107);
    expect(refusal(`--control-socket=${'x'.repeat(108)}`).sentence).toMatch(
      /it must be auto, off, or the path of a socket, of at most 107 bytes/,
    );
    expect(refusal(`--control-socket=${'ü'.repeat(54)}`).code).toBe('HLC_CONFIG_VALUE');
  });
});
