import {
  type ClockReading,
  type Command,
  explainViolation,
  nsPerS,
  type Violation,
} from '../../core/index.js';
import type { Logger } from '../logger.js';
import type { NodeEffect, NodeEvent, Performed, SessionObserver } from './session-observer.js';

/** A faulty controller can send commands at any rate; the log takes this many lines of them a second. */
const mostLinesPerS = 1000;

/**
 * Logs in the words of the CPM Lab middleware, which programs of a lab may parse: one entry for every
 * check that a command failed, for every miss and every overrun.
 */
export class CpmLabLog implements SessionObserver {
  readonly name = 'log in the words of the CPM Lab';
  /** Wall clock at the last command, by vehicle, ns. */
  readonly #lastResponseNs = new Map<number, bigint>();
  #periodNs = nsPerS;
  #secondFromNs = 0n;
  #linesInSecond = 0;
  #leftOut = 0;

  /** @param simulatedTime true: a missing reply is waited for, and no miss. */
  constructor(
    private readonly log: Logger,
    private readonly simulatedTime: boolean,
  ) {}

  event(event: NodeEvent, at: ClockReading): void {
    if (event.kind !== 'command') return;
    const receivedNs = event.receivedAtNs + at.realtimeNs - at.monotonicNs;
    this.#lastResponseNs.set(event.command.message.vehicle_id, receivedNs);
  }

  effect(effect: NodeEffect, _performed: Performed, at: ClockReading): void {
    switch (effect.kind) {
      case 'startSignalSent':
        this.#periodNs = effect.periodNs;
        break;
      case 'flagCommand': {
        const { id, command, violations } = effect;
        for (const violation of violations) {
          const { code } = violation;
          const details = { vehicle: id, writer: command.writerGuid, code };
          for (const text of cpmLabSentences(violation, command)) {
            this.#commandLine(details, text, at.monotonicNs);
          }
        }
        break;
      }
      case 'missed':
        if (this.simulatedTime) break;
        for (const { id } of effect.misses) {
          this.log.warn({ controller: id }, this.#missSentence(id, at.realtimeNs));
        }
        break;
      case 'periodsSkipped':
        this.log.warn(`TimerFD: Periods missed: ${effect.count}`);
        break;
      case 'controllersMissing':
        if (effect.ids.length > 0) this.log.info(missingSentence(effect.ids, effect.awaited));
        break;
      default:
        break;
    }
  }

  #missSentence(id: number, nowNs: bigint): string {
    const lastNs = this.#lastResponseNs.get(id);
    if (lastNs === undefined) return `HLC number ${id} has not yet sent any data`;
    // It is judged after the period, so at least one is over.
    const periods = (nowNs - lastNs) / this.#periodNs || 1n;
    return `Timestep missed by HLC number ${id}, last response: ${lastNs}, current time: ${nowNs}, periods missed: ${periods}`;
  }

  #commandLine(details: object, text: string, nowNs: bigint): void {
    if (nowNs - this.#secondFromNs >= nsPerS) {
      this.#secondFromNs = nowNs;
      this.#linesInSecond = 0;
    }
    if (++this.#linesInSecond > mostLinesPerS) {
      this.#leftOut++;
      return;
    }
    this.log.warn(this.#leftOut > 0 ? { ...details, suppressed: this.#leftOut } : details, text);
    this.#leftOut = 0;
  }
}

/** What the CPM Lab middleware says of a command that fails this check, one sentence per entry. */
export function cpmLabSentences(violation: Violation, command: Command): readonly string[] {
  const { vehicle_id: id } = command.message;
  const says = (text: string) => `Middleware (ID ${id})${text}`;
  const script = (text: string) => says(`: HLC script sent ${text}`);
  switch (violation.check) {
    case 'unknownVehicle':
      return [`Middleware received vehicle ID ${id} from HLC script - ID was not set to be used!`];
    case 'createdInFuture':
      return [
        says(
          ' received creation stamp from HLC script that lies in the future - this must be a mistake',
        ),
      ];
    case 'createdBeforePeriod':
      return [says(': Received HLC message missed the current period')];
    case 'trajectoryTooShort':
      return [script('too few trajectory points, cannot be used for interpolation')];
    case 'trajectoryNoPast':
      return [script('no past trajectory points, cannot be used for interpolation')];
    case 'trajectoryNoFuture':
      return [script('no future trajectory points, cannot be used for interpolation')];
    case 'pathTooShort':
      return [script('sent too few path tracking points, cannot be used for interpolation')];
    case 'pathStart':
      return [script('invalid first path point, s must be 0')];
    case 'pathOrder':
      return Array<string>(placesOutOfOrder(command)).fill(
        script('invalid path points, s must be increasing'),
      );
    case 'pathNotClosed':
      return openCoordinates(command).map((name) =>
        script(`invalid path points, first and last ${name} value differ`),
      );
    default:
      return [explainViolation(violation)];
  }
}

function placesOutOfOrder(command: Command): number {
  if (command.kind !== 'pathTracking') return 0;
  const { path } = command.message;
  return path.filter((point, i) => i > 0 && !(point.s > (path[i - 1]?.s ?? NaN))).length;
}

function openCoordinates(command: Command): readonly string[] {
  if (command.kind !== 'pathTracking') return [];
  const first = command.message.path.at(0)?.pose;
  const last = command.message.path.at(-1)?.pose;
  return (['x', 'y', 'yaw'] as const).filter((name) => first?.[name] !== last?.[name]);
}

function missingSentence(ids: readonly number[], awaited: 'readySignal' | 'reply'): string {
  return awaited === 'readySignal'
    ? `Still waiting for ready messages from the HLC in the Middleware for IDs: ${ids.map((id) => `hlc_${id} | `).join('')}`
    : `Still waiting for a response from HLC with ID ${ids[0]} (and potentially others)`;
}
