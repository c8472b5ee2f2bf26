/**
 * What a participant of the lab's time does:
 * - `ready`: real time: it has signed in;
 * - `waiting`: simulated time: it waits for its next step;
 * - `working`: simulated time: the step of the current time is its own, and it is not done;
 * - `out-of-sync`: simulated time: it waits for a step that is over and is not repeated.
 */
export type ParticipantState = 'ready' | 'waiting' | 'working' | 'out-of-sync';

/** Who takes part in the lab's time, known by its ready signals. */
export interface Participant {
  /** `ReadyStatus.source_id`. */
  readonly sourceId: string;
  /** `ReadyStatus.next_start_stamp`: simulated time: the step that it wants next, ns. */
  readonly nextStartNs: bigint;
  readonly state: ParticipantState;
}

/** What follows from an event of the lab's time. */
export type TimeEffect =
  /** Send this system trigger; `stopSymbol` stops all. */
  | { readonly kind: 'trigger'; readonly nextStartNs: bigint }
  /** A ready signal was taken up. */
  | { readonly kind: 'participant'; readonly participant: Participant }
  /** The program that signed in last under this name is gone. */
  | {
      readonly kind: 'participant-left';
      readonly sourceId: string;
      /** Simulated time waits for it until it signs in again or is forgotten. */
      readonly holdsTime: boolean;
    }
  /** A ready signal was thrown away, since its sender asked for a later step before. */
  | {
      readonly kind: 'old-ready-signal';
      readonly sourceId: string;
      readonly nextStartNs: bigint;
    };
