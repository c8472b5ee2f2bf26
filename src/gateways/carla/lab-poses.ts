import { setTimeout as wait } from 'node:timers/promises';

import type { Transport } from '../../ports/index.js';
import { topics, type Pose2D } from '../../messages/index.js';
import { readTopic, stateReaderQos, type TopicErrors } from '../../sides/index.js';

/** How long poses are waited for, ms; a lab in simulated time has none before its first step. */
const patienceMs = 1000;
const pollMs = 20;
const origin: Pose2D = { x: 0, y: 0, yaw: 0 };

/** The newest poses of vehicles, from their states on the lab side. */
export class LabPoses {
  readonly #poses = new Map<number, Pose2D>();

  /** @throws HlcError `HLC_DDS_ENTITY`. */
  constructor(transport: Transport, errors: TopicErrors) {
    const side = { transport, qos: stateReaderQos };
    readTopic(
      side,
      topics.vehicleState,
      ({ vehicle_id: id, pose }) => {
        if ([pose.x, pose.y, pose.yaw].every(Number.isFinite)) this.#poses.set(id, pose);
      },
      errors,
    );
  }

  /** The poses of these vehicles; the origin for one without a state. */
  async of(
    vehicleIds: readonly number[],
    onUnknown: (vehicleIds: readonly number[]) => void,
  ): Promise<readonly Pose2D[]> {
    const unknown = () => vehicleIds.filter((id) => !this.#poses.has(id));
    for (let waited = 0; waited < patienceMs && unknown().length > 0; waited += pollMs) {
      await wait(pollMs);
    }
    if (unknown().length > 0) onUnknown(unknown());
    return vehicleIds.map((id) => this.#poses.get(id) ?? origin);
  }
}
