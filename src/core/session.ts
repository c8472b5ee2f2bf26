import type { Command } from './command.js';
import type { ControllerReport } from './controllers.js';
import type { Effect } from './effects.js';
import type { SessionEvent } from './session-events.js';
import type { PreparedStop, StandStill } from './stop/stand-still.js';
import type { SentCommands } from './stop/supervised-vehicle.js';

/**
 * What the two kinds of session have in common. A session does nothing by itself: give it each
 * event, carry out the effects it returns, and wake it at `wakeAtNs`.
 */
export interface Session<S, O, C extends Command> {
  readonly phase: string;
  /**
   * Wake the session at this monotonic instant, ns; look again after every event. Null: nothing
   * is waited for but events.
   */
  readonly wakeAtNs: bigint | null;
  /**
   * The commands that make vehicles stand still, as of a monotonic instant, ns; for an emergency in
   * which the session itself cannot be asked. None for a vehicle that was not commanded.
   * @param prepared counts in real time only; simulated time stands while this program does.
   */
  standStill(atNs: bigint, ids: readonly number[], prepared: PreparedStop): readonly StandStill[];
  /** What was sent to each vehicle, ascending by id. */
  sentCommands(): readonly ({ readonly id: number } & SentCommands)[];
  /** One report per assigned controller, ascending by id. */
  controllers(): ControllerReport[];
  /** Takes in one event; the effects are to be carried out in their order. */
  handle(event: SessionEvent<S, O, C>): readonly Effect<S, O, C>[];
}

/** Handlers of a phase in which no event changes anything. */
export function remains<Phase>(phase: Phase) {
  const stay = (): Phase => phase;
  return {
    vehicleState: stay,
    vehicleObservation: stay,
    command: stay,
    readySignal: stay,
    writerChanged: stay,
    resume: stay,
    vehiclesStopped: stay,
    startSent: stay,
    systemTrigger: stay,
    wake: stay,
    stop: stay,
  };
}

/** (phase, event) → (phase, effects): one handler for each kind of event. */
export type Handlers<Event extends { readonly kind: string }, Phase> = {
  readonly [E in Event as E['kind']]: (event: E) => Phase;
};
