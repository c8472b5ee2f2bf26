// A controller in a process of its own, which can be killed and stopped. It drives the vehicles
// `ids` with direct commands and answers every start signal, until an order changes that:
//   silent, answer      answers no more, or again
//   late { ms }         answers so much later
//   several { count }   answers with so many commands for each vehicle
//   burst { count }     writes so many commands for its first vehicle, as fast as they are taken
//   leave               closes what it has open and ends, as a controller does that is done
// It prints "ready", "start" { t, at } for every start signal, "burst" when all is written, "stop".

import process from 'node:process';
import { context, options, side, takeOrders, report, topics } from './peer-side.mjs';

/**
 * @typedef {import('../../src/ports/index.js').QosPolicies} QosPolicies
 * @typedef {{ ids: number[], reliability?: 'reliable' | 'best-effort', signIn?: string[] }} Given
 */
const given = /** @type {typeof options & Given} */ (options);
const { ids, reliability = 'reliable' } = given;
const history = /** @type {const} */ ({ kind: 'keep-all' });
/** @type {QosPolicies} */
const commandQos = {
  reliability: { kind: reliability, maxBlockingTimeNs: 10_000_000_000n },
  history,
};
/** @type {QosPolicies} */
const readyQos = {
  reliability: { kind: 'reliable' },
  durability: { kind: 'transient-local' },
  history,
  durabilityService: { history },
};
const stopSymbol = 0xffff_ffff_ffff_ffffn;

let answering = true;
let lateMs = 0;
let several = 1;
let lastStartNs = 0n;
let lastCreateNs = 0n;

/** @param {number} vehicle_id @param {bigint} create */
function command(vehicle_id, create) {
  lastCreateNs = create;
  const stamp = { nanoseconds: create };
  commands.write(
    topics.vehicleCommandDirect.codec.encode({
      vehicle_id,
      header: { create_stamp: stamp, valid_after_stamp: stamp },
      motor_throttle: 0.25,
      steering_servo: -0.5,
    }),
  );
}

/** @param {bigint} tNow */
function answer(tNow) {
  for (const id of ids) for (let i = 0; i < several; i++) command(id, tNow + BigInt(i));
}

/** @param {number} count */
function burst(count) {
  const [id = 0] = ids;
  for (let i = 0; i < count; i++) {
    command(id, (lastCreateNs > lastStartNs ? lastCreateNs : lastStartNs) + 1n);
  }
  report({ event: 'burst', count });
}

side.createReader(
  topics.vehicleStateList,
  { reliability: { kind: 'reliable' }, history },
  {
    onSample: ({ bytes, receivedAtNs }) => {
      const { t_now } = topics.vehicleStateList.codec.decode(bytes);
      lastStartNs = t_now;
      if (answering && lateMs > 0) setTimeout(() => answer(t_now), lateMs);
      else if (answering) answer(t_now);
      report({ event: 'start', t: t_now, at: receivedAtNs });
    },
  },
);
side.createReader(
  topics.systemTrigger,
  { reliability: { kind: 'reliable' }, history },
  {
    onSample: ({ bytes }) => {
      const { next_start } = topics.systemTrigger.codec.decode(bytes);
      if (next_start.nanoseconds === stopSymbol) report({ event: 'stop' });
    },
  },
);
const commands = side.createWriter(topics.vehicleCommandDirect, commandQos);
const ready = side.createWriter(topics.readyStatus, readyQos);
for (const source_id of given.signIn ?? ids.map((id) => `hlc_${id}`)) {
  const next_start_stamp = { nanoseconds: 0n };
  ready.write(topics.readyStatus.codec.encode({ source_id, next_start_stamp }));
}
report({ event: 'ready' });

takeOrders((order) => {
  switch (order.do) {
    case 'silent':
      answering = false;
      break;
    case 'answer':
      answering = true;
      lateMs = 0;
      break;
    case 'late':
      lateMs = Number(order.ms);
      break;
    case 'several':
      several = Number(order.count);
      break;
    case 'burst':
      burst(Number(order.count));
      break;
    case 'leave':
      context.close();
      process.exit(0);
  }
});
