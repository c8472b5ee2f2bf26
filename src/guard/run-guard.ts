import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import type { GuardValues, RunConfig } from '../config/index.js';
import { maxVehicleId, printable } from '../core/index.js';
import { ExitCode, HlcError, signalExitCodes } from '../errors/index.js';
import {
  DdsContext,
  exitNow,
  lockFiles,
  openServiceManager,
  shareCores,
  type DomainNetwork,
  type EmergencyStop,
  type Pacer,
} from '../dds/index.js';
import { loadQosFile } from '../dds/qos/index.js';
import {
  createLog,
  EmergencyExit,
  LabLog,
  labRequest,
  type Logger,
  logTarget,
  Output,
  stopConfig,
  watchSignals,
} from '../node/index.js';
import { participantData, RosNamedTransport } from '../ros2/on-dds/index.js';
import { createSide, reportedTopicErrors, sideNetwork } from '../sides/index.js';
import { GuardLatches, type LatchedBy } from './guard-latches.js';
import { GuardLog } from './guard-log.js';
import { GuardProcess } from './guard-process.js';

/** The log may delay the end by this time at most, ms. */
const flushMs = 1000;

/** After a fault the pacer's thread goes on with stops for this time, ms: from 4 m/s to rest, and some repeats. */
const rampMs = 1500;

/** The default period of the lab, ns. */
const labPeriodNs = 400_000_000n;

/** Once the process that started it is gone, a guard looks this often whether it is needed, ms. */
const lookMs = 100;

/**
 * Runs a guard until SIGHUP, SIGINT or SIGTERM comes, or, with `endWithStdin`, until standard input
 * is closed and it is not needed any more.
 * @returns the exit code of the process.
 * @throws HlcError as `openSides`.
 */
export async function runGuard(config: RunConfig, { endWithStdin }: GuardValues): Promise<number> {
  const name = `guard of ${config.nodeId}`;
  const standardError = new Output(2, () => undefined);
  const nodeLog = createLog(name, config.output.logLevel, logTarget(config, standardError));
  const { log } = nodeLog;
  const failure = new GuardFailure();
  process.on('uncaughtException', failure.run);
  process.on('unhandledRejection', failure.run);
  process.on('exit', failure.exiting);
  const dds = DdsContext.open({
    onFault: failure.run,
    onLibraryLog: (text) => log.warn({ source: 'Cyclone DDS' }, text),
  });
  const guardLog = new GuardLog(log, () => dds.clocks.monotonicNs(), config.safety.guardAfterNs);
  const errors = reportedTopicErrors((error) => guardLog.topicError(error));
  const latches = openLatches(config, log);
  failure.latches = latches;
  try {
    const { qosFile } = config.sides;
    const libraries = loadQosFile(qosFile);
    const network = await sideNetwork(labRequest(config, libraries));
    const joined = join(config, network, dds, (text) => log.warn(text));
    const side = createSide('Lab', joined.transport, libraries);
    new LabLog(side, nodeLog, name, () => dds.clocks.realtimeNs(), errors);
    const pacer = dds.createPacer();
    const guard = new GuardProcess({
      name,
      side,
      ownGuid: joined.guid,
      clocks: dds.clocks,
      pacer,
      stops: stopConfig(config),
      afterNs: config.safety.guardAfterNs,
      latches,
      // The program that started this one stops what it finds latched.
      latchedBefore: endWithStdin ? [] : await readLatches(config, latches, log),
      periodNs: config.session.periodNs ?? labPeriodNs,
      errors,
      onEffect: (effect) => guardLog.effect(effect),
    });
    failure.begin(guard, pacer);
    shareCores('controlLoop');
    lockFiles();
    const manager = openServiceManager(process.env, (cause) =>
      log.warn(`the service manager does not take messages (${cause})`),
    );
    pacer.watchdog.feed();
    manager.ready();
    log.info(
      { domain: network.domainId, interface: network.networkInterface },
      `the guard waits for middlewares on DDS domain ${network.domainId}`,
    );
    // For the program that started this one.
    if (endWithStdin) process.stdout.write('ready\n');
    const served = endWithStdin ? untilNotNeeded(guard, config) : untilSignal(guard, config);
    // DDS stays open for the samples.
    return await served.catch((fault: unknown) => failure.ends(fault));
  } finally {
    await latches?.close();
    await standardError.flush(flushMs);
    dds.close();
  }
}

/** Undefined without a control socket: no user could resume a vehicle then. */
function openLatches(
  { output, nodeId, session }: RunConfig,
  log: Logger,
): GuardLatches | undefined {
  if (output.controlSocket === null) return undefined;
  const onFailure = ({ code, message }: HlcError) => log.error({ code }, message);
  const { vehicleIds } = session;
  return new GuardLatches({ socket: output.controlSocket.path, nodeId, vehicleIds, onFailure });
}

