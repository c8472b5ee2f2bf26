import { topics } from '../messages/index.js';
import type { Side } from './side.js';
import type { TopicErrors } from './topic-errors.js';
import { readTopic } from './topic-reader.js';
import { writeTopic } from './topic-writer.js';

/** Answers the lab control's round-trip questions at once, under the node's name (CPM Lab). */
export function answerRoundTrips(side: Side, nodeId: string, errors: TopicErrors): void {
  const topic = topics.round_trip_time;
  const writer = writeTopic(side, topic, errors);
  readTopic(
    side,
    topic,
    ({ source_id, is_answer, count }) => {
      if (is_answer || source_id === nodeId) return;
      writer.write({ source_id: nodeId, is_answer: true, count });
    },
    errors,
  );
}
