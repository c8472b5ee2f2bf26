import type { Log } from '../../messages/index.js';
import type { TimeEffect } from './participants.js';

/** The events of a lab control. */
export type LabControlEvent =
  /** About time: a participant signed in, asked for an old step, left; a system trigger was sent. */
  | TimeEffect
  /**
   * A participant signed in, and yet no reader for system triggers is known in its DDS participant
   * after 1 s. It counts as signed in.
   */
  | { readonly kind: 'not-listening'; readonly sourceId: string }
  /** A program requested the stop of a vehicle; all are stopped, as in the lab. */
  | { readonly kind: 'stop-request'; readonly vehicleId: number }
  | {
      readonly kind: 'parameter-request';
      readonly name: string;
      /** False when the request goes unanswered. */
      readonly answered: boolean;
    }
  | { readonly kind: 'log'; readonly entry: Log }
  /** A sample was dropped: it is no message of the topic's type. */
  | {
      readonly kind: 'malformed';
      readonly topicName: string;
      /** 32 hex digits. */
      readonly writerGuid: string;
      readonly cause: string;
    }
  /** A sample could not be written. */
  | { readonly kind: 'fault'; readonly error: unknown };
