import type { ObservedEffect, ObservedEvent } from './observed.js';

/**
 * What a reader that is too slow loses first: 0 bulk, then 1 start signals and commands, then 2 all
 * others; 3 is never dropped.
 */
export type Priority = 0 | 1 | 2 | 3;

/** Of frames that are never dropped: they are few, and the others need them. */
export const keptPriority = 3;

const ofEvents: Partial<Record<ObservedEvent['kind'], Priority>> = {
  vehicleState: 0,
  vehicleObservation: 0,
  wake: 0,
  command: 1,
  startSent: 1,
};

const ofEffects: Partial<Record<ObservedEffect['kind'], Priority>> = {
  prepareStart: 0,
  cancelStart: 0,
  sendStartSignal: 1,
  startSignalSent: 1,
  forwardCommand: 1,
  replied: 1,
  signIn: 1,
};

/** The highest priority of an event and its effects, which are dropped together. */
export function priorityOf(
  event: ObservedEvent,
  effects: readonly { readonly effect: ObservedEffect }[],
): Priority {
  let priority: Priority = ofEvents[event.kind] ?? 2;
  for (const { effect } of effects) {
    const other = ofEffects[effect.kind] ?? 2;
    if (other > priority) priority = other;
  }
  return priority;
}