/** What an earlier guard or middleware latched; none in simulated time, which has ended with it. */
async function readLatches(
  { session }: RunConfig,
  latches: GuardLatches | undefined,
  log: Logger,
): Promise<readonly LatchedBy[]> {
  if (session.time.mode === 'simulated' || latches === undefined) return [];
  const latched = await latches.read();
  for (const { sourceId, vehicles } of latched) {
    const ids = vehicles.map(({ id }) => id);
    log.warn(
      { middleware: sourceId, vehicles: ids },
      `by the latch file of the middleware "${printable(sourceId)}" vehicles ${ids.join(', ')} may still move: the guard stops them, unless they stand, or a middleware drives them`,
    );
  }
  return latched;
}

/** A fault in this program: the vehicles that it stops stand still, and the service manager starts it again. */
class GuardFailure {
  latches: GuardLatches | undefined;
  #begun: { readonly guard: GuardProcess; readonly emergencyStop: EmergencyStop } | undefined;
  #isStopping = false;
  readonly #exit = new EmergencyExit({
    exit: (exitCode) => void this.#end(exitCode),
    errorOf: (cause) => new HlcError('HLC_GUARD_FAULT', { cause }),
  });

  /** From now on it may command vehicles. */
  begin(guard: GuardProcess, { emergencyStop }: Pacer): void {
    this.#begun = { guard, emergencyStop };
  }

  readonly run = (fault: unknown): void => {
    this.#prepare();
    this.#exit.run(fault);
  };

  /** @returns what never settles: the process ends. */
  ends(fault: unknown): Promise<never> {
    this.run(fault);
    return new Promise(() => undefined);
  }

  /** Something ends the process with `process.exit`; after a clean end it changes nothing. */
  readonly exiting = (): void => {
    this.#prepare();
    this.#exit.sendRepeatedly();
  };

  #prepare(): void {
    if (this.#begun?.guard.failed() !== true) return;
    this.#isStopping = true;
    this.#exit.add(this.#begun.emergencyStop);
  }

  /** Ends the process when the latches are written, and the pacer's thread has ended what was not prepared. */
  async #end(exitCode: number): Promise<void> {
    if (this.#isStopping) await Promise.allSettled([this.latches?.close(), wait(rampMs)]);
    exitNow(exitCode);
  }
}

/** With a signal the guard ends once its vehicles stand; a second one does not wait for them. */
async function untilSignal(guard: GuardProcess, config: RunConfig): Promise<number> {
  const { session, interruptExitCode } = config;
  const signals = watchSignals(interruptExitCode, () => guard.standStill());
  await signals.received;
  await guard.end(session.endTimeoutNs);
  return signals.exitCode(ExitCode.ok);
}

/**
 * Signals are for the process that started this one, and reach both on a terminal: they count only
 * once that is gone.
 */
async function untilNotNeeded(guard: GuardProcess, config: RunConfig): Promise<number> {
  const { stdin } = process;
  const forParent = () => undefined;
  for (const signal of Object.keys(signalExitCodes)) process.on(signal, forParent);
  await new Promise((resolve) => {
    stdin.once('end', resolve).once('close', resolve).once('error', resolve).resume();
  });
  const bySignal = untilSignal(guard, config);
  for (const signal of Object.keys(signalExitCodes)) process.off(signal, forParent);
  const notNeeded = async (): Promise<number> => {
    while (guard.isNeededBy(config.nodeId)) await wait(lookMs);
    return ExitCode.ok;
  };
  return Promise.race([bySignal, notNeeded()]);
}

/** The lab side over plain DDS, with the names that its topics have, and the participant's GUID. */
function join(
  { sides: { lab, ros }, nodeId }: RunConfig,
  network: DomainNetwork,
  dds: DdsContext,
  warn: (text: string) => void,
) {
  const participantName = `hlc-middleware-guard/${nodeId}`;
  if (lab.kind === 'dds') {
    const transport = dds.join(network, {}, participantName);
    return { transport, guid: transport.guid };
  }
  const participant = dds.join(network, { userData: participantData }, participantName);
  const transport = new RosNamedTransport(participant, {
    node: { ...ros.node, name: `${ros.node.name}_guard` },
    topicRemaps: ros.topicRemaps,
    writtenVehicles: highestVehicles,
    nowNs: () => dds.clocks.realtimeNs(),
    onError: ({ message }) => warn(message),
  });
  return { transport, guid: participant.guid };
}

/** A guard may have to stop every vehicle of the lab. */
const highestVehicles = maxVehicleId + 1;
