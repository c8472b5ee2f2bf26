import { controllerSourceId } from '../../../core/index.js';
import { count, fail, notTested, pass, type Rule } from '../rule.js';
import type { View } from '../view.js';

/** The source ids that a middleware received, or any reader, each once. */
function received(view: View, receivedBy: 'middleware' | 'anyone', phase: 'arrival' | 'rejoin') {
  const signals = view
    .events('readySignal', phase)
    .filter((one) => receivedBy === 'anyone' || one.receivedBy === receivedBy);
  return [...new Set(signals.map(({ sourceId }) => sourceId))];
}

/** How the controller ended in a phase by itself, a sentence; nothing when it did not. */
function howEnded(view: View, phase: 'arrival' | 'restart'): string {
  const [ended] = view.events('process', phase).filter(({ what }) => what === 'ended');
  return ended === undefined ? '' : ` It ended (${ended.how}).`;
}

function listed(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ');
}

export const readyId: Rule = {
  id: 'ready-id',
  title: 'signs in with one ready signal for each of its vehicles',
  change:
    'Write one ReadyStatus for each vehicle, with source_id "hlc_" and the id, decimal, without leading zeros.',
  judge: (view) => {
    const sources = received(view, 'anyone', 'arrival');
    const missing = view.vehicleIds.map(controllerSourceId).filter((id) => !sources.includes(id));
    if (missing.length === 0) return pass(`It signed in as ${listed(sources)}.`);
    const instead = sources.length === 0 ? 'Nothing came.' : `What came is ${listed(sources)}.`;
    return fail(
      `There was no ready signal ${listed(missing)}. ${instead}${howEnded(view, 'arrival')}`,
    );
  },
};

export const readyKept: Rule = {
  id: 'ready-kept',
  title: 'keeps its ready signals for a middleware that comes later',
  change:
    'Make the writer of readyStatus reliable and transient local; for several vehicles also keep all, with the durability service.',
  judge: (view) => {
    const sent = received(view, 'anyone', 'arrival');
    if (sent.length === 0) return notTested('No ready signal came.');
    const [refused] = view.events('refusedQos').filter(({ topic }) => topic === 'readyStatus');
    if (refused !== undefined) {
      return fail(
        `A middleware does not receive its ready signals: the writer of readyStatus offers another ${refused.policy}.`,
      );
    }
    const missed = sent.filter((id) => !received(view, 'middleware', 'arrival').includes(id));
    if (missed.length > 0) return fail(`A middleware did not receive ${listed(missed)}.`);
    if (!view.reached('rejoin')) return notTested('No middleware came later.');
    const later = received(view, 'middleware', 'rejoin');
    const lost = sent.filter((id) => !later.includes(id));
    if (lost.length > 0)
      return fail(`A middleware that came later did not receive ${listed(lost)}.`);
    return pass(`A middleware that came later received ${listed(later)}.`);
  },
};

/** Of the few start signals of a phase, the controller may miss this many. */
const mayMiss = 2;
/** With fewer that count there is nothing to judge. */
const fewest = 4;
const tooBusy = notTested(
  'This machine was too busy to judge it; certify again with a longer period.',
);

/** The vehicles whose controller did not take part in a phase, and how often it answered. */
function absent(view: View, phase: 'rejoin' | 'restart') {
  const periods = view.periods.filter((period) => period.phase === phase && !period.disturbed);
  const replies = view.vehicleIds.map((id) => ({
    id,
    replies: periods.filter((period) => view.replyTo(period, id) !== undefined).length,
  }));
  const silent = replies.filter(({ replies: n }) => n < periods.length - mayMiss);
  return { asked: periods.length, silent };
}

export const rejoin: Rule = {
  id: 'rejoin',
  title: 'goes on with a middleware that was started again',
  change: 'Do not end when the middleware is gone, and read start signals from every writer.',
  judge: (view) => {
    const { asked, silent } = absent(view, 'rejoin');
    if (!view.reached('rejoin')) return notTested('No middleware came later.');
    if (asked < fewest) return tooBusy;
    const [first] = silent;
    if (first === undefined)
      return pass(`It answered ${count(asked, 'start signal')} of a new middleware.`);
    return fail(
      `It answered ${first.replies} of ${asked} start signals of a new middleware for vehicle ${first.id}.`,
    );
  },
};

export const restart: Rule = {
  id: 'restart',
  title: 'signs in again and takes part when it was killed and is started again',
  change:
    'Leave nothing behind that keeps it from starting (lock files, sockets), and write the ready signals at every start.',
  judge: (view) => {
    if (!view.reached('restart')) {
      return notTested(
        view.events('process').length > 0
          ? 'The certification did not come to it.'
          : 'Only a controller that this command starts, after --, can be started again.',
      );
    }
    const before = new Set(
      ['arrival', 'steady', 'strange', 'timing', 'rejoin', 'simulated', 'stop'].flatMap((phase) =>
        view.events('readySignal', phase as 'arrival').map(({ participant }) => participant),
      ),
    );
    const again = view
      .events('readySignal', 'restart')
      .filter(({ participant }) => !before.has(participant));
    const sources = received(view, 'anyone', 'arrival');
    const missing = sources.filter((id) => !again.some(({ sourceId }) => sourceId === id));
    if (missing.length > 0) {
      return fail(
        `Started again, it did not sign in as ${listed(missing)}.${howEnded(view, 'restart')}`,
      );
    }
    const { asked, silent } = absent(view, 'restart');
    if (asked < fewest) return tooBusy;
    const [first] = silent;
    if (first === undefined)
      return pass(`Started again, it answered ${count(asked, 'start signal')}.`);
    return fail(`Started again, it answered ${first.replies} of ${asked} start signals.`);
  },
};
