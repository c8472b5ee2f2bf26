import type { Transport, TransportReader } from '../core/ports/index.js';
import { topics, type Topic } from '../messages/index.js';
import { bestEffortCommandReaderQos, reliableCommandReaderQos } from './lab-qos.js';
import type { VehicleCommand } from './vehicle-command.js';

/** Who listens to {@link readCommands}. */
interface CommandListener {
  onCommand(command: VehicleCommand): void;
  /** A sample could not be decoded. */
  onFault(error: unknown): void;
}

/**
 * Reads the four command topics of a side, from reliable and from best-effort writers.
 * @returns Closes the readers.
 */
export function readCommands(transport: Transport, listener: CommandListener): () => void {
  const readers = [
    ...readTopic(transport, topics.vehicleCommandDirect, listener, (message) => ({
      kind: 'direct',
      ...message,
    })),
    ...readTopic(transport, topics.vehicleCommandSpeedCurvature, listener, (message) => ({
      kind: 'speedCurvature',
      ...message,
    })),
    ...readTopic(transport, topics.vehicleCommandTrajectory, listener, (message) => ({
      kind: 'trajectory',
      ...message,
    })),
    ...readTopic(transport, topics.vehicleCommandPathTracking, listener, (message) => ({
      kind: 'pathTracking',
      ...message,
    })),
  ];
  return () => {
    for (const reader of readers) reader.close();
  };
}

function readTopic<T>(
  transport: Transport,
  topic: Topic<T>,
  listener: CommandListener,
  wrap: (message: T) => VehicleCommand,
): TransportReader[] {
  const onSample = ({ bytes }: { readonly bytes: Uint8Array }): void => {
    let command: VehicleCommand;
    try {
      command = wrap(topic.codec.decode(bytes));
    } catch (error) {
      listener.onFault(error);
      return;
    }
    listener.onCommand(command);
  };
  return [
    transport.createReader(topic, reliableCommandReaderQos, { onSample }),
    transport.createReader(
      topic,
      bestEffortCommandReaderQos,
      { onSample },
      { ignoreReliableWriters: true },
    ),
  ];
}
