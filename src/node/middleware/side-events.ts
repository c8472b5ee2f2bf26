import type { GuardStop, WriterId } from '../../core/index.js';
import type { Clocks } from '../../dds/index.js';
import { unknownWriter } from '../../ports/index.js';
import { ControllerSide, LabSide, type Side, type TopicErrors } from '../../sides/index.js';
import { vehicleObservationEvent, vehicleStateEvent } from '../../tap/index.js';
import type { NodeEvent } from '../observers/session-observer.js';

type Handle = (event: NodeEvent) => unknown;

/**
 * Opens the lab side: states and observations of vehicles become events.
 * @param onGuardStops A guard stopped vehicles.
 * @throws HlcError `HLC_DDS_ENTITY`.
 */
export function openLabSide(
  side: Side,
  topicErrors: TopicErrors,
  handle: Handle,
  onGuardStops: (guardEpoch: bigint, stops: readonly GuardStop[]) => void,
): LabSide {
  return new LabSide(
    side,
    {
      vehicleState: (message, kept, { bytes, receivedAtNs }) =>
        handle(vehicleStateEvent(message, kept, bytes, receivedAtNs)),
      vehicleObservation: (message, kept, { bytes, receivedAtNs }) =>
        handle(vehicleObservationEvent(message, kept, bytes, receivedAtNs)),
      guardStops: onGuardStops,
    },
    topicErrors,
  );
}

/**
 * Opens the controller side: ready signals, commands, and writers that come and go become events.
 * @param onDeaf Called with the source id of a controller that is ready and has no reader for start signals.
 * @throws HlcError `HLC_DDS_ENTITY`.
 */
export function openControllerSide(
  side: Side,
  topicErrors: TopicErrors,
  clocks: Clocks,
  handle: Handle,
  onDeaf: (sourceId: string) => void,
): ControllerSide {
  return new ControllerSide(
    side,
    {
      readySignal: (sourceId, writerGuid) => {
        const writer = writerId(writerGuid);
        const receivedAtNs = clocks.monotonicNs();
        handle({ kind: 'readySignal', sourceId, writer, receivedAtNs });
      },
      command: (command, receivedAtNs) => {
        const writer = writerId(command.writerGuid);
        const atNs = clocks.monotonicNs();
        handle({ kind: 'command', command, writer, receivedAtNs, atNs });
      },
      writerChanged: (role, { writer, joined }) =>
        handle({
          kind: 'writerChanged',
          writer: writer.guid,
          role,
          joined,
          atNs: clocks.monotonicNs(),
        }),
      deaf: onDeaf,
    },
    topicErrors,
  );
}

/** Null where the transport does not identify the writer of a sample. */
function writerId(guid: string): WriterId {
  return guid === unknownWriter.guid ? null : guid;
}
