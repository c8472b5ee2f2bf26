import type { RunConfig } from '../../config/index.js';
import type { Ended } from '../../core/index.js';
import type { Clocks } from '../../dds/index.js';
import type { ControllerSide, LabLink, LabSide } from '../../sides/index.js';
import type { NodeEffect, Performed } from '../observers/session-observer.js';
import type { EmergencySamples } from './emergency-samples.js';
import type { HeldUpStops } from './held-up-stops.js';
import { startSignalSample } from './start-signal.js';
import type { StartWriter } from './start-writer.js';
import type { StatusReport } from './status-report.js';
import type { CountedTopicErrors } from './topic-errors.js';

export interface EffectPerformerOptions {
  readonly config: RunConfig;
  readonly clocks: Clocks;
  readonly topicErrors: CountedTopicErrors;
  readonly lab: LabSide;
  readonly controllers: ControllerSide;
  readonly link: LabLink;
  /** Null in simulated time. */
  readonly startWriter: StartWriter | null;
  readonly emergency: EmergencySamples;
  /** Null in simulated time: vehicles stand while this program does. */
  readonly heldUpStops: HeldUpStops | null;
  readonly status: StatusReport;
  /** True when an observer reads the samples of start signals. */
  readonly wantSamples: () => boolean;
  /** Called in simulated time with that of every start signal, ns, just before it goes out. */
  readonly onTime: ((tNowNs: bigint) => void) | undefined;
  /** The run is over, and the vehicles are being brought to rest; called once. */
  readonly onEnding: (() => void) | undefined;
  /** The session is over; called once. */
  readonly onEnded: (end: Ended) => void;
}

/** Carries out the effects of a session on both sides. */
export class EffectPerformer {
  readonly #options: EffectPerformerOptions;
  /** A controller has signed in to this session. */
  #isServing = false;

  constructor(options: EffectPerformerOptions) {
    this.#options = options;
  }

  perform(effect: NodeEffect): Performed {
    const { config, topicErrors, lab, controllers, link, startWriter, emergency, status } =
      this.#options;
    const { heldUpStops } = this.#options;
    switch (effect.kind) {
      case 'sendStartSignal':
        return this.#sendStartSignal(effect);
      case 'prepareStart':
        startWriter?.prepare(effect);
        return done;
      case 'cancelStart':
        startWriter?.cancel();
        return done;
      case 'forwardCommand':
        emergency.commanded(effect.command);
        heldUpStops?.released(effect.command.message.vehicle_id);
        return attempted(topicErrors.attempt(() => lab.forward(effect.command)));
      case 'commandVehicle':
        if (effect.cause === 'stop') {
          heldUpStops?.commanded(effect.command);
          emergency.stopped(effect.id);
        } else {
          heldUpStops?.released(effect.id);
          emergency.released(effect.id);
        }
        return attempted(topicErrors.attempt(() => lab.command(effect.command)));
      case 'vehicleStopped':
        heldUpStops?.released(effect.id);
        return done;
      case 'signIn':
        lab.signIn(config.nodeId, effect.nextStartNs);
        return done;
      case 'controllerReady':
        this.#isServing = true;
        return done;
      case 'allReady':
        link.allReady();
        return done;
      case 'ending':
        // The lab's own stop was passed on already. Controllers that never signed in here may be of another run.
        if (effect.reason !== 'stopTrigger' && this.#isServing) controllers.sendStop();
        this.#options.onEnding?.();
        return done;
      case 'startSignalSent':
        status.started(effect.tNowNs);
        return done;
      case 'ended':
        // Without it a guard goes on to stop what may still move.
        if (effect.moving.length === 0) status.ended();
        this.#options.onEnded(effect);
        return done;
      default:
        return done;
    }
  }

  #sendStartSignal(effect: Extract<NodeEffect, { kind: 'sendStartSignal' }>): Performed {
    const { clocks, config, topicErrors, controllers, status, emergency, wantSamples } =
      this.#options;
    const wokeAtNs = clocks.monotonicNs();
    status.started(effect.tNowNs);
    emergency.timeIs(effect.tNowNs);
    this.#options.onTime?.(effect.tNowNs);
    let shared: Uint8Array | undefined;
    const written = topicErrors.attempt(() => {
      shared = startSignalSample(effect, config.session.absentVehicles);
      controllers.startSignals.write(shared);
    });
    const latenessNs = clocks.monotonicNs() - wokeAtNs;
    if (shared === undefined || !wantSamples()) return { written, latenessNs };
    return { written, latenessNs, sample: new Uint8Array(shared) };
  }
}

const done: Performed = { written: true, latenessNs: 0n };
const notWritten: Performed = { written: false, latenessNs: 0n };

function attempted(written: boolean): Performed {
  return written ? done : notWritten;
}
