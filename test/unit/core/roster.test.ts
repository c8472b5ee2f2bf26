import { describe, expect, it } from 'vitest';
import { type ControllerState, Roster, type RosterEvent } from '../../../src/core/roster.js';

/** A roster with controller 1 in the given state. */
const paths: Record<ControllerState, readonly RosterEvent[]> = {
  absent: [],
  ready: ['ready'],
  working: ['ready', 'start'],
  late: ['ready', 'start', 'miss'],
  dead: ['ready', 'lost'],
  rejoining: ['ready', 'lost', 'ready'],
};

function rosterIn(state: ControllerState): Roster {
  const roster = new Roster([1]);
  for (const event of paths[state]) roster.apply(1, event);
  expect(roster.stateOf(1)).toBe(state);
  return roster;
}

/** Rows: state; columns: event. An exclamation mark says that the change is reported. */
const expected: Record<ControllerState, Record<RosterEvent, string>> = {
  absent: {
    ready: 'ready',
    start: 'absent',
    reply: 'absent',
    miss: 'absent',
    lost: 'dead!',
    answer: 'absent',
  },
  ready: {
    ready: 'ready',
    start: 'working',
    reply: 'ready',
    miss: 'ready',
    lost: 'dead!',
    answer: 'ready',
  },
  working: {
    ready: 'working',
    start: 'working',
    reply: 'ready',
    miss: 'late!',
    lost: 'dead!',
    answer: 'working',
  },
  late: {
    ready: 'late',
    start: 'late',
    reply: 'ready!',
    miss: 'late',
    lost: 'dead!',
    answer: 'late',
  },
  dead: {
    ready: 'rejoining!',
    start: 'dead',
    reply: 'dead',
    miss: 'dead',
    lost: 'dead',
    answer: 'rejoining!',
  },
  rejoining: {
    ready: 'rejoining',
    start: 'working!',
    reply: 'rejoining',
    miss: 'rejoining',
    lost: 'dead!',
    answer: 'rejoining',
  },
};

describe('the roster', () => {
  for (const [state, row] of Object.entries(expected)) {
    for (const [event, outcome] of Object.entries(row)) {
      it(`goes from ${state} by ${event} to ${outcome}`, () => {
        const roster = rosterIn(state as ControllerState);
        const change = roster.apply(1, event as RosterEvent);
        const to = outcome.replace('!', '');
        expect(roster.stateOf(1)).toBe(to);
        expect(change).toEqual(outcome.endsWith('!') ? { id: 1, from: state, to } : null);
      });
    }
  }

  it('lets those take part that are neither absent nor dead nor yet rejoining', () => {
    const states = Object.keys(paths) as ControllerState[];
    const taking = states.filter((state) => rosterIn(state).takesPart(1));
    expect(taking).toEqual(['ready', 'working', 'late']);
  });

  it('lets an admitted controller take part from the next start', () => {
    const roster = new Roster([1]);
    roster.admit(7);
    expect(roster.takesPart(7)).toBe(false);
    expect(roster.apply(7, 'start')).toEqual({ id: 7, from: 'rejoining', to: 'working' });
    expect(roster.takesPart(7)).toBe(true);
  });

  it('knows nothing of other ids', () => {
    const roster = new Roster([1]);
    expect(roster.apply(2, 'ready')).toBeNull();
    expect(roster.has(2)).toBe(false);
    expect(roster.stateOf(2)).toBe('absent');
  });
});
