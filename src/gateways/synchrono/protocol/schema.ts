/** The names of the slots of a table, in their order. A field that is a union has two slots. */
function slots<const Name extends string>(...names: Name[]): Readonly<Record<Name, number>> {
  const entries = names.map((name, slot) => [name, slot] as const);
  // Object.fromEntries loses the names.
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** The tables of `proto/synchrono.fbs` that the gateway reads or writes, with their slots. */
export const tables = {
  Buffer: slots('buffer'),
  Message: slots('message_type', 'message', 'source_key', 'destination_key'),
  Vector: slots('x', 'y', 'z'),
  Quaternion: slots('e0', 'e1', 'e2', 'e3'),
  Pose: slots('pos', 'rot', 'pos_dt', 'rot_dt', 'pos_dtdt', 'rot_dtdt'),
  'Agent.State': slots('message_type', 'message'),
  'Agent.Description': slots('description_type', 'description', 'json'),
  'Simulation.State': slots('quit_sim'),
} as const;

/** Members of the union `Type` that the gateway knows. */
export const messageTypes = { agentState: 1, agentDescription: 2, simulationState: 7 } as const;

/** What the vehicles of SynChrono have: the files of their meshes, and parts of which they have many. */
export const vehicleKinds = {
  wheeled: {
    stateType: 1,
    files: ['chassis_vis_file', 'wheel_vis_file', 'tire_vis_file'],
    parts: { wheels: 'num_wheels' },
  },
  tracked: {
    stateType: 3,
    files: [
      'chassis_vis_file',
      'track_shoe_vis_file',
      'left_sprocket_vis_file',
      'right_sprocket_vis_file',
      'left_idler_vis_file',
      'right_idler_vis_file',
      'left_road_wheel_vis_file',
      'right_road_wheel_vis_file',
    ],
    parts: {
      track_shoes: 'num_track_shoes',
      sprockets: 'num_sprockets',
      idlers: 'num_idlers',
      road_wheels: 'num_road_wheels',
    },
  },
  copter: {
    stateType: 7,
    files: ['chassis_vis_file', 'propeller_vis_file'],
    parts: { propellers: 'num_props' },
  },
} as const;

/** A kind of vehicle of SynChrono. */
export type VehicleKind = keyof typeof vehicleKinds;

/** A vehicle kind with the slots of its two tables. */
export interface VehicleTables {
  readonly kind: VehicleKind;
  /** Members of the union `Agent.Type`. */
  readonly stateType: number;
  readonly descriptionType: number;
  /** Of the description: names and slots of the files. */
  readonly files: readonly (readonly [name: string, slot: number])[];
  /** Names of the parts, with the slot of their poses in the state, and of their number in the description. */
  readonly parts: readonly {
    readonly name: string;
    readonly posesSlot: number;
    readonly countSlot: number;
  }[];
}

/** Slots of every state of a vehicle; the parts follow. */
export const stateSlots = slots('time', 'chassis');

/** The tables of all kinds. */
export const vehicleTables: Readonly<Record<VehicleKind, VehicleTables>> = {
  wheeled: tablesOf('wheeled'),
  tracked: tablesOf('tracked'),
  copter: tablesOf('copter'),
};

function tablesOf(kind: VehicleKind): VehicleTables {
  const { stateType, files, parts } = vehicleKinds[kind];
  const firstPoses = Object.keys(stateSlots).length;
  return {
    kind,
    stateType,
    descriptionType: stateType + 1,
    files: files.map((name, slot) => [name, slot]),
    parts: Object.keys(parts).map((name, index) => ({
      name,
      posesSlot: firstPoses + index,
      countSlot: files.length + index,
    })),
  };
}

/** Names an agent of a node. */
export interface AgentKey {
  readonly node: number;
  /** 0: the node itself. */
  readonly agent: number;
}

/** As SynChrono and the flags write it: `2.1` is agent 1 of node 2. */
export function keyText({ node, agent }: AgentKey): string {
  return `${node}.${agent}`;
}
