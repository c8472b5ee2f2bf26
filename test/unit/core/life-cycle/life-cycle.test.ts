import { beforeEach, describe, expect, it } from 'vitest';
import { LifeCycle, type LifecycleOutcome } from '../../../../src/core/index.js';

let did: string[];
let went: string[];
let faults: unknown[];
/** What the next work of this name gives instead of success. */
let otherwise: Partial<Record<string, () => LifecycleOutcome | Promise<LifecycleOutcome>>>;

beforeEach(() => {
  did = [];
  went = [];
  faults = [];
  otherwise = {};
});

function born(): LifeCycle {
  const work = (name: string) => () => {
    did.push(name);
    return otherwise[name]?.() ?? 'success';
  };
  return new LifeCycle(
    {
      configure: work('configure'),
      cleanup: work('cleanup'),
      activate: work('activate'),
      deactivate: work('deactivate'),
      shutdown: work('shutdown'),
      recover: work('recover'),
    },
    {
      onTransition: ({ id, from, to }) => went.push(`${id} ${from}-${to}`),
      onFault: (fault) => faults.push(fault),
    },
  );
}

describe('the life of a node', () => {
  it('goes through its states, and reports every arrow', async () => {
    const life = born();
    for (const command of ['configure', 'activate', 'deactivate', 'cleanup', 'shutdown'] as const) {
      expect(await life.command(command)).toBe('success');
    }
    expect(did).toEqual(['configure', 'activate', 'deactivate', 'cleanup', 'shutdown']);
    expect(went.slice(0, 4)).toEqual([
      '1 unconfigured-configuring',
      '10 configuring-inactive',
      '3 inactive-activating',
      '30 activating-active',
    ]);
    expect(life.state).toBe('finalized');
  });

  it('does nothing for a command that its state does not know', async () => {
    const life = born();
    expect(await life.command('activate')).toBe('unknown');
    expect(did).toEqual([]);
    expect(life.state).toBe('unconfigured');
  });

  it('stays where it was when the work fails', async () => {
    const life = born();
    otherwise.configure = () => 'failure';
    expect(await life.command('configure')).toBe('failure');
    expect(life.state).toBe('unconfigured');
  });

  it('does one command at a time', async () => {
    const life = born();
    let finish: () => void = () => undefined;
    otherwise.configure = () =>
      new Promise((resolve) => {
        finish = () => resolve('success');
      });
    const configured = life.command('configure');
    expect(life.state).toBe('configuring');
    expect(await life.command('shutdown')).toBe('unknown');
    finish();
    expect(await configured).toBe('success');
  });

  it('ends after the command at work, once', async () => {
    const life = born();
    let finish: () => void = () => undefined;
    otherwise.configure = () =>
      new Promise((resolve) => {
        finish = () => resolve('success');
      });
    void life.command('configure');
    const ended = life.end();
    finish();
    await ended;
    await life.end();
    expect(did).toEqual(['configure', 'shutdown']);
    expect(life.state).toBe('finalized');
  });

  it('reports what was thrown, and goes back to the beginning', async () => {
    const life = born();
    await life.command('configure');
    otherwise.activate = () => {
      throw new Error('broken');
    };
    expect(await life.command('activate')).toBe('error');
    expect(did.at(-1)).toBe('recover');
    expect(faults).toEqual([new Error('broken')]);
    expect(life.state).toBe('unconfigured');
    expect(went.slice(-2)).toEqual([
      '32 activating-errorprocessing',
      '60 errorprocessing-unconfigured',
    ]);
  });

  it('ends for good when it cannot even go back', async () => {
    const life = born();
    otherwise.configure = () => Promise.reject(new Error('broken'));
    otherwise.recover = () => {
      throw new Error('broken, too');
    };
    await life.command('configure');
    expect(life.state).toBe('finalized');
    expect(await life.command('configure')).toBe('unknown');
  });
});
