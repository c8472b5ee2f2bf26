import type { Rule } from '../rule.js';
import { content, createStamp, ownVehicles, validAfter } from './command-rules.js';
import { readyId, readyKept, rejoin, restart } from './ready-rules.js';
import { askedOnly, fewCommands, reply, replyTime } from './reply-rules.js';
import { simulatedReply, simulatedStamps } from './simulated-rules.js';
import { newest, stop, survives } from './timing-rules.js';

/** Every rule of a controller, in the order of the report. */
export const rules: readonly Rule[] = [
  readyId,
  readyKept,
  reply,
  replyTime,
  createStamp,
  validAfter,
  ownVehicles,
  content,
  fewCommands,
  askedOnly,
  newest,
  survives,
  rejoin,
  simulatedReply,
  simulatedStamps,
  stop,
  restart,
];
