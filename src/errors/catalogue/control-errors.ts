import { ExitCode } from '../exit-codes.js';
import { namedIds } from '../in-words.js';
import { entry } from './entry.js';

/** Errors of the control socket. */
export const controlErrors = {
  HLC_CONTROL_SOCKET: entry<{ path: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The control socket ${d.path} cannot be used (${d.cause}); name another one with --control-socket, or none with --control-socket=off.`,
  ),
  HLC_CONTROL_BUSY: entry<{ path: string }>(
    ExitCode.failure,
    (d) =>
      `Another running middleware has this --node-id: it listens at the control socket ${d.path}. End it ("hlc-middleware status" shows its pid), or give this one its own --node-id.`,
  ),
  HLC_CONTROL_NOBODY: entry<{ path: string }>(
    ExitCode.failure,
    (d) =>
      `No middleware listens at the control socket ${d.path}; start one, or name the right one with --node-id or --control-socket.`,
  ),
  HLC_CONTROL_OFF: entry<Record<string, never>>(
    ExitCode.usage,
    () =>
      `--control-socket=off names no socket; name the middleware with --node-id, or its socket with --control-socket.`,
  ),
  HLC_CONTROL_ANSWER: entry<{ path: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The middleware at the control socket ${d.path} gave no usable answer (${d.cause}); look at its log, and use the same version for both.`,
  ),
  HLC_CONTROL_REQUEST: entry<{ cause: string }>(
    ExitCode.failure,
    (d) =>
      `The request is not understood (${d.cause}); send one line of JSON such as {"command":"pause"}.`,
  ),
  HLC_CONTROL_NOT_BACK: entry<{ ids: readonly number[] }>(
    ExitCode.failure,
    (d) =>
      `${namedIds('Controller', d.ids)} cannot be resumed; each must be part of this run, and back. Start it again or let it answer a start signal, then resume it.`,
  ),
  HLC_CONTROL_LATE: entry<{ ageS: string }>(
    ExitCode.failure,
    (d) =>
      `The request is ${d.ageS} s old, since the middleware stood still: nothing was done. Look at "hlc-middleware status", then ask again.`,
  ),
  HLC_CONTROL_INACTIVE: entry<{ state: string }>(
    ExitCode.failure,
    (d) =>
      `The node is ${d.state}, so there is no session to control; activate it first ("ros2 lifecycle set").`,
  ),
  HLC_CONTROL_REAL_TIME: entry<Record<string, never>>(
    ExitCode.failure,
    () =>
      `The steps of a middleware in real time cannot be controlled; start it with --simulated-time.`,
  ),
  HLC_CONTROL_PAST: entry<{ timeNs: bigint; nowNs: bigint }>(
    ExitCode.failure,
    (d) =>
      `Simulated time cannot run until ${d.timeNs} ns: it is ${d.nowNs} ns already. Give a later time, or pause it with "hlc-middleware pause".`,
  ),
} as const;
