import { isHlcError } from '../../errors/index.js';
import type { RosFields } from '../rclnodejs-api.js';
import type { RosNodeHandle } from '../ros-endpoint.js';
import { offerService } from './offer.js';

/** Requests to the session; each returns the status after it, or throws an HlcError. */
export interface ControlActions {
  readonly pause: () => string;
  readonly resume: () => string;
  /** @param count 0 to 2^32 - 1. */
  readonly step: (count: number) => string;
  /** @param timeNs simulated time, ns, 0 to 2^64 - 1. */
  readonly runUntil: (timeNs: bigint) => string;
}

/**
 * The services that steer the session, each with `success` and `message` in its answer.
 * @throws HlcError `HLC_ROS_MESSAGES`.
 */
export function offerControl(handle: RosNodeHandle, actions: ControlActions): void {
  const offer = (type: string, name: string, act: (request: RosFields) => string) =>
    offerService(handle, type, `~/${name}`, (request) => {
      try {
        return { success: true, message: act(request) };
      } catch (error) {
        // The client receives a fault of this program, too.
        if (!isHlcError(error)) handle.onFault(error);
        return { success: false, message: (error as Error).message };
      }
    });
  offer('std_srvs/srv/Trigger', 'pause', () => actions.pause());
  offer('std_srvs/srv/Trigger', 'resume', () => actions.resume());
  offer('hlc_middleware_msgs/srv/Step', 'step', ({ count }) => actions.step(Number(count)));
  offer('hlc_middleware_msgs/srv/RunUntil', 'run_until', ({ time_ns: timeNs }) =>
    actions.runUntil(timeNs as bigint),
  );
}
