import type { Command } from '../core/index.js';
import type { ReceivedSample, WriterChange } from '../ports/index.js';
import { topics, type Topic } from '../messages/index.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';
import { writeTopic, type TopicWriter } from './topic-writer.js';

type CommandKind = Command['kind'];

/** The topic of each kind of command; the same on both sides (CPM Lab wire contract). */
export const commandTopics = {
  direct: topics.vehicleCommandDirect,
  speedCurvature: topics.vehicleCommandSpeedCurvature,
  trajectory: topics.vehicleCommandTrajectory,
  pathTracking: topics.vehicleCommandPathTracking,
} satisfies { [K in CommandKind]: Topic<Extract<Command, { kind: K }>['message']> };

/** A command together with the bytes it came in, which are what is forwarded. */
export type ReceivedCommand = Command & {
  /** CDR as received; valid while its event is handled. */
  readonly bytes: Uint8Array;
  /** GUID of its DDS writer. */
  readonly writerGuid: string;
};

/** Reads the commands of all kinds. */
export function readCommands(
  side: Side,
  onCommand: (command: Command, sample: ReceivedSample) => void,
  errors: TopicErrors,
  onWriterChanged?: (change: WriterChange) => void,
): void {
  for (const kind of Object.keys(commandTopics) as CommandKind[]) {
    readTopic<Command['message']>(
      side,
      commandTopics[kind],
      // Kind and message belong together; the compiler cannot see that through the table.
      (message, sample) => onCommand({ kind, message } as Command, sample),
      errors,
      onWriterChanged,
    );
  }
}

/** Encodes a command in CDR. @throws RangeError when a field does not fit its IDL type. */
export function encodeCommand({ kind, message }: Command): Uint8Array {
  // Kind and message belong together; the compiler cannot see that through the table.
  return (commandTopics[kind] as Topic<Command['message']>).codec.encode(message);
}

/** Writers of commands, by their kind. */
export type CommandWriters = Readonly<Record<CommandKind, TopicWriter<Command['message']>>>;

/** A writer for each kind of command. */
export function writeCommands(side: Side, errors: TopicErrors): CommandWriters {
  const writer = (kind: CommandKind) =>
    // Callers choose the writer by the kind of the command, so its messages have that type.
    writeTopic(side, commandTopics[kind] as Topic<Command['message']>, errors);
  return {
    direct: writer('direct'),
    speedCurvature: writer('speedCurvature'),
    trajectory: writer('trajectory'),
    pathTracking: writer('pathTracking'),
  };
}
