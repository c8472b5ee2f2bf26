// A controller that keeps all rules of docs/reference/certification.md. A defect replaces one part of it.
import process from 'node:process';
import { DdsContext } from '../../../dist/dds/index.js';
import { topics } from '../../../dist/messages/index.js';

const stopSymbol = 0xffff_ffff_ffff_ffffn;
/** @type {import('../../../src/ports/index.js').HistoryQos} */
const keepAll = { kind: 'keep-all' };

/** @typedef {import('../../../src/messages/index.js').VehicleStateList} VehicleStateList */
/** @typedef {import('../../../src/ports/index.js').QosPolicies} QosPolicies */
/** @typedef {import('../../../src/ports/index.js').TransportWriter} TransportWriter */

export class BaseController {
  /** @type {QosPolicies} */
  readyQos = {
    reliability: { kind: 'reliable' },
    durability: { kind: 'transient-local' },
    history: keepAll,
    durabilityService: { history: keepAll },
  };

  /**
   * @param {readonly number[]} ids
   * @param {number} domainId
   * @param {string} stateFolder where it may leave files
   */
  constructor(ids, domainId, stateFolder) {
    /** GUID of the writer of the newest start signal. */
    this.middleware = '';
    this.ids = ids;
    this.stateFolder = stateFolder;
    this.context = DdsContext.open({
      onFault: (fault) => {
        console.error(fault);
        process.exit(1);
      },
    });
    this.side = this.context.join({ domainId, networkInterface: 'lo', initialPeers: [] });
    /** @type {QosPolicies} */
    const reliable = { reliability: { kind: 'reliable' }, history: keepAll };
    this.side.createReader(topics.vehicleStateList, reliable, {
      onSample: ({ bytes, writer }) => {
        this.middleware = writer.guid;
        this.onStartSignal(topics.vehicleStateList.codec.decode(bytes));
      },
    });
    this.side.createReader(topics.systemTrigger, reliable, {
      onSample: ({ bytes }) => {
        const { next_start } = topics.systemTrigger.codec.decode(bytes);
        if (next_start.nanoseconds === stopSymbol) this.onStop();
      },
    });
    this.direct = this.side.createWriter(topics.vehicleCommandDirect, reliable);
    this.trajectory = this.side.createWriter(topics.vehicleCommandTrajectory, reliable);
    this.ready = this.side.createWriter(topics.readyStatus, this.readySignalQos());
  }

  /** @returns {QosPolicies} */
  readySignalQos() {
    return this.readyQos;
  }

  signIn() {
    for (const id of this.ids) {
      this.ready.write(
        topics.readyStatus.codec.encode({
          source_id: this.sourceId(id),
          next_start_stamp: { nanoseconds: 0n },
        }),
      );
    }
  }

  /** @param {number} id */
  sourceId(id) {
    return `hlc_${id}`;
  }

  /** @param {VehicleStateList} list */
  onStartSignal(list) {
    this.answer(list);
  }

  /** @param {VehicleStateList} list */
  answer(list) {
    for (const id of this.ids) this.command(id, this.createStamp(list));
  }

  /** @param {VehicleStateList} list */
  createStamp(list) {
    return list.t_now;
  }

  /**
   * @param {number} vehicle_id
   * @param {bigint} createNs
   * @param {object} changes
   */
  command(vehicle_id, createNs, changes = {}) {
    this.direct.write(
      topics.vehicleCommandDirect.codec.encode({
        vehicle_id,
        header: this.header(createNs),
        motor_throttle: 0.1,
        steering_servo: 0,
        ...changes,
      }),
    );
  }

  /** @param {bigint} createNs */
  header(createNs) {
    return {
      create_stamp: { nanoseconds: createNs },
      valid_after_stamp: { nanoseconds: createNs },
    };
  }

  onStop() {
    this.context.close();
    process.exit(0);
  }
}
