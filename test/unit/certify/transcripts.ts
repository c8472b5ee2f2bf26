import type {
  Phase,
  StartNote,
  Transcript,
  TranscriptEvent,
} from '../../../src/certify/judging/index.js';
import type { Command } from '../../../src/core/index.js';

export const ms = 1_000_000n;
export const periodNs = 50n * ms;
/** The wall clock is this much ahead of the monotonic one in these transcripts, ns. */
const epochNs = 1_700_000_000_000_000_000n;
const aheadNs = 1_000_000_000_000_000_000n;
export const participant = 'a'.repeat(24);

/** What a controller does with one start signal; what it returns is recorded. */
export type Answer = (start: {
  readonly phase: Phase;
  readonly note: StartNote;
  readonly tNowNs: bigint;
  /** How many start signals came before. */
  readonly index: number;
}) => readonly Reply[];

/** One command, and how long after the start signal it came. */
export interface Reply {
  readonly command: Command;
  readonly afterNs: bigint;
}

/** A direct command that is right in everything. */
export function direct(
  vehicle_id: number,
  createNs: bigint,
  changes: Partial<Extract<Command, { kind: 'direct' }>['message']> = {},
): Command {
  const stamp = { nanoseconds: createNs };
  return {
    kind: 'direct',
    message: {
      vehicle_id,
      header: { create_stamp: stamp, valid_after_stamp: stamp },
      motor_throttle: 0.1,
      steering_servo: 0,
      ...changes,
    },
  };
}

/** What a controller without a defect does. */
export const sound: Answer = ({ tNowNs }) => [{ command: direct(1, tNowNs), afterNs: 2n * ms }];

/** Writes transcripts as a certification of vehicle 1 records them. */
export class TranscriptWriter {
  readonly #events: TranscriptEvent[] = [];
  #nowNs = 1_000n * ms;
  #simulatedNs = epochNs + aheadNs;
  #index = 0;

  constructor(private readonly answer: Answer) {}

  add(
    event: TranscriptEvent extends infer E ? (E extends unknown ? Omit<E, 'atNs'> : never) : never,
  ) {
    this.#events.push({ ...event, atNs: this.#nowNs });
    return this;
  }

  ready(sourceId: string, receivedBy: 'middleware' | 'anyone' = 'middleware', by = participant) {
    return this.add({ kind: 'readySignal', sourceId, participant: by, receivedBy });
  }

  phase(phase: Phase) {
    return this.add({ kind: 'phase', phase });
  }

  /** Start signals of real time, and what the controller does. */
  starts(phase: Phase, notes: readonly (readonly [note: StartNote, periods?: number])[]) {
    for (const [note, periods = 1] of notes) {
      this.#nowNs += BigInt(periods) * periodNs;
      this.#start(phase, note, epochNs + this.#nowNs);
    }
    this.#nowNs += periodNs;
    return this;
  }

  /** Steps of simulated time. */
  steps(phase: Phase, notes: readonly StartNote[]) {
    for (const note of notes) {
      this.#simulatedNs += periodNs;
      this.#start(phase, note, this.#simulatedNs);
      this.#nowNs += note === 'hold' ? 400n * ms : 10n * ms;
    }
    return this;
  }

  #start(phase: Phase, note: StartNote, tNowNs: bigint): void {
    this.add({ kind: 'startSignal', tNowNs, note });
    for (const { command, afterNs } of this.answer({ phase, note, tNowNs, index: this.#index++ })) {
      const atNs = this.#nowNs + afterNs;
      const realtimeNs = epochNs + atNs;
      this.#events.push({ kind: 'command', command, participant, realtimeNs, atNs });
    }
  }

  transcript(): Transcript {
    return { vehicleIds: [1], periodNs, events: this.#events };
  }
}

const many = (note: StartNote, count: number) =>
  Array.from({ length: count }, () => [note] as const);

/** Changes of the course of a certification. */
export interface Course {
  readonly sources?: readonly string[];
  readonly receivedBy?: 'middleware' | 'anyone';
  readonly keptSources?: readonly string[];
  readonly restartSources?: readonly string[];
  readonly restart?: boolean;
  /** Called at the end of a phase. */
  readonly after?: Partial<Record<Phase, (writer: TranscriptWriter) => void>>;
}

/** A whole certification of a controller that answers like this. */
export function checkOf(answer: Answer, course: Course = {}): Transcript {
  const { sources = ['hlc_1'], receivedBy = 'middleware', restart = true } = course;
  const writer = new TranscriptWriter(answer);
  const end = (phase: Phase) => course.after?.[phase]?.(writer);
  writer.phase('arrival');
  for (const source of sources) writer.ready(source, receivedBy);
  end('arrival');
  writer.phase('steady').starts('steady', many('normal', 40));
  end('steady');
  writer.phase('strange');
  writer.starts('strange', [...many('normal', 2), ...many('strange', 10), ...many('normal', 6)]);
  end('strange');
  writer
    .phase('timing')
    .starts('timing', [
      ...many('normal', 2),
      ['late'],
      ['normal', 3],
      ['normal'],
      ['afterGap', 6],
      ['normal'],
      ['held', 10],
      ['newest'],
      ['normal', 5],
    ]);
  end('timing');
  writer.phase('rejoin');
  for (const source of course.keptSources ?? sources) writer.ready(source, receivedBy);
  writer.starts('rejoin', many('normal', 8));
  end('rejoin');
  writer.phase('simulated').steps('simulated', ['normal', 'normal', 'hold', 'normal', 'hold']);
  end('simulated');
  writer.phase('stop').steps('stop', ['normal', 'hold', 'hold']).add({ kind: 'stopTrigger' });
  writer.steps('stop', ['hold', 'hold', 'hold']);
  end('stop');
  if (restart) {
    writer.phase('restart');
    for (const source of course.restartSources ?? sources) {
      writer.ready(source, receivedBy, 'b'.repeat(24));
    }
    writer.starts('restart', many('normal', 8));
    end('restart');
  }
  return writer.transcript();
}
