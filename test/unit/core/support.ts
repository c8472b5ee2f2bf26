import {
  type ClockReading,
  type Command,
  cpmLabVehicle,
  type Effect,
  type EndReason,
  type SupervisionConfig,
} from '../../../src/core/index.js';

export const MS = 1_000_000n;
export const S = 1_000_000_000n;

/** CPM Lab vehicles that brake with 2 m/s². */
export const stops = { profile: cpmLabVehicle, brakingMps2: 2, zeroForNs: S } as const;

/** Nothing follows a miss: what the CPM Lab middleware does. */
export const loggedOnly: SupervisionConfig = {
  ruleOf: () => ({
    policy: 'log',
    missLimit: 1,
    stopAfterNs: null,
    graceNs: 0n,
    holdPeriods: 1,
    resume: 'auto',
  }),
  stops: { profile: cpmLabVehicle, brakingMps2: 1, zeroForNs: S },
  latched: [],
};

/** Misses are only reported, and no controller is admitted. */
export const unsupervised = {
  admit: 'listed',
  listAdmitted: false,
  supervision: loggedOnly,
  endTimeoutNs: 3n * 1_000_000_000n,
} as const;

/** GUID of a writer of the process with this number. */
export function writerOf(process: number, role: 'ready' | 'command' = 'ready'): string {
  const participant = process.toString(16).padStart(24, '0');
  return `${participant}${role === 'ready' ? '00000102' : '00000202'}`;
}

/** A speed/curvature command in order, created at `createNs`. */
export function speedCommand(vehicleId: number, createNs: bigint, validAfterNs = createNs) {
  return {
    kind: 'speedCurvature',
    message: { ...base(vehicleId, createNs, validAfterNs), speed: 1, curvature: 0 },
  } as const satisfies Command;
}

/** Id and header of a command. */
export function base(vehicleId: number, createNs: bigint, validAfterNs = createNs) {
  return {
    vehicle_id: vehicleId,
    header: {
      create_stamp: { nanoseconds: createNs },
      valid_after_stamp: { nanoseconds: validAfterNs },
    },
  };
}

/** The effects of one kind. */
export function only<E extends { kind: string }, K extends E['kind']>(
  effects: readonly E[],
  kind: K,
): Extract<E, { kind: K }>[] {
  return effects.filter((effect): effect is Extract<E, { kind: K }> => effect.kind === kind);
}

/** The kinds of effects, in their order. */
export function kinds(effects: readonly { kind: string }[]): string[] {
  return effects.map(({ kind }) => kind);
}

/** A wall clock and a monotonic clock that a test moves. */
export class TestClocks {
  constructor(
    public monotonicNs: bigint,
    /** Wall clock minus monotonic clock, ns. */
    public aheadNs: bigint,
  ) {}

  get realtimeNs(): bigint {
    return this.monotonicNs + this.aheadNs;
  }

  read(): ClockReading {
    return { monotonicNs: this.monotonicNs, realtimeNs: this.realtimeNs };
  }
}

/** The effects of a session whose vehicles and observations carry texts. */
export type TestEffect = Effect<string, string, Command>;

/** The effects of an end with nothing to be stopped, in lock-step and, after one more, in real time. */
export function endedBy(reason: EndReason, latched: readonly number[] = []): TestEffect[] {
  return [
    { kind: 'ending', reason },
    { kind: 'ended', reason, latched, moving: [] },
  ];
}
