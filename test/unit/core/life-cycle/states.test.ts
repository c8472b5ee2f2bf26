import { describe, expect, it } from 'vitest';
import {
  allTransitions,
  commandMeant,
  stateIds,
  transitionsFrom,
  type LifecycleState,
} from '../../../../src/core/life-cycle/states.js';

/** The arrows of rcl_lifecycle (Jazzy, default_state_machine.c), in its numbers. */
const arrowsOfRcl = `
  1 configure unconfigured configuring
  10 transition_success configuring inactive
  11 transition_failure configuring unconfigured
  12 transition_error configuring errorprocessing
  2 cleanup inactive cleaningup
  20 transition_success cleaningup unconfigured
  21 transition_failure cleaningup inactive
  22 transition_error cleaningup errorprocessing
  3 activate inactive activating
  30 transition_success activating active
  31 transition_failure activating inactive
  32 transition_error activating errorprocessing
  4 deactivate active deactivating
  40 transition_success deactivating inactive
  41 transition_failure deactivating active
  42 transition_error deactivating errorprocessing
  5 shutdown unconfigured shuttingdown
  6 shutdown inactive shuttingdown
  7 shutdown active shuttingdown
  50 transition_success shuttingdown finalized
  51 transition_failure shuttingdown finalized
  52 transition_error shuttingdown errorprocessing
  60 transition_success errorprocessing unconfigured
  61 transition_failure errorprocessing finalized
  62 transition_error errorprocessing finalized`;

describe('the life cycle of a managed node', () => {
  it('has the arrows of rcl', () => {
    const arrows = allTransitions.map(({ id, label, from, to }) => `${id} ${label} ${from} ${to}`);
    const expected = arrowsOfRcl.split('\n').map((line) => line.trim());
    expect(arrows.toSorted()).toEqual(expected.filter((line) => line !== '').toSorted());
  });

  it('leads from every state but the last one to another', () => {
    const states = Object.keys(stateIds).filter((state) => state !== 'unknown');
    const ends = states.filter((state) => transitionsFrom(state as LifecycleState).length === 0);
    expect(ends).toEqual(['finalized']);
  });

  it('knows in each lasting state what can be asked for', () => {
    const known = (state: LifecycleState) => transitionsFrom(state).map(({ label }) => label);
    expect(known('unconfigured')).toEqual(['configure', 'shutdown']);
    expect(known('inactive')).toEqual(['cleanup', 'activate', 'shutdown']);
    expect(known('active')).toEqual(['deactivate', 'shutdown']);
  });

  it('understands a command by its label, or by its number where there is no label', () => {
    expect(commandMeant('active', { id: 0, label: 'shutdown' })).toBe('shutdown');
    expect(commandMeant('active', { id: 1, label: 'shutdown' })).toBe('shutdown');
    expect(commandMeant('inactive', { id: 3, label: '' })).toBe('activate');
    expect(commandMeant('inactive', { id: 6, label: '' })).toBe('shutdown');
  });

  it('does not know a command of another state, nor an outcome as a command', () => {
    expect(commandMeant('active', { id: 0, label: 'configure' })).toBeUndefined();
    expect(commandMeant('active', { id: 5, label: '' })).toBeUndefined();
    expect(commandMeant('configuring', { id: 10, label: 'transition_success' })).toBeUndefined();
    expect(commandMeant('unconfigured', { id: 0, label: 'nonsense' })).toBeUndefined();
  });
});
