import { printable } from '../../core/index.js';
import { announceLog, type RosLogLevel, type RosTopics } from '../../ros2/index.js';
import { mostCharacters, type NodeLog } from '../logger.js';

/** pino's numbers of the levels that ROS 2 has, less severe ones first. */
const rosLevels: readonly (readonly [pinoLevel: number, level: RosLogLevel])[] = [
  [20, 10],
  [30, 20],
  [40, 30],
  [50, 40],
];
const fatal = 50;

/**
 * Publishes the log of this program on `/rosout` of every side, as far as the user sees it.
 * @throws HlcError `HLC_ROS_MESSAGES`, `HLC_DDS_ENTITY`.
 */
export function publishLog(topics: readonly RosTopics[], nodeLog: NodeLog): void {
  const publishers = topics.map((side) => announceLog(side));
  // A failed write is in the log, too.
  let publishing = false;
  nodeLog.listen((line) => {
    if (publishing) return;
    publishing = true;
    const { level: pinoLevel, msg } = JSON.parse(line) as { level: number; msg?: string };
    const level = rosLevels.find(([most]) => pinoLevel <= most)?.[1] ?? fatal;
    try {
      for (const publish of publishers)
        publish({ level, message: printable(msg ?? '', mostCharacters) });
    } finally {
      publishing = false;
    }
  }, 'shown');
}
