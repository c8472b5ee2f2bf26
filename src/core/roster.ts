/**
 * State of a controller:
 * - `absent`: no ready signal yet;
 * - `ready`: waits for a start signal;
 * - `working`: has a start signal and has not replied;
 * - `late`: did not reply within its period, or within the reply time-out;
 * - `dead`: its process is gone, or it was stopped or dropped; it takes no part;
 * - `rejoining`: is back, or was admitted while others were at work; takes part from the next
 *   start signal, or from the first one after a resume when that is asked for.
 */
export type ControllerState = 'absent' | 'ready' | 'working' | 'late' | 'dead' | 'rejoining';

/**
 * What happens to a controller:
 * - `ready`: its ready signal came;
 * - `start`: a start signal goes to it;
 * - `reply`: its reply came;
 * - `miss`: it missed its period;
 * - `lost`: its process is gone, or it is stopped or dropped;
 * - `answer`: though it takes no part, it answers the start signal of now as it should.
 */
export type RosterEvent = 'ready' | 'start' | 'reply' | 'miss' | 'lost' | 'answer';

/** A change of state that is worth telling. */
export interface StateChange {
  readonly id: number;
  readonly from: ControllerState;
  readonly to: ControllerState;
}

interface Transition {
  readonly to: ControllerState;
  /** False for a first ready signal, and for the changes that every period brings. */
  readonly reported: boolean;
}

function quiet(to: ControllerState): Transition {
  return { to, reported: false };
}
function reported(to: ControllerState): Transition {
  return { to, reported: true };
}

/** (state, event) → (state, reported or not). */
const transitions: Record<ControllerState, Record<RosterEvent, Transition>> = {
  absent: {
    ready: quiet('ready'),
    start: quiet('absent'),
    reply: quiet('absent'),
    miss: quiet('absent'),
    lost: reported('dead'),
    answer: quiet('absent'),
  },
  ready: {
    ready: quiet('ready'),
    start: quiet('working'),
    reply: quiet('ready'),
    miss: quiet('ready'),
    lost: reported('dead'),
    answer: quiet('ready'),
  },
  working: {
    ready: quiet('working'),
    start: quiet('working'),
    reply: quiet('ready'),
    miss: reported('late'),
    lost: reported('dead'),
    answer: quiet('working'),
  },
  late: {
    ready: quiet('late'),
    start: quiet('late'),
    reply: reported('ready'),
    miss: quiet('late'),
    lost: reported('dead'),
    answer: quiet('late'),
  },
  dead: {
    ready: reported('rejoining'),
    start: quiet('dead'),
    reply: quiet('dead'),
    miss: quiet('dead'),
    lost: quiet('dead'),
    answer: reported('rejoining'),
  },
  rejoining: {
    ready: quiet('rejoining'),
    start: reported('working'),
    reply: quiet('rejoining'),
    miss: quiet('rejoining'),
    lost: reported('dead'),
    answer: quiet('rejoining'),
  },
};

/** Whether a controller in this state takes part: its replies count, its commands pass. */
const takingPart: Record<ControllerState, boolean> = {
  absent: false,
  ready: true,
  working: true,
  late: true,
  dead: false,
  rejoining: false,
};

/** The controllers and their state. */
export class Roster {
  readonly #states: Map<number, ControllerState>;

  /**
   * @param ids the assigned controllers; all are absent at first.
   * @param stopped those of them that an earlier run stopped: they are dead.
   */
  constructor(ids: readonly number[], stopped: readonly number[] = []) {
    this.#states = new Map(ids.map((id) => [id, stopped.includes(id) ? 'dead' : 'absent']));
  }

  /** Assigns a further controller, which is there already and takes part from the next start. */
  admit(id: number): void {
    this.#states.set(id, 'rejoining');
  }

  /** State of a controller; `absent` for an id that is not assigned. */
  stateOf(id: number): ControllerState {
    return this.#states.get(id) ?? 'absent';
  }

  /** True when the id is assigned. */
  has(id: number): boolean {
    return this.#states.has(id);
  }

  /** True when the controller's replies count and its commands pass. */
  takesPart(id: number): boolean {
    return takingPart[this.stateOf(id)];
  }

  /** Moves a controller on; returns the change when it is worth telling. */
  apply(id: number, event: RosterEvent): StateChange | null {
    const from = this.#states.get(id);
    if (from === undefined) return null;
    const { to, reported } = transitions[from][event];
    if (to !== from) this.#states.set(id, to);
    return reported ? { id, from, to } : null;
  }
}
