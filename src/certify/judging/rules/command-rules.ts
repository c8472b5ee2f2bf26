import {
  checkCommand,
  defaultCommandRules,
  explainViolation,
  motionFromOf,
  type CheckName,
  type Violation,
} from '../../../core/index.js';
import { count, fail, ms, notTested, pass, type Rule } from '../rule.js';
import { createStampOf, vehicleOf, type SeenCommand, type View } from '../view.js';

/** Phases of real time in which a start signal comes in every period. */
const ordinary = ['steady', 'strange', 'rejoin', 'restart'];

/** What the stamps of a command can be wrong in. */
const stampChecks: readonly CheckName[] = [
  'createdBeforePeriod',
  'createdInFuture',
  'notNewer',
  'tooOld',
];
/** What the rules of a running middleware know, and a single command does not show. */
const stateChecks: readonly CheckName[] = [
  'unknownVehicle',
  'noPeriod',
  'otherWriter',
  'notTakingPart',
  // The rule of valid_after_stamp judges it.
  'validTooFarAhead',
];

/** A vehicle obeys a command until 1 s after its valid_after_stamp (CPM Lab vehicle). */
const obeyedForNs = 1_000_000_000n;
/** A command that is to be obeyed later than this after it was made is taken for a mistake. */
const longestAheadNs = 5_000_000_000n;

interface Judged {
  readonly seen: SeenCommand;
  readonly violations: readonly Violation[];
}

/** What the checks of the middleware find in the commands that answer their own period. */
function judgedCommands(view: View): Judged[] {
  const lastNs = new Map<string, bigint>();
  const movesFromNs = new Map<number, bigint>();
  return view.periods.flatMap((period) => {
    if (!ordinary.includes(period.phase)) return [];
    return period.commands.flatMap((seen) => {
      const vehicleId = vehicleOf(seen);
      const key = `${vehicleId} ${seen.command.kind}`;
      const lastCreateNs = lastNs.get(key);
      lastNs.set(key, createStampOf(seen));
      if (view.isLateAnswer(seen, period)) return [];
      const context = {
        assigned: true,
        owned: true,
        takesPart: true,
        periodFromNs: period.tNowNs,
        lastCreateNs,
        movesFromNs: movesFromNs.get(vehicleId),
        nowNs: seen.realtimeNs,
        forwardedNs: seen.realtimeNs,
      };
      const violations = checkCommand(seen.command, context, defaultCommandRules.settings);
      const fromNs = motionFromOf(seen.command);
      const knownNs = movesFromNs.get(vehicleId);
      if (knownNs === undefined || fromNs < knownNs) movesFromNs.set(vehicleId, fromNs);
      return [{ seen, violations }];
    });
  });
}

/** The first violation of these checks, in the words of the catalogue, and how many commands have one. */
function worst(judged: readonly Judged[], isMeant: (check: CheckName) => boolean) {
  const wrong = judged.flatMap(({ violations }) => {
    const violation = violations.find(({ check }) => isMeant(check));
    return violation === undefined ? [] : [violation];
  });
  const [first] = wrong;
  return first && { count: wrong.length, code: first.code, sentence: explainViolation(first) };
}

export const createStamp: Rule = {
  id: 'create-stamp',
  title: 'stamps its commands with the time at which they were made',
  change: 'Use t_now of the start signal as create_stamp, which is right in both time modes.',
  judge: (view) => {
    const judged = judgedCommands(view);
    if (judged.length === 0) return notTested('No command came in its own period.');
    const found = worst(judged, (check) => stampChecks.includes(check));
    if (found === undefined) {
      return pass(
        `${count(judged.length, 'command')}: none was made before its period, in the future, or not after the one before.`,
      );
    }
    return fail(`${found.count} of ${judged.length} commands: ${found.sentence} [${found.code}]`);
  },
};

export const validAfter: Rule = {
  id: 'valid-after',
  title: 'lets its commands take effect soon',
  change:
    'Use t_now of the start signal as valid_after_stamp, or a time shortly after it; a vehicle stops 1 s after this time.',
  judge: (view) => {
    const offsets = judgedCommands(view).map(
      ({ seen }) => seen.command.message.header.valid_after_stamp.nanoseconds - createStampOf(seen),
    );
    if (offsets.length === 0) return notTested('No command came in its own period.');
    const isWrong = (ns: bigint) => ns <= -obeyedForNs || ns > longestAheadNs;
    const wrong = offsets.filter(isWrong);
    const least = offsets.reduce((a, b) => (a < b ? a : b));
    const most = offsets.reduce((a, b) => (a > b ? a : b));
    if (wrong.length === 0) {
      return pass(`valid_after_stamp lies ${ms(least)} to ${ms(most)} after create_stamp.`);
    }
    const [first = 0n] = wrong;
    const effect = first < 0n ? 'no vehicle obeys it' : 'a vehicle obeys it only then';
    return fail(
      `${wrong.length} of ${offsets.length} commands have a valid_after_stamp ${ms(first)} after create_stamp: ${effect}.`,
    );
  },
};

export const ownVehicles: Rule = {
  id: 'own-vehicles',
  title: 'commands its own vehicles only',
  change: 'Put the id of a vehicle that it signed in for into vehicle_id.',
  judge: (view) => {
    if (view.commands.length === 0) return notTested('No command came.');
    const foreign = view.commands.filter((one) => !view.vehicleIds.includes(vehicleOf(one)));
    const [first] = foreign;
    if (first === undefined) {
      return pass(`${count(view.commands.length, 'command')} for ${view.vehicleIds.join(', ')}.`);
    }
    return fail(
      `${foreign.length} of ${view.commands.length} commands name another vehicle, the first of them vehicle ${vehicleOf(first)}.`,
    );
  },
};

export const content: Rule = {
  id: 'content',
  title: 'keeps the ranges and the form of commands',
  change:
    'Keep to what docs/guide/controllers.md says of commands: finite numbers, throttle and steering within -1 to 1, trajectories and paths that a vehicle can follow.',
  judge: (view) => {
    const [malformed] = view.events('malformed');
    if (malformed !== undefined) {
      return fail(`A sample of ${malformed.topic} is no sample of its type (${malformed.cause}).`);
    }
    const judged = judgedCommands(view);
    if (judged.length === 0) return notTested('No command came in its own period.');
    const found = worst(
      judged,
      (check) => !stampChecks.includes(check) && !stateChecks.includes(check),
    );
    if (found === undefined) return pass(`${count(judged.length, 'command')} ${kindsOf(judged)}.`);
    return fail(`${found.count} of ${judged.length} commands: ${found.sentence} [${found.code}]`);
  },
};

function kindsOf(judged: readonly Judged[]): string {
  const kinds = [...new Set(judged.map(({ seen }) => seen.command.kind))];
  return `of kind ${kinds.join(', ')} are in order`;
}
