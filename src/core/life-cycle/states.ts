/**
 * The life cycle of a managed node as a table, with the numbers and labels of
 * `lifecycle_msgs/msg/State` and `lifecycle_msgs/msg/Transition` (design.ros2.org, "Managed nodes").
 */

/** A state that lasts: what `ros2 lifecycle get` shows. */
export type RestingState = 'unconfigured' | 'inactive' | 'active' | 'finalized';

/** A state in which the node is at work to reach another one. */
export type PassingState =
  'configuring' | 'cleaningup' | 'shuttingdown' | 'activating' | 'deactivating' | 'errorprocessing';

export type LifecycleState = RestingState | PassingState;

/** What others can ask for. */
export type LifecycleCommand = 'configure' | 'cleanup' | 'activate' | 'deactivate' | 'shutdown';

/** How the work of a passing state ends. */
export type LifecycleOutcome = 'success' | 'failure' | 'error';

/** One arrow of the life cycle. */
export interface LifecycleTransition {
  readonly id: number;
  readonly label: string;
  readonly from: LifecycleState;
  readonly to: LifecycleState;
}

/** Numbers of the states; 0 is the unknown state, which no node is in. */
export const stateIds: Readonly<Record<LifecycleState | 'unknown', number>> = {
  unknown: 0,
  unconfigured: 1,
  inactive: 2,
  active: 3,
  finalized: 4,
  configuring: 10,
  cleaningup: 11,
  shuttingdown: 12,
  activating: 13,
  deactivating: 14,
  errorprocessing: 15,
};

/** Where a command leads to from each state; a state that is not there does not know it. */
const commands: Record<
  LifecycleCommand,
  Partial<Record<LifecycleState, { readonly id: number; readonly to: PassingState }>>
> = {
  configure: { unconfigured: { id: 1, to: 'configuring' } },
  cleanup: { inactive: { id: 2, to: 'cleaningup' } },
  activate: { inactive: { id: 3, to: 'activating' } },
  deactivate: { active: { id: 4, to: 'deactivating' } },
  shutdown: {
    unconfigured: { id: 5, to: 'shuttingdown' },
    inactive: { id: 6, to: 'shuttingdown' },
    active: { id: 7, to: 'shuttingdown' },
  },
};

/** Where the work of a passing state leads to; `id` is that of success, the next two follow it. */
const outcomes: Record<
  PassingState,
  { readonly id: number } & Readonly<Record<LifecycleOutcome, LifecycleState>>
> = {
  configuring: outcome(10, 'inactive', 'unconfigured'),
  cleaningup: outcome(20, 'unconfigured', 'inactive'),
  activating: outcome(30, 'active', 'inactive'),
  deactivating: outcome(40, 'inactive', 'active'),
  shuttingdown: outcome(50, 'finalized', 'finalized'),
  errorprocessing: { ...outcome(60, 'unconfigured', 'finalized'), error: 'finalized' },
};

function outcome(id: number, success: LifecycleState, failure: LifecycleState) {
  return { id, success, failure, error: 'errorprocessing' as LifecycleState };
}

const outcomeOrder: readonly LifecycleOutcome[] = ['success', 'failure', 'error'];

/** All arrows: commands first, then what follows the work. */
export const allTransitions: readonly LifecycleTransition[] = [
  ...(Object.keys(commands) as LifecycleCommand[]).flatMap((label) =>
    (Object.keys(commands[label]) as LifecycleState[]).flatMap(
      (from) => commanded(from, label) ?? [],
    ),
  ),
  ...(Object.keys(outcomes) as PassingState[]).flatMap((from) =>
    outcomeOrder.map((how) => followed(from, how)),
  ),
];

/** The arrow of a command; undefined when this state does not know it. */
export function commanded(
  from: LifecycleState,
  label: LifecycleCommand,
): (LifecycleTransition & { readonly to: PassingState }) | undefined {
  const arrow = commands[label][from];
  return arrow === undefined ? undefined : { ...arrow, label, from };
}

/** The arrow of how the work of a passing state ended. */
export function followed(from: PassingState, how: LifecycleOutcome): LifecycleTransition {
  const { id, [how]: to } = outcomes[from];
  return { id: id + outcomeOrder.indexOf(how), label: `transition_${how}`, from, to };
}

/** The arrows that leave a state. */
export function transitionsFrom(state: LifecycleState): readonly LifecycleTransition[] {
  return allTransitions.filter(({ from }) => from === state);
}

/**
 * The requested command in a state: by its label, or without a label by its number.
 * Undefined when this state does not know it.
 */
export function commandMeant(
  state: LifecycleState,
  { id, label }: { readonly id: number; readonly label: string },
): LifecycleCommand | undefined {
  const known = (Object.keys(commands) as LifecycleCommand[]).flatMap(
    (command) => commanded(state, command) ?? [],
  );
  const meant = known.find((arrow) => (label === '' ? arrow.id === id : arrow.label === label));
  return meant?.label as LifecycleCommand | undefined;
}
