import { replyTimesOf } from '../reply-times.js';
import { count, fail, ms, notTested, pass, type Rule } from '../rule.js';
import { createStampOf, vehicleOf, type SeenCommand, type View } from '../view.js';

/** One period in this many may be missed: a busy machine can make a true miss. */
const periodsPerMiss = 40;
/** Nine replies in ten come within this part of the period. */
const replyPart = 0.75;
/** A controller may command a vehicle so often in one period. */
const mostCommands = 4;

function steady(view: View) {
  return view.periods.filter(({ phase, disturbed }) => phase === 'steady' && !disturbed);
}

/** Fewer periods that count are no ground for a judgement: half of those of a quiet machine. */
const fewestPeriods = 20;
function tooFew(view: View): boolean {
  return steady(view).length < fewestPeriods;
}

/** How many periods did not count, as the end of a sentence. */
function leftOut(view: View): string {
  const n = view.periods.filter(({ phase, disturbed }) => phase === 'steady' && disturbed).length;
  return n === 0
    ? '.'
    : `; ${count(n, 'period')} in which this machine was too busy did not count.`;
}

function again(view: View): string {
  return steady(view).length < view.periods.length ? ' Certify again with a longer period.' : '';
}

export const reply: Rule = {
  id: 'reply',
  title: 'answers in every period',
  change:
    'Write one command for each vehicle for every start signal, also when it is the same as before, before the period is over.',
  judge: (view) => {
    const periods = steady(view);
    if (tooFew(view))
      return notTested(`There were too few periods to judge${leftOut(view)}${again(view)}`);
    const allowed = Math.ceil(periods.length / periodsPerMiss);
    for (const id of view.vehicleIds) {
      const missed = periods.filter((period) => view.replyTo(period, id) === undefined);
      if (missed.length <= allowed) continue;
      const late = view.periods.filter((period) =>
        period.commands.some((one) => vehicleOf(one) === id && view.isLateAnswer(one, period)),
      ).length;
      const lateText = late === 0 ? '' : `, and ${count(late, 'answer')} came late`;
      return fail(
        `${missed.length} of ${periods.length} periods had no answer for vehicle ${id}${lateText}${leftOut(view)}`,
      );
    }
    return pass(`${periods.length} periods were answered for every vehicle${leftOut(view)}`);
  },
};

export const replyTime: Rule = {
  id: 'reply-time',
  title: 'answers early enough: nine in ten answers within three quarters of the period',
  change: 'Make the computation shorter, or run with a longer period.',
  judge: (view) => {
    if (tooFew(view))
      return notTested(`There were too few periods to judge${leftOut(view)}${again(view)}`);
    const times = replyTimesOf(view);
    const slow = times.find(({ p90Ns }) => Number(p90Ns) > replyPart * Number(view.periodNs));
    const shown = slow ?? times[0];
    if (shown === undefined) return notTested('No answer came in time.');
    const { vehicleId, p50Ns, p90Ns, p99Ns, maxNs } = shown;
    const evidence = `For vehicle ${vehicleId}: p50 ${ms(p50Ns)}, p90 ${ms(p90Ns)}, p99 ${ms(p99Ns)}, max ${ms(maxNs)}, with a period of ${ms(view.periodNs)}.`;
    return slow === undefined ? pass(evidence) : fail(evidence);
  },
};

export const fewCommands: Rule = {
  id: 'few-commands',
  title: `sends at most ${mostCommands} commands for a vehicle in a period`,
  change: 'Write one command for each vehicle for every start signal, and no other.',
  judge: (view) => {
    if (view.commands.length === 0) return notTested('No command came.');
    const phases = ['steady', 'strange', 'rejoin', 'restart'];
    const most = { n: 0, id: 0 };
    for (const period of view.periods) {
      if (!phases.includes(period.phase) || period.disturbed) continue;
      for (const id of new Set(period.commands.map(vehicleOf))) {
        const n = period.commands.filter((one) => vehicleOf(one) === id).length;
        if (n > most.n) Object.assign(most, { n, id });
      }
    }
    const evidence = `The most in a period were ${count(most.n, 'command')}, for vehicle ${most.id}.`;
    return most.n > mostCommands ? fail(evidence) : pass(evidence);
  },
};

/** Periods after a start signal in which its answer may still come. */
const settlePeriods = 2n;
/** The same after the replies of a step of simulated time, ns. */
const settleNs = 100_000_000n;

export const askedOnly: Rule = {
  id: 'asked-only',
  title: 'sends commands only in answer to start signals',
  change:
    'Send commands when a start signal came and at no other time: no timer, no loop of its own, in simulated time above all.',
  judge: (view) => {
    let quietNs = 0n;
    let unasked = 0;
    for (const period of view.periods) {
      const fromNs = quietFrom(view, period);
      if (fromNs === undefined || fromNs >= period.endsAtNs) continue;
      quietNs += period.endsAtNs - fromNs;
      const quiet = period.commands.filter(({ atNs }) => atNs >= fromNs);
      unasked += quiet.filter((seen) => !isFirstAnswer(view, seen)).length;
    }
    if (quietNs === 0n) return notTested('No time without start signals was watched.');
    if (!view.periods.some(({ commands }) => commands.length > 0)) {
      return notTested('No command came at all.');
    }
    if (unasked === 0) return pass(`In ${ms(quietNs)} without start signals no command came.`);
    return fail(`In ${ms(quietNs)} without start signals ${count(unasked, 'command')} came.`);
  },
};

/** True for the first answer to some start signal: it is late, but it was asked for. */
function isFirstAnswer(view: View, seen: SeenCommand): boolean {
  const stampNs = createStampOf(seen);
  const isSame = (other: SeenCommand) =>
    vehicleOf(other) === vehicleOf(seen) && createStampOf(other) === stampNs;
  return (
    view.periods.some(({ tNowNs }) => tNowNs === stampNs) &&
    !view.commands.some((other) => other.atNs < seen.atNs && isSame(other))
  );
}

/** From when on nothing may come until the next start signal; undefined: it may at any time. */
function quietFrom(view: View, period: View['periods'][number]): bigint | undefined {
  if (period.note === 'hold') {
    const last = view.vehicleIds.map((id) => view.replyTo(period, id)?.atNs ?? period.endsAtNs);
    return last.reduce((a, b) => (a > b ? a : b)) + settleNs;
  }
  const isGap =
    period.phase === 'timing' && (period.note === 'normal' || period.note === 'afterGap');
  // What was held back before may still be digested.
  const next = view.periods[view.periods.indexOf(period) + 1];
  if (!isGap || next?.note !== 'afterGap') return undefined;
  return period.sentAtNs + settlePeriods * view.periodNs;
}
