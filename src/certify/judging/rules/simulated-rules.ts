import { count, fail, notTested, pass, type Rule } from '../rule.js';
import { createStampOf, type View } from '../view.js';

function steps(view: View) {
  return view.periods.filter(({ phase }) => phase === 'simulated');
}

const notAsked = 'No step of simulated time was made.';

export const simulatedReply: Rule = {
  id: 'simulated-reply',
  title: 'answers every step of simulated time',
  change:
    'Answer every start signal whatever time it names: simulated time has nothing to do with the clock of the machine.',
  judge: (view) => {
    const made = steps(view);
    if (made.length === 0) return notTested(notAsked);
    for (const id of view.vehicleIds) {
      const missed = made.filter((step) => view.replyTo(step, id) === undefined).length;
      if (missed > 0) {
        return fail(`${missed} of ${count(made.length, 'step')} had no answer for vehicle ${id}.`);
      }
    }
    return pass(`${count(made.length, 'step')} were answered for every vehicle.`);
  },
};

export const simulatedStamps: Rule = {
  id: 'simulated-stamps',
  title: 'takes its stamps from the start signal in simulated time',
  change:
    'Use t_now of the start signal as create_stamp; take no time from the clock of the machine.',
  judge: (view) => {
    const replies = steps(view).flatMap((step) =>
      view.vehicleIds.flatMap((id) => {
        const reply = view.replyTo(step, id);
        return reply === undefined ? [] : [createStampOf(reply) - step.tNowNs];
      }),
    );
    if (replies.length === 0) return notTested('No step was answered.');
    const wrong = replies.filter((offNs) => offNs !== 0n);
    const [first] = wrong;
    if (first === undefined)
      return pass(`${count(replies.length, 'answer')} had t_now as create_stamp.`);
    const side = first < 0n ? `${-first} ns before` : `${first} ns after`;
    return fail(
      `${wrong.length} of ${count(replies.length, 'answer')} had a create_stamp that is not t_now, the first ${side} it.`,
    );
  },
};
