import { count, fail, ms, notTested, pass, type Rule } from '../rule.js';
import { vehicleOf, type SeenPeriod, type View } from '../view.js';

/** Answers to older start signals that may come after the newest one, for each vehicle. */
const mostStale = 2;
/** The newest of several start signals is answered within this many periods. */
const digestPeriods = 2n;

export const newest: Rule = {
  id: 'newest',
  title: 'answers the newest start signal, and no backlog',
  change:
    'Keep the last start signal only (history keep last 1), and when a computation is done, go on with the newest one.',
  judge: (view) => {
    const timing = view.periods.filter(({ phase }) => phase === 'timing');
    const asked = timing.filter(({ note }) => note !== 'normal' && note !== 'held');
    if (asked.length === 0) return notTested('No late or left-out start signals were sent.');
    if (!timing.some(({ commands }) => commands.length > 0)) {
      return notTested('It did not answer start signals any more.');
    }
    const judged = asked.filter(({ disturbed }) => !disturbed);
    const [first] = judged.filter((period) => !answersAll(view, period));
    if (first !== undefined) {
      const same = judged.filter(({ note }) => note === first.note);
      const unanswered = same.filter((period) => !answersAll(view, period)).length;
      return fail(
        `${unanswered} of ${same.length} start signals ${kinds[first.note] ?? ''} had no answer within ${digestPeriods} periods.`,
      );
    }
    const stale = judged
      .filter(({ note }) => note === 'newest')
      .map((one) => staleAnswers(view, one));
    const most = Math.max(0, ...stale);
    if (most > mostStale) {
      return fail(
        `After several start signals at once, ${count(most, 'answer')} to older ones followed on the newest one.`,
      );
    }
    const unjudged = asked.find(({ note }) => !judged.some((one) => one.note === note));
    if (unjudged !== undefined) {
      return notTested(
        `This machine was too busy to judge start signals ${kinds[unjudged.note] ?? ''}.`,
      );
    }
    return pass(
      `${judged.length} start signals that were late, followed on a gap or came at once with older ones were answered.`,
    );
  },
};

const kinds: Partial<Record<SeenPeriod['note'], string>> = {
  late: 'that were late',
  afterGap: 'after left-out periods',
  newest: 'that came at once with older ones',
};

function answersAll(view: View, period: SeenPeriod): boolean {
  const withinNs = digestPeriods * view.periodNs;
  return view.vehicleIds.every((id) => view.answerWithin(period, id, withinNs) !== undefined);
}

/**
 * Answers to older start signals well after the newest one, for the vehicle that has the most. Those
 * that come together with the first were held up together, and not computed one after the other.
 */
function staleAnswers(view: View, period: SeenPeriod): number {
  const fromNs = (period.commands[0]?.atNs ?? period.sentAtNs) + view.periodNs / 4n;
  const late = period.commands.filter(
    (one) => one.atNs >= fromNs && view.isLateAnswer(one, period),
  );
  return Math.max(
    0,
    ...view.vehicleIds.map((id) => late.filter((one) => vehicleOf(one) === id).length),
  );
}

/** After strange lists, this many of the usual periods may be missed. */
const mayMiss = 1;
/** With fewer that count there is nothing to judge. */
const fewest = 3;

export const survives: Rule = {
  id: 'survives',
  title: 'goes on after lists with unknown, absent and very many vehicles',
  change:
    'Look vehicles up by their id, expect that any of them is missing, and skip what is unknown; an entry of zeros stands for an absent vehicle.',
  judge: (view) => {
    const [ended] = view.events('process', 'strange').filter(({ what }) => what === 'ended');
    if (ended !== undefined) return fail(`It ended (${ended.how}) when strange lists came.`);
    const strange = view.periods.filter(({ phase }) => phase === 'strange');
    const before = strange.slice(0, 2).some(({ commands }) => commands.length > 0);
    if (strange.length === 0 || !before) return notTested('It did not answer before them.');
    // The first usual list still belongs to the strange one before it: its answer may be on its way.
    const from = strange.findLastIndex(({ note }) => note === 'strange') + 2;
    const after = strange.slice(from).filter(({ disturbed }) => !disturbed);
    if (after.length < fewest)
      return notTested(
        'This machine was too busy to judge it; certify again with a longer period.',
      );
    for (const id of view.vehicleIds) {
      const replies = after.filter((period) => view.replyTo(period, id) !== undefined).length;
      if (replies >= after.length - mayMiss) continue;
      return fail(
        `After strange lists it answered ${replies} of ${after.length} start signals for vehicle ${id}.`,
      );
    }
    return pass(
      `It answered usual lists after ${strange.filter(({ note }) => note === 'strange').length} strange ones.`,
    );
  },
};

/** A command may be on its way when the stop trigger goes out, ns. */
const stopGraceNs = 250_000_000n;

export const stop: Rule = {
  id: 'stop',
  title: 'sends no commands after the stop trigger',
  change:
    'Read systemTrigger (reliable, keep all), and stop for good when next_start has all bits set, 2^64 - 1.',
  judge: (view) => {
    const [trigger] = view.events('stopTrigger');
    if (trigger === undefined) return notTested('The certification did not come to the stop.');
    const periods = view.periods.filter(({ phase }) => phase === 'stop');
    const before = periods.filter(({ sentAtNs }) => sentAtNs < trigger.atNs);
    if (!before.some(({ commands }) => commands.length > 0)) {
      return notTested('It did not answer start signals before the stop trigger.');
    }
    const after = periods
      .flatMap(({ commands }) => commands)
      .filter(({ atNs }) => atNs > trigger.atNs + stopGraceNs).length;
    if (after === 0) return pass(`No command came later than ${ms(stopGraceNs)} after it.`);
    return fail(`${count(after, 'command')} came later than ${ms(stopGraceNs)} after it.`);
  },
};
