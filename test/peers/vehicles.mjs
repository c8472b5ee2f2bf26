// The vehicles of a lab in a process of their own. They print every command that comes: "command"
// { kind, id, create, at, value }, where value is the throttle, the speed or the number of points.
// With `quiet` they only count, and answer "report" with { received, driving, distinct, backwards }: backwards are commands
// that are older than one that came before. With `states`, they say that they drive:
//   states { ids, everyMs, speed }

import { context, options, side, takeOrders, report, topics } from './peer-side.mjs';

const { quiet = false } = /** @type {typeof options & { quiet?: boolean }} */ (options);
const history = /** @type {const} */ ({ kind: 'keep-all' });
const qos = /** @type {const} */ ({ reliability: { kind: 'reliable' }, history });

let received = 0;
let driving = 0;
let backwards = 0;
/** @type {Map<string, bigint>} */
const newest = new Map();
/** @type {Set<string>} */
const distinct = new Set();

/**
 * @template {{ vehicle_id: number, header: import('../../src/messages/index.js').Header }} T
 * @param {string} kind
 * @param {import('../../src/messages/index.js').Topic<T>} topic
 * @param {(message: T) => number} valueOf
 */
function listen(kind, topic, valueOf) {
  side.createReader(topic, qos, {
    onSample: ({ bytes, receivedAtNs }) => {
      const message = topic.codec.decode(bytes);
      const id = message.vehicle_id;
      const create = message.header.create_stamp.nanoseconds;
      received++;
      const value = valueOf(message);
      if (value > 0) driving++;
      const key = `${kind} ${id}`;
      if (create < (newest.get(key) ?? 0n)) backwards++;
      newest.set(key, create);
      if (quiet) distinct.add(`${key} ${create}`);
      else report({ event: 'command', kind, id, create, at: receivedAtNs, value });
    },
  });
}

listen('direct', topics.vehicleCommandDirect, ({ motor_throttle }) => motor_throttle);
listen('speedCurvature', topics.vehicleCommandSpeedCurvature, ({ speed }) => speed);
listen(
  'trajectory',
  topics.vehicleCommandTrajectory,
  (message) => message.trajectory_points.length,
);
listen('pathTracking', topics.vehicleCommandPathTracking, ({ speed }) => speed);

const states = side.createWriter(topics.vehicleState, qos);
/** @type {NodeJS.Timeout | undefined} */
let timer;

/** @param {{ ids: number[], everyMs: number, speed: number }} said */
function drive({ ids, everyMs, speed }) {
  clearInterval(timer);
  const { codec } = topics.vehicleState;
  timer = setInterval(() => {
    const stamp = { nanoseconds: context.clocks.realtimeNs() };
    const header = { create_stamp: stamp, valid_after_stamp: stamp };
    for (const vehicle_id of ids) {
      states.write(codec.encode({ ...codec.zero(), vehicle_id, header, speed }));
    }
  }, everyMs);
}

takeOrders((order) => {
  switch (order.do) {
    case 'report':
      report({ event: 'report', received, driving, distinct: distinct.size, backwards });
      break;
    case 'states':
      drive(/** @type {{ do: string, ids: number[], everyMs: number, speed: number }} */ (order));
      break;
  }
});
report({ event: 'ready' });
