import { constants, getPriority, setPriority } from 'node:os';

/** Observers must not delay the control loop: this process gets less time than the middleware. */
export function lowerPriority(): void {
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
}
