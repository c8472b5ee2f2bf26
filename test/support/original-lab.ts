import { onTestFinished } from 'vitest';
import type { Clocks, DdsParticipant } from '../../src/dds/index.js';
import {
  createLabControl,
  createSystemClock,
  type LabControl,
  type LabControlEvent,
  type LabControlOptions,
  type RealTimeControl,
  type SimulatedTimeControl,
  type SimulatedTimeOptions,
} from '../../src/lab/index.js';
import { topics, type ReadyStatus } from '../../src/messages/index.js';
import { Middleware } from './middleware.js';
import { Recorder } from './recorder.js';
import { ScriptedController, type ControllerScript } from './scripted-controller.js';
import { ScriptedVehicles } from './scripted-vehicles.js';
import { openTestLab } from './test-lab.js';
import { TopicRecorder } from './topic-recorder.js';

/** Domains below this one have ports that no program gets by chance. */
const mostDomains = 90;
const firstDomain = 10;
let domainsUsed = 0;

/** A domain id that the tests before did not have. */
function newDomain(): number {
  return firstDomain + (domainsUsed++ % (mostDomains - firstDomain));
}

/** A computer of the lab: one middleware, and its controllers on a domain of their own. */
export interface LabComputer {
  /**
   * `hlc-middleware run` with the flags for the domains in the spelling of the original, and
   * without a control socket unless a flag names one.
   */
  readonly startMiddleware: (...flags: string[]) => Middleware;
  /** A participant of this process on the controller side. */
  readonly join: () => DdsParticipant;
  readonly controller: (script: ControllerScript) => ScriptedController;
}

/** A lab control and its events. */
export interface RecordedControl<Time extends RealTimeControl | SimulatedTimeControl> {
  readonly control: LabControl<Time>;
  readonly events: Recorder<LabControlEvent>;
  /** Everything on the lab side's readyStatus. */
  readonly signIns: TopicRecorder<ReadyStatus>;
  /**
   * Settles when the middleware with this node id has all its endpoints on the lab side, and knows
   * those that the lab control's participant had before the lab control: nothing that they say to
   * each other is lost from then on.
   */
  readonly met: (nodeId?: string) => Promise<void>;
  /** Settles when this source id has signed in, and reads system triggers. */
  readonly signedIn: (sourceId: string) => Promise<void>;
}

interface ControlOptions extends Pick<LabControlOptions, 'parameters'> {
  /** The participant of the lab control; one of its own unless given. */
  readonly side?: DdsParticipant;
}

/** Questions that a middleware may miss while the two discover each other. */
const mostQuestions = 60;
/** The waits grow: on a busy machine it may answer long after a participant in this process. */
const questionWaits = (asked: number) => ({
  firstAnswerNs: 50_000_000n + 5_000_000n * BigInt(asked),
  furtherAnswersNs: 5_000_000n + 5_000_000n * BigInt(asked),
});

/** The lab of one test, with its first computer. */
export interface OriginalLab extends LabComputer {
  readonly clocks: Clocks;
  /** A participant of this process on the lab side. */
  readonly joinLab: () => DdsParticipant;
  /** Another computer, whose controllers the first one does not see. */
  readonly computer: () => LabComputer;
  readonly vehicles: (side?: DdsParticipant) => ScriptedVehicles;
  readonly realTimeControl: (options?: ControlOptions) => RecordedControl<RealTimeControl>;
  readonly simulatedTimeControl: (
    time: SimulatedTimeOptions,
    options?: ControlOptions,
  ) => RecordedControl<SimulatedTimeControl>;
}

/** A lab as the CPM Lab deploys it, for one test; to be called in a test, once. */
export function openOriginalLab(): OriginalLab {
  const lab = openTestLab();
  const labDomain = newDomain();
  const joinLab = () => lab.joinDomain(labDomain);

  const computer = (): LabComputer => {
    const domain = newDomain();
    const domains = [`--dds_domain=${labDomain}`, `--domain_number=${domain}`];
    const defaults = [...domains, '--control_socket=off'];
    return {
      startMiddleware: (...flags) => new Middleware(lab.uri, flags, { defaults }),
      join: () => lab.joinDomain(domain),
      controller: (script) => new ScriptedController(lab.joinDomain(domain), script),
    };
  };

  const openControl = <Time extends RealTimeControl | SimulatedTimeControl>(
    { side: transport = joinLab(), ...options }: ControlOptions,
    create: (options: LabControlOptions) => LabControl<Time>,
  ): RecordedControl<Time> => {
    const events = new Recorder<LabControlEvent>('events of the lab control');
    const control = create({
      ...options,
      transport,
      clock: createSystemClock(() => lab.clocks.realtimeNs()),
      onEvent: (event) => events.add(event),
    });
    onTestFinished(() => control.close());
    const signIns = new TopicRecorder(transport, topics.readyStatus);
    return {
      control,
      events,
      signIns,
      met: async (nodeId = 'middleware') => {
        await signIns.untilMatched();
        for (let asked = 0; asked < mostQuestions; asked++) {
          if ((await control.askAll(questionWaits(asked))).includes(nodeId)) return;
        }
        throw new Error(`${nodeId} answers no round-trip questions.`);
      },
      signedIn: async (sourceId) => {
        await events.until(
          (event) => event.kind === 'participant' && event.participant.sourceId === sourceId,
        );
      },
    };
  };

  return {
    ...computer(),
    clocks: lab.clocks,
    joinLab,
    computer,
    vehicles: (side = joinLab()) => new ScriptedVehicles(side),
    realTimeControl: (options = {}) =>
      openControl(options, (complete) => createLabControl(complete)),
    simulatedTimeControl: (simulatedTime, options = {}) =>
      openControl(options, (complete) => createLabControl({ ...complete, simulatedTime })),
  };
}
