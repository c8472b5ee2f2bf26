import type { RunConfig } from '../config/index.js';
import { ExitCode, isHlcError } from '../errors/index.js';
import type { LocalSide } from '../diagnosis/index.js';
import { DdsContext, domainsInUse, type DomainNetwork } from '../dds/index.js';
import { loadQosFile } from '../dds/qos/index.js';
import { findingReport, labRequest } from '../node/index.js';
import { sideNetwork } from '../sides/index.js';
import { listen, type DiscoveredSide, type ListenedSide } from './listen.js';
import { machineChecks } from './machine-checks.js';
import { readInterface, readMachine } from './machine-facts.js';
import { interfaceCheck, portCheck } from './network-checks.js';
import { doctorReport, type Check, type DoctorReport } from './report.js';
import { reportText } from './report-text.js';
import { sideFindings, sideReport } from './side-report.js';

const plainNamesOnly: Check = {
  name: 'ROS 2',
  state: 'advice',
  found: 'what follows is about plain DDS: topics in the names of ROS 2 are listed as foreign ones',
  advice: 'for a side in ROS 2 use "ros2 node info" and "ros2 topic info --verbose"',
};

/** How to listen, and how to print. */
export interface DoctorRun {
  readonly listenMs: number;
  readonly json: boolean;
  readonly colour: boolean;
}

/**
 * Examines this machine, listens on both domains as `run` would, and reports the mismatches.
 * @returns what to print, and the exit code: 0, or 2 when there is a problem.
 * @throws HlcError when the QoS file or a peer is refused.
 */
export async function runDoctor(
  config: RunConfig,
  { listenMs, json, colour }: DoctorRun,
): Promise<{ readonly text: string; readonly exitCode: number }> {
  const report = doctorReport.parse(await examine(config, listenMs));
  return {
    text: json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report, colour),
    exitCode: report.healthy ? ExitCode.ok : ExitCode.usage,
  };
}

async function examine(config: RunConfig, listenMs: number): Promise<DoctorReport> {
  const { lab: labSide, controller: controllerSide, qosFile } = config.sides;
  const libraries = loadQosFile(qosFile);
  const networks = {
    lab: await sideNetwork(labRequest(config, libraries)),
    controller: await sideNetwork(controllerSide),
  };
  // Before we take ports of our own.
  const inUse = domainsInUse();
  const checks: Check[] = [];
  let listened: readonly ListenedSide[] = [];
  let dds: DdsContext | undefined;
  try {
    dds = DdsContext.open({
      onFault: (fault) => {
        throw fault;
      },
    });
    const { ddsLibrary } = readMachine();
    checks.push(libraryCheck(dds.cycloneVersion, ddsLibrary));
    listened = await listen(dds, networks, libraries, listenMs);
  } catch (error) {
    if (!isHlcError(error)) throw error;
    checks.push({
      name: 'DDS',
      state: 'problem',
      found: error.message,
      advice: `see ${error.code} in docs/reference/errors.md`,
    });
  }
  if (labSide.kind !== 'dds' || controllerSide.kind !== 'dds') checks.push(plainNamesOnly);
  const machine = readMachine();
  const clock = dds?.clockState();
  dds?.close();
  const uri = process.env.CYCLONEDDS_URI;
  const [lab, controller] = listened;
  checks.push(
    ...sides(networks, { lab, controller }).flatMap(([side, network, diagnosedSide]) => [
      ...interfacesOf(network, diagnosedSide).map((name) =>
        interfaceCheck(side, { ...network, networkInterface: name }, readInterface(name), uri),
      ),
      portCheck(side, network.domainId, inUse, machine),
    ]),
    ...machineChecks(machine, clock),
  );
  const findings =
    lab === undefined || controller === undefined
      ? []
      : [...found(lab, controller.local, config), ...found(controller, lab.local, config)];
  return {
    healthy: findings.length === 0 && checks.every(({ state }) => state !== 'problem'),
    listened_ms: listenMs,
    checks,
    domains: listened.map(sideReport),
    domains_in_use: inUse.map(({ domainId }) => domainId),
    findings: findings.map((finding) => findingReport(finding)),
  };
}

function found(side: DiscoveredSide, other: LocalSide, { session }: RunConfig) {
  return sideFindings(side, other, session.vehicleIds);
}

function sides(
  { lab, controller }: Record<'lab' | 'controller', DomainNetwork>,
  listened: Record<'lab' | 'controller', ListenedSide | undefined>,
): [string, DomainNetwork, ListenedSide | undefined][] {
  return [
    ['lab', lab, listened.lab],
    ['controller', controller, listened.controller],
  ];
}

/** The interfaces that a side really uses; those that it would use where it could not be opened. */
function interfacesOf(network: DomainNetwork, side: ListenedSide | undefined): readonly string[] {
  if (side !== undefined) return side.interfaces;
  return [...(network.thisMachineOnly === true ? ['lo'] : []), network.networkInterface];
}

/** The library that was loaded need not be the one that the add-on was built with. */
function libraryCheck(built: string, path: string | undefined): Check {
  const name = 'Cyclone DDS';
  const found = `the add-on was built with ${built}, and has loaded ${path ?? 'an unknown library'}`;
  const version = /\.so\.(\d+\.\d+\.\d+)$/.exec(path ?? '')?.[1];
  if (version === undefined || version === built) return { name, state: 'ok', found };
  const advice = 'run "npm run setup" again, so that both are the same';
  return { name, state: 'advice', found, advice };
}
