import { type Command, controllerIdOf, nsPerUs } from '../../core/index.js';
import type { EventOf, Phase, StartNote, Transcript } from './transcript.js';

/** A command of the controller, and when it came. */
export type SeenCommand = EventOf<'command'>;

/** One start signal, and what came from it to the next one. */
export interface SeenPeriod {
  readonly phase: Phase;
  readonly note: StartNote;
  readonly tNowNs: bigint;
  /** When it was sent, and when the next one was, or the phase ended; monotonic clock, ns. */
  readonly sentAtNs: bigint;
  readonly endsAtNs: bigint;
  /** The machine was too busy during it to blame the controller for anything late. */
  readonly disturbed: boolean;
  /** In the order of their coming. */
  readonly commands: readonly SeenCommand[];
}

/** A transcript in the order in which rules look at it. */
export interface View {
  readonly vehicleIds: readonly number[];
  readonly periodNs: bigint;
  readonly periods: readonly SeenPeriod[];
  /** Commands that the controller under test sent; those of others on the domain are left out. */
  readonly commands: readonly SeenCommand[];
  /** The events of a kind, in all phases or in one; those of other controllers are left out. */
  events<K extends Transcript['events'][number]['kind']>(
    kind: K,
    phase?: Phase,
  ): readonly EventOf<K>[];
  /** True when the certification came to this phase. */
  reached(phase: Phase): boolean;
  /** The answer of a vehicle's controller within a period; undefined when it missed it. */
  replyTo(period: SeenPeriod, vehicleId: number): SeenCommand | undefined;
  /**
   * The same, and also an answer to the start signal of the period that came after the next one, up
   * to this long after its own, ns.
   */
  answerWithin(period: SeenPeriod, vehicleId: number, ns: bigint): SeenCommand | undefined;
  /** True for a command that answers a start signal before that of the period. */
  isLateAnswer(command: SeenCommand, period: SeenPeriod): boolean;
}

/** The certifying process may be held up by this part of a period before the period does not count. */
const stallPart = 4n;

export function createStampOf({ command }: SeenCommand): bigint {
  return command.message.header.create_stamp.nanoseconds;
}

/** Looks at a transcript. */
export function viewOf(transcript: Transcript): View {
  const { vehicleIds, periodNs, events } = transcript;
  const phaseAt = phasesOf(transcript);
  const others = otherParticipants(transcript);
  const commands = events.filter(
    (event): event is SeenCommand => event.kind === 'command' && !others.has(event.participant),
  );
  const periods = periodsOf(transcript, commands);
  // Several commands for one start signal have stamps some nanoseconds apart.
  const orderOf = new Map(periods.map(({ tNowNs }, index) => [tNowNs / nsPerUs, index]));
  const orderOfAnswered = (command: SeenCommand) => orderOf.get(createStampOf(command) / nsPerUs);
  const orderOfPeriod = ({ tNowNs }: SeenPeriod) => orderOf.get(tNowNs / nsPerUs) ?? 0;
  const view: View = {
    vehicleIds,
    periodNs,
    periods,
    commands,
    events: <K extends Transcript['events'][number]['kind']>(kind: K, phase?: Phase) =>
      events.filter(
        (event, index): event is EventOf<K> =>
          event.kind === kind &&
          (phase === undefined || phaseAt[index] === phase) &&
          !('participant' in event && others.has(event.participant)),
      ),
    reached: (phase) => phaseAt.includes(phase),
    replyTo: (period, vehicleId) =>
      period.commands.find(
        (command) => vehicleOf(command) === vehicleId && !view.isLateAnswer(command, period),
      ),
    answerWithin: (period, vehicleId, ns) => {
      const isInTime = ({ atNs }: SeenCommand) =>
        atNs >= period.sentAtNs && atNs - period.sentAtNs <= ns;
      const reply = view.replyTo(period, vehicleId);
      if (reply !== undefined) return isInTime(reply) ? reply : undefined;
      return commands.find(
        (command) =>
          vehicleOf(command) === vehicleId &&
          isInTime(command) &&
          orderOfAnswered(command) === orderOfPeriod(period),
      );
    },
    isLateAnswer: (command, period) => {
      const answered = orderOfAnswered(command);
      return answered !== undefined && answered < orderOfPeriod(period);
    },
  };
  return view;
}

/** The phase of each event. */
function phasesOf({ events }: Transcript): Phase[] {
  let phase: Phase = 'arrival';
  return events.map((event) => {
    if (event.kind === 'phase') phase = event.phase;
    return phase;
  });
}

function periodsOf({ events, periodNs }: Transcript, commands: readonly SeenCommand[]) {
  const periods: SeenPeriod[] = [];
  const stalls = events.filter((event) => event.kind === 'stall');
  let phase: Phase = 'arrival';
  events.forEach((event, index) => {
    if (event.kind === 'phase') phase = event.phase;
    if (event.kind !== 'startSignal') return;
    const end = events
      .slice(index + 1)
      .find(({ kind }) => kind === 'startSignal' || kind === 'phase');
    const endsAtNs = end?.atNs ?? (events.at(-1)?.atNs ?? event.atNs) + 1n;
    const { tNowNs, note, atNs: sentAtNs } = event;
    periods.push({
      phase,
      note,
      tNowNs,
      sentAtNs,
      endsAtNs,
      disturbed: stalls.some(
        ({ atNs, forNs }) =>
          forNs * stallPart > periodNs && atNs > sentAtNs && atNs - forNs < endsAtNs,
      ),
      commands: commands.filter(({ atNs }) => atNs >= sentAtNs && atNs < endsAtNs),
    });
  });
  return periods;
}

/** Participants that signed in for other vehicles only: they are not under test. */
function otherParticipants({ events, vehicleIds }: Transcript): ReadonlySet<string> {
  const own = new Set<string>();
  const others = new Set<string>();
  for (const event of events) {
    if (event.kind !== 'readySignal') continue;
    const id = controllerIdOf(event.sourceId);
    if (id === null || vehicleIds.includes(id)) own.add(event.participant);
    else others.add(event.participant);
  }
  return new Set([...others].filter((participant) => !own.has(participant)));
}

/** The vehicle of a command. */
export function vehicleOf({ command }: { readonly command: Command }): number {
  return command.message.vehicle_id;
}
