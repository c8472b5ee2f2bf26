import type { Option } from '../option.js';
import { filePath, oneOf, socketPath, trueOrFalse, wireName } from '../value-types.js';

/** Options of `hlc-middleware run`: the process. */
export const generalOptions = {
  nodeId: {
    group: 'General',
    value: wireName(),
    default: 'middleware',
    meaning: 'Name of this middleware in logs and in the lab control.',
  },
  loggingId: {
    group: 'General',
    value: wireName(),
    otherwise: 'the node id',
    meaning:
      'Accepted for start scripts of the CPM Lab, without effect; the CPM Lab middleware used it in log entries before its node id was known.',
  },
  autostart: {
    group: 'General',
    value: trueOrFalse(),
    default: 'true',
    meaning:
      'Configure and activate the ROS 2 node at the start, and end the program with the session; with false other nodes do so ("ros2 lifecycle set"), and the program stays after a session.',
  },
  interruptExitCode: {
    group: 'General',
    value: oneOf(['130', '0']),
    default: '130',
    meaning:
      'Exit code after SIGINT (Ctrl-C): 130 as a shell expects it, or 0 as "ros2 launch" expects it of a node; with 0 a latched safety stop still is exit 5.',
  },
  controlSocket: {
    group: 'General',
    value: socketPath(),
    default: 'auto',
    meaning:
      'Local socket for the commands that control a running middleware, such as "hlc-middleware status" and "stop"; auto: a file with the name of the node id in $XDG_RUNTIME_DIR/hlc-middleware, else in /tmp/hlc-middleware-UID; off: no socket.',
  },
  config: {
    group: 'General',
    value: filePath(),
    otherwise: 'none',
    meaning: 'Configuration file (YAML); its keys are the flags without the leading dashes.',
  },
} as const satisfies Record<string, Option<unknown>>;
