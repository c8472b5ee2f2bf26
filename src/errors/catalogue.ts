import { ExitCode } from './exit-codes.js';

interface CatalogueEntry<D> {
  /** Process exit code when this error ends the program. */
  readonly exitCode: ExitCode;
  /** One sentence: what happened, and what to do. */
  readonly sentence: (details: D) => string;
}

function entry<D>(exitCode: ExitCode, sentence: (details: D) => string): CatalogueEntry<D> {
  return {
    exitCode,
    sentence,
  };
}

/** Stamps that differ by 30 years are not of the same clock: simulated time begins at 0, ns. */
const otherTimeNs = 30n * 365n * 86_400n * 1_000_000_000n;

/** Every error that a user can meet: its code, its exit code and its sentence. */
export const catalogue = {
  HLC_NATIVE_MISSING: entry<{ path: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The DDS add-on ${d.path} cannot be loaded (${d.cause}); run "npm run setup" in the project folder to build it.`,
  ),
  HLC_REALTIME_PRIORITY: entry<{ priority: number; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The system does not allow real-time priority ${d.priority} with locked memory (${d.cause}); allow it for this shell with "sudo prlimit --pid $$ --rtprio=99 --memlock=unlimited" (in a container with the capabilities SYS_NICE and IPC_LOCK) and start again, or leave out --realtime-priority.`,
  ),
  HLC_DDS_DOMAIN: entry<{ domainId: number; networkInterface: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `DDS domain ${d.domainId} cannot be opened on network interface "${d.networkInterface}" (${d.cause}); check --interface, the domain id (0 to 232) and CYCLONEDDS_URI.`,
  ),
  HLC_DDS_ENTITY: entry<{ what: string; topic: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `A DDS ${d.what} for topic "${d.topic}" cannot be made (${d.cause}); check the QoS profile of that topic.`,
  ),
  HLC_DDS_WRITE: entry<{ topic: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `A sample for topic "${d.topic}" cannot be written (${d.cause}); the readers of this topic may be stalled.`,
  ),
  HLC_ROS_UNAVAILABLE: entry<{ cause: string }>(
    ExitCode.usage,
    (d) =>
      `ROS 2 cannot be used (${d.cause}); source a ROS 2 that is Jazzy or newer, run "npm run setup" in that shell and start again, or leave out the transport ros2.`,
  ),
  HLC_ROS_MESSAGES: entry<{ type: string; package: string; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The ROS 2 type ${d.type} cannot be found (${d.cause}); install the package ${d.package} (hlc_middleware_msgs is built with colcon), source it and start again.`,
  ),
  HLC_ROS_NODE: entry<{ name: string; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The ROS 2 node "${d.name}" cannot be made (${d.cause}); check the ROS arguments and the domain id.`,
  ),
  HLC_ROS_CLOCK_TAKEN: entry<{ node: string }>(
    ExitCode.usage,
    (d) =>
      `The node ${d.node} publishes /clock, and simulated time can have one source only; end that node, or let the lab say the time with --time-source=lab.`,
  ),
  HLC_ROS_CLOCK_LEFT: entry<{ node: string }>(
    ExitCode.failure,
    (d) =>
      `The node ${d.node} publishes /clock, so this node does not; steps follow the lab, so let that node have the time of the lab, or end it and start again.`,
  ),
  HLC_ROS_IDENTITY: entry<{ cause: string }>(
    ExitCode.usage,
    (d) =>
      `The controllers in ROS 2 cannot be distinguished (${d.cause}), so that a controller that is gone, or a second one with the same id, would not be noticed; use a ROS 2 on DDS without security, or accept that with --ros-identity=none.`,
  ),
  HLC_ROS_UNREACHED: entry<{ node: string; topic: string }>(
    ExitCode.failure,
    (d) =>
      `The node ${d.node} publishes "${d.topic}", but this middleware discovers no DDS writer of it and does not receive its messages; let both use the same network settings, or start again with --ros-identity=none, with which a second controller with the same id is not detected.`,
  ),
  HLC_ROS_REQUEST: entry<{ cause: string }>(
    ExitCode.failure,
    (d) => `The request is refused: ${d.cause}; ask for what is possible.`,
  ),
  HLC_ROS_SIM_TIME: entry<Record<string, never>>(
    ExitCode.usage,
    () =>
      `The parameter use_sim_time is true, but periods in real time follow the clock of this machine; add --simulated-time, or leave use_sim_time out.`,
  ),
  HLC_CLOSED: entry<{ what: string }>(
    ExitCode.failure,
    (d) => `The ${d.what} is already closed; make a new one before you use it.`,
  ),
  HLC_CONFIG_UNKNOWN_NAME: entry<{ what: string; nearest?: string }>(
    ExitCode.usage,
    (d) =>
      `Unknown ${d.what}; ${d.nearest === undefined ? '' : `did you mean ${d.nearest}? `}"hlc-middleware run --help" lists all names.`,
  ),
  HLC_CONFIG_ARGUMENT: entry<{ argument: string }>(
    ExitCode.usage,
    (d) => `The argument "${d.argument}" is not a flag; write flags as --name=value.`,
  ),
  HLC_CONFIG_NO_VALUE: entry<{ name: string; rule: string }>(
    ExitCode.usage,
    (d) => `${d.name} has no value; write ${d.name}=VALUE, where the value is ${d.rule}.`,
  ),
  HLC_CONFIG_VALUE: entry<{ name: string; value: string; rule: string; nearest?: string }>(
    ExitCode.usage,
    (d) =>
      `The value "${d.value}" of ${d.name} is refused: it must be ${d.rule}${d.nearest === undefined ? '.' : `; did you mean ${d.nearest}?`}`,
  ),
  HLC_CONFIG_NOT_SERVED: entry<{ what: string; reason: string; servedValues: readonly string[] }>(
    ExitCode.usage,
    (d) =>
      `${d.what} is not served by this version (${d.reason}); leave it out${d.servedValues.length === 0 ? '' : ` or give it the value ${d.servedValues.join(' or ')}`}.`,
  ),
  HLC_CONFIG_CONFLICT: entry<{ first: string; second: string }>(
    ExitCode.usage,
    (d) => `${d.first} and ${d.second} exclude each other; give only one of them.`,
  ),
  HLC_CONFIG_FILE_READ: entry<{ path: string; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The configuration file "${d.path}" cannot be read (${d.cause}); check the path that --config or HLC_MIDDLEWARE_CONFIG gives.`,
  ),
  HLC_CONFIG_FILE_CONTENT: entry<{ path: string; line: number; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The configuration file is wrong at ${d.path}:${d.line} (${d.cause}); correct that line.`,
  ),
  HLC_CONFIG_PERIOD_MISSING: entry<Record<string, never>>(
    ExitCode.usage,
    () =>
      `The period is not given, and with --time-source=self no lab is asked for it; give it with --period-ms, for example --period-ms=50.`,
  ),
  HLC_CONFIG_SAME_DOMAIN: entry<{ domainId: number }>(
    ExitCode.usage,
    (d) =>
      `The lab side and the controller side are both on DDS domain ${d.domainId}, where every forwarded command would come back as a new one; give --dds-domain and --domain-number different values.`,
  ),
  HLC_ROS_NODE_TWICE: entry<{ node: string; participant?: string }>(
    ExitCode.failure,
    (d) =>
      `${d.participant === undefined ? 'Another program' : `The participant ${d.participant}`} has a node "${d.node}", too, and their log and topics cannot be distinguished; give each middleware a --node-id of its own.`,
  ),
  HLC_CONFIG_MIXED_DOMAIN: entry<{ domainId: number }>(
    ExitCode.usage,
    (d) =>
      `The lab side and the controller side are both on DDS domain ${d.domainId}, one with plain DDS and one with ROS 2, and one process cannot open a domain both ways; give --dds-domain and --domain-number different values.`,
  ),
  HLC_CONFIG_ROS_ARGUMENT: entry<{ argument: string; cause: string }>(
    ExitCode.usage,
    (d) => `The ROS argument "${d.argument}" is refused (${d.cause}); correct it.`,
  ),
  HLC_CONFIG_ROS_DOMAIN: entry<{ value: string }>(
    ExitCode.usage,
    (d) =>
      `The value "${d.value}" of ROS_DOMAIN_ID is refused: it must be a whole number from 0 to 232.`,
  ),
  HLC_QOS_FILE: entry<{ file: string; cause: string }>(
    ExitCode.usage,
    (d) => `The QoS file ${d.file} cannot be read (${d.cause}); check --qos-file.`,
  ),
  HLC_QOS_XML: entry<{ file: string; line: number; cause: string }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: this is no well-formed QoS file (${d.cause}); accepted is XML in UTF-8, of at most 1 MiB, without DOCTYPE and entities.`,
  ),
  HLC_QOS_ELEMENT: entry<{
    file: string;
    line: number;
    element: string;
    name: string;
    accepted: string;
  }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: ${d.element}: ${d.name} is not known here; accepted: ${d.accepted}.`,
  ),
  HLC_QOS_VALUE: entry<{
    file: string;
    line: number;
    element: string;
    value: string;
    accepted: string;
  }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: ${d.element}: the value "${d.value}" is not accepted; accepted: ${d.accepted}.`,
  ),
  HLC_QOS_DUPLICATE: entry<{
    file: string;
    line: number;
    element: string;
    firstLine: number;
  }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: ${d.element} was already given in line ${d.firstLine}; accepted: one of them, remove the other or give it a name of its own.`,
  ),
  HLC_QOS_BASE: entry<{
    file: string;
    line: number;
    element: string;
    base: string;
    cause: string;
    accepted: string;
  }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: ${d.element}: cannot inherit from "${d.base}" (${d.cause}); accepted: ${d.accepted}.`,
  ),
  HLC_QOS_INCONSISTENT: entry<{
    file: string;
    line: number;
    element: string;
    cause: string;
    accepted: string;
  }>(
    ExitCode.usage,
    (d) =>
      `${d.file}:${d.line}: ${d.element}: the policies contradict each other (${d.cause}); accepted: ${d.accepted}.`,
  ),
  HLC_QOS_PROFILE: entry<{ file: string; profile: string; cause: string; accepted: string }>(
    ExitCode.usage,
    (d) =>
      `${d.file}: there is no QoS profile to use for "${d.profile}" (${d.cause}); accepted: ${d.accepted}.`,
  ),
  HLC_INSTALL_FOLDER: entry<{ folder: string; file: string }>(
    ExitCode.usage,
    (d) =>
      `${d.folder} is not the software of a CPM Lab (there is no ${d.file}); name the folder that contains "middleware" and "lab_control_center".`,
  ),
  HLC_INSTALL_CHANGE: entry<{ change: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The installation ended at this step: ${d.change} (${d.cause}); correct the cause and start the command again, it continues from there.`,
  ),
  HLC_CONFIG_PEER: entry<{ peer: string; cause: string; accepted: string }>(
    ExitCode.usage,
    (d) => `The discovery peer "${d.peer}" is not accepted (${d.cause}); accepted: ${d.accepted}.`,
  ),
  HLC_CONFIG_COMMAND: entry<{ cause: string }>(
    ExitCode.usage,
    (d) =>
      `The command line is not understood: ${d.cause}; "hlc-middleware --help" lists the commands.`,
  ),
  HLC_UNEXPECTED: entry<{ cause: string }>(
    ExitCode.failure,
    (d) =>
      `The program met an error that it does not know (${d.cause}); set HLC_MIDDLEWARE_DEBUG=1 to see where, and please report it.`,
  ),
  HLC_FAULT: entry<{ cause: string }>(
    ExitCode.fault,
    (d) =>
      `A fault inside this program ended the run (${d.cause}); an emergency stop was sent to the vehicles. Make sure that all of them stand, then report the fault with the lines that follow.`,
  ),
  HLC_CONTROLLER_VEHICLE_IDS: entry<{ ids: string }>(
    ExitCode.usage,
    (d) =>
      `A controller cannot drive the vehicles [${d.ids}]; give at least one id, each once, from 0 to 255.`,
  ),
  HLC_CONTROLLER_COMMAND: entry<{ vehicleId: number; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The command for vehicle ${d.vehicleId} was not sent (${d.cause}); correct what onStep returns.`,
  ),
  HLC_SAMPLE_MALFORMED: entry<{ topic: string; writerGuid: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The writer ${d.writerGuid} sent bytes on topic "${d.topic}" that are no sample of its type (${d.cause}), and they were dropped; build that program with the types in idl/.`,
  ),
  HLC_PEER_QOS: entry<{ topic: string; end: 'reader' | 'writer'; policy: string }>(
    ExitCode.failure,
    (d) =>
      `The ${d.end} of topic "${d.topic}" does not match an endpoint of another program, since the QoS policy ${d.policy} does not fit; compare it with the table of the topics.`,
  ),
  HLC_VEHICLES_IDS: entry<{ ids: string }>(
    ExitCode.usage,
    (d) =>
      `The vehicle ids [${d.ids}] cannot be used; give at least one id, each once, from 0 to 255.`,
  ),
  HLC_VEHICLES_PROFILE: entry<{ cause: string }>(
    ExitCode.usage,
    (d) =>
      `The vehicle profile cannot be used (${d.cause}); give each kind of command at most once, and a time-out of 0 (none) or more milliseconds.`,
  ),
  HLC_VEHICLES_STATE: entry<{ vehicleId: number; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The state of vehicle ${d.vehicleId} was not sent (${d.cause}); correct what publish is given.`,
  ),
  HLC_VEHICLES_COMMAND: entry<{ vehicleId: number; field: string }>(
    ExitCode.failure,
    (d) =>
      `Vehicle ${d.vehicleId} refused a command, since ${d.field} is not finite; correct the controller that sent it.`,
  ),
  HLC_VEHICLES_TWICE: entry<{ vehicleId: number; writerGuid: string }>(
    ExitCode.failure,
    (d) =>
      `Another program publishes states of vehicle ${d.vehicleId}, too (writer ${d.writerGuid}); end one of them, or give them different vehicle ids or domains.`,
  ),
  HLC_TIME_PERIOD: entry<{ periodNs: bigint }>(
    ExitCode.usage,
    (d) => `The period is ${d.periodNs} ns; give one above 0.`,
  ),
  HLC_TIME_OFFSET: entry<{ offsetNs: bigint; periodNs: bigint }>(
    ExitCode.usage,
    (d) =>
      `The offset ${d.offsetNs} ns does not fit the period ${d.periodNs} ns; give an offset of 0 or more that, in real time, is less than the period.`,
  ),
  HLC_TIME_FACTOR: entry<{ factor: number }>(
    ExitCode.usage,
    (d) => `The real-time factor is ${d.factor}; give a finite number above 0.`,
  ),
  HLC_VEHICLE_IDS: entry<{ ids: readonly number[] }>(
    ExitCode.usage,
    (d) =>
      `There is no middleware for the vehicle ids [${d.ids.join(', ')}]; give at least one, each a whole number from 0 to 255.`,
  ),
  HLC_COMMAND_UNKNOWN_VEHICLE: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `A command names vehicle ${d.vehicleId}, which is not assigned here; check the controller's id and --vehicle-ids.`,
  ),
  HLC_COMMAND_NO_PERIOD: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} came while no period was running; a controller may command only after a start signal.`,
  ),
  HLC_COMMAND_OTHER_WRITER: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} came from another process than its controller; end the process that uses this id by mistake.`,
  ),
  HLC_COMMAND_NOT_TAKING_PART: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} came from a controller that is out; it must be back (a ready signal, or an answer to the newest start signal), be resumed where that is asked for ("hlc-middleware resume"), and wait for the next start signal.`,
  ),
  HLC_COMMAND_CREATED_IN_FUTURE: entry<{
    vehicleId: number;
    aheadNs: bigint;
    toleranceNs: bigint;
  }>(ExitCode.failure, (d) =>
    d.aheadNs > otherTimeNs
      ? `A command for vehicle ${d.vehicleId} has stamps far ahead of the time of this run, as those of the wall clock are in simulated time; take create_stamp and valid_after_stamp from t_now of the start signal.`
      : `A command for vehicle ${d.vehicleId} was created ${d.aheadNs} ns in the future, and ${d.toleranceNs} ns are tolerated; take create_stamp from t_now of the start signal, or in real time set the clock of the controller's machine or --clock-tolerance-us.`,
  ),
  HLC_COMMAND_CREATED_BEFORE_PERIOD: entry<{
    vehicleId: number;
    lateByNs: bigint;
    toleranceNs: bigint;
  }>(ExitCode.failure, (d) =>
    d.lateByNs > otherTimeNs
      ? `A command for vehicle ${d.vehicleId} has no stamp of the wall clock, and this run is in real time; take create_stamp and valid_after_stamp from t_now of the start signal.`
      : `A command for vehicle ${d.vehicleId} was created ${d.lateByNs} ns before the current period, and ${d.toleranceNs} ns are tolerated; the controller is too slow for the period, does not set create_stamp, or its clock is behind: in real time set that clock or --clock-tolerance-us.`,
  ),
  HLC_COMMAND_NOT_NEWER: entry<{ vehicleId: number; olderByNs: bigint }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} was created ${d.olderByNs} ns before the last one, or is the same again; give each command a later create_stamp.`,
  ),
  HLC_COMMAND_TOO_FAR_AHEAD: entry<{ vehicleId: number; aheadNs: bigint; maxAheadNs: bigint }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} holds from ${d.aheadNs} ns ahead of now, and ${d.maxAheadNs} ns are allowed; give an earlier valid_after_stamp, or set --max-ahead-ms.`,
  ),
  HLC_COMMAND_TOO_OLD: entry<{ vehicleId: number; ageNs: bigint; maxAgeNs: bigint }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} was ${d.ageNs} ns old when it was to be forwarded, and ${d.maxAgeNs} ns are allowed; the middleware or the network was late, or set --max-command-age-ms.`,
  ),
  HLC_COMMAND_TOO_LARGE: entry<{ vehicleId: number; field: string; maxMagnitude: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} has a number above ${d.maxMagnitude} in ${d.field}; correct the controller, or set --max-magnitude.`,
  ),
  HLC_COMMAND_TOO_FAST: entry<{ vehicleId: number; speedMps: number; maxSpeedMps: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} asks for ${d.speedMps} m/s, and ${d.maxSpeedMps} m/s are allowed; correct the controller, or set --max-speed. The speed of a trajectory is that of the curve through its points.`,
  ),
  HLC_COMMAND_NOT_FINITE: entry<{ vehicleId: number; field: string }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} has no finite number in ${d.field}; correct the controller.`,
  ),
  HLC_COMMAND_OUT_OF_RANGE: entry<{ vehicleId: number; field: string; value: number }>(
    ExitCode.failure,
    (d) =>
      `A command for vehicle ${d.vehicleId} has ${d.field} = ${d.value}; give a value from -1 to 1.`,
  ),
  HLC_TRAJECTORY_TOO_SHORT: entry<{ vehicleId: number; points: number }>(
    ExitCode.failure,
    (d) =>
      `The trajectory for vehicle ${d.vehicleId} has ${d.points} points; a vehicle needs at least 3.`,
  ),
  HLC_TRAJECTORY_NO_PAST: entry<{ vehicleId: number; aheadNs: bigint }>(
    ExitCode.failure,
    (d) =>
      `The trajectory for vehicle ${d.vehicleId} has no point in the past: it begins ${d.aheadNs} ns after the vehicle is to follow it; an earlier command moves the vehicle by then; begin it at or before valid_after_stamp, or allow it with "checks: { trajectoryNoPast: flag }" in the configuration file.`,
  ),
  HLC_TRAJECTORY_NO_FUTURE: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `The trajectory for vehicle ${d.vehicleId} has no point in the future; end it after the time from which it is valid.`,
  ),
  HLC_TRAJECTORY_TIME_ORDER: entry<{ vehicleId: number; index: number }>(
    ExitCode.failure,
    (d) =>
      `The trajectory for vehicle ${d.vehicleId} does not go forward in time at point ${d.index}; order the points by time, each time once.`,
  ),
  HLC_PATH_TOO_SHORT: entry<{ vehicleId: number; points: number }>(
    ExitCode.failure,
    (d) =>
      `The path for vehicle ${d.vehicleId} has ${d.points} points; a vehicle needs at least 2.`,
  ),
  HLC_PATH_START: entry<{ vehicleId: number; s: number }>(
    ExitCode.failure,
    (d) => `The path for vehicle ${d.vehicleId} begins at s = ${d.s}; begin it at 0.`,
  ),
  HLC_PATH_ORDER: entry<{ vehicleId: number; index: number }>(
    ExitCode.failure,
    (d) =>
      `The path for vehicle ${d.vehicleId} does not go forward at point ${d.index}; give each point a greater s than the one before.`,
  ),
  HLC_PATH_NOT_CLOSED: entry<{ vehicleId: number }>(
    ExitCode.failure,
    (d) =>
      `The path for vehicle ${d.vehicleId} is not closed; end it at the pose where it begins, since a vehicle drives it round and round.`,
  ),
  HLC_READY_TIMEOUT: entry<{
    ids: readonly number[];
    waitedMs: number;
    domainId: number;
    diagnosis: string;
  }>(
    ExitCode.readinessTimeout,
    (d) =>
      `The ready signals of controllers ${d.ids.join(', ')} did not come within ${d.waitedMs} ms on DDS domain ${d.domainId}: ${d.diagnosis}.`,
  ),
  HLC_START_TIMEOUT: entry<{ waitedMs: number; domainId: number; diagnosis: string }>(
    ExitCode.readinessTimeout,
    (d) =>
      `The system trigger of the lab control did not come within ${d.waitedMs} ms on DDS domain ${d.domainId}: ${d.diagnosis}. Without a lab control give --wait-for-start=false, in simulated time --time-source=self.`,
  ),
  HLC_PARAMETER_TIMEOUT: entry<{
    parameter: string;
    waitedMs: number;
    domainId: number;
    diagnosis: string;
  }>(
    ExitCode.readinessTimeout,
    (d) =>
      `The parameter server of the lab did not answer for ${d.parameter} within ${d.waitedMs} ms on DDS domain ${d.domainId}: ${d.diagnosis}. Without a parameter server give --period-ms.`,
  ),
  HLC_SUMMARY_FILE: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The summary could not be written to "${d.file}" (${d.cause}); name a file in a folder that exists and may be written to.`,
  ),
  HLC_PEER_UNREACHABLE: entry<{ peer: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The discovery peer "${d.peer}" cannot be reached (${d.cause}); check its name and this machine's network, or name the way to it with --interface.`,
  ),
  HLC_CONFIG_NEEDS: entry<{ what: string; needs: string }>(
    ExitCode.usage,
    (d) => `${d.what} has an effect only with ${d.needs}; add that, or leave ${d.what} out.`,
  ),
  HLC_CHECK_COMMAND: entry<{ command: string; cause: string }>(
    ExitCode.usage,
    (d) =>
      `The controller "${d.command}" cannot be started (${d.cause}); check the command after --.`,
  ),
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
  HLC_TAP_SOCKET: entry<{ cause: string }>(
    ExitCode.failure,
    (d) =>
      `The tap cannot be opened, so no observer or recorder can read this run (${d.cause}); give this middleware a --node-id or a --control-socket of its own.`,
  ),
  HLC_TAP_NOBODY: entry<{ path: string }>(
    ExitCode.failure,
    (d) =>
      `No middleware has a tap at ${d.path}; start one, or name the right one with --node-id or --control-socket.`,
  ),
  HLC_TAP_CONNECT: entry<{ path: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The tap ${d.path} cannot be read (${d.cause}); run this program as the user of the middleware.`,
  ),
  HLC_TAP_FULL: entry<{ path: string }>(
    ExitCode.failure,
    (d) => `The tap ${d.path} has as many readers as it takes; end one of them and start again.`,
  ),
  HLC_TAP_VERSION: entry<{ path: string; version: string; wanted: number }>(
    ExitCode.failure,
    (d) =>
      `The tap ${d.path} has format ${d.version}, and this program reads format ${d.wanted}; use the same version of the program for both.`,
  ),
  HLC_TAP_FORMAT: entry<{ path: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The tap ${d.path} sent bytes that are no records (${d.cause}); use the same version of the program for both.`,
  ),
  HLC_TAP_LOST: entry<{ path: string }>(
    ExitCode.failure,
    (d) =>
      `The tap ${d.path} ended unexpectedly: the middleware crashed, was killed, or has switched off its tap; look at its log.`,
  ),
  HLC_OBSERVE_LISTEN: entry<{ port: number; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The page cannot be served on port ${d.port} of 127.0.0.1 (${d.cause}); choose another port with --port.`,
  ),
  HLC_OBSERVE_PAGE: entry<{ folder: string; cause: string }>(
    ExitCode.failure,
    (d) => `The page in ${d.folder} cannot be read (${d.cause}); run "npm run setup" to build it.`,
  ),
  HLC_CONTROL_OFF: entry<Record<string, never>>(
    ExitCode.usage,
    () =>
      `There is no middleware to talk to with --control-socket=off; name it with --node-id, or its socket with --control-socket.`,
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
      `Controller ${d.ids.join(', ')} cannot be resumed: it is not back, or it is not of this run; start it again or let it answer, and then resume it.`,
  ),
  HLC_CONTROL_INACTIVE: entry<{ state: string }>(
    ExitCode.failure,
    (d) =>
      `The node is ${d.state}, so there is no session to control; activate it first ("ros2 lifecycle set").`,
  ),
  HLC_GUARD: entry<{ cause: string }>(
    ExitCode.failure,
    (d) =>
      `The guard cannot be started (${d.cause}); its own message says why. Correct that, or leave out --guard.`,
  ),
  HLC_LATCH_FILE: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The latch file ${d.file} cannot be used (${d.cause}); check the file and its folder: a latched stop may not survive a restart.`,
  ),
  HLC_LATCH_UNLISTED: entry<{ ids: readonly number[]; file: string }>(
    ExitCode.failure,
    (d) =>
      `Vehicles ${d.ids.join(', ')} are stopped, and are not in --vehicle-ids: an earlier run latched them in ${d.file}. To drive them again, start a run that lists them, and resume them there.`,
  ),
  HLC_FINDING_FILE: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The finding of a check in ${d.file} cannot be used (${d.cause}); check the file and its folder, then run "hlc-middleware check" again.`,
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
  HLC_GATEWAY_LISTEN: entry<{ host: string; port: number; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The gateway cannot listen on port ${d.port} of ${d.host} (${d.cause}); end the program that has the port, or choose another one with --port, or an address of this machine with --listen.`,
  ),
  HLC_GATEWAY_REFUSED: entry<{ address: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The client at ${d.address} is refused: ${d.cause}; the gateway serves the other clients and the next one, so correct this client and start it again.`,
  ),
  HLC_GATEWAY_BUFFER: entry<{ node: number; cause: string }>(
    ExitCode.failure,
    (d) =>
      `A buffer of SynChrono node ${d.node} is refused: ${d.cause}; the gateway waits for the next one, so correct this node and start the simulation again.`,
  ),
  HLC_DANCERS_LISTEN: entry<{ side: string; address: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The gateway cannot listen for the ${d.side} side at ${d.address} (${d.cause}); end the other program, or change the address in the DANCERS configuration.`,
  ),
  HLC_DANCERS_SIDE: entry<{ side: string; address: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The ${d.side} side of DANCERS at ${d.address} failed: ${d.cause}; the run has ended, and the other side received CLOSE. Correct this side and start all of them again.`,
  ),
  HLC_DANCERS_COORDINATOR: entry<{ address: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The DANCERS coordinator at ${d.address} failed: ${d.cause}; start it, and then the physics side again.`,
  ),
  HLC_DANCERS_CONFIG: entry<{ path: string; key: string; value: string; rule: string }>(
    ExitCode.usage,
    (d) =>
      `The key "${d.key}" of the DANCERS configuration ${d.path} is ${d.value}; it must be ${d.rule}.`,
  ),
  HLC_RECORDING_READ: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The recording ${d.file} cannot be read (${d.cause}); name a file that "hlc-middleware record" or "run --record" wrote.`,
  ),
  HLC_RECORDING_WRITE: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The recording ${d.file} cannot be written (${d.cause}); what is in it so far is readable. Make room, check the rights of the folder, or choose a new file.`,
  ),
  HLC_RESULT_WRITE: entry<{ file: string; cause: string }>(
    ExitCode.failure,
    (d) =>
      `The result cannot be written to ${d.file} (${d.cause}); name a file in a folder that you may write to.`,
  ),
  HLC_RECORDER: entry<{ cause: string }>(
    ExitCode.failure,
    (d) =>
      `The recorder cannot be started (${d.cause}); its own message says why. Correct that, or leave out --record.`,
  ),
  HLC_REPLAY_CONTROLLER: entry<{ ids: readonly number[]; how: string }>(
    ExitCode.failure,
    (d) =>
      `The command of --controller ended (${d.how}) before controller ${d.ids.join(', ')} sent its ready signal; its own messages say why. Start it by hand with the same --domain-number to see more.`,
  ),
} as const satisfies Record<string, unknown>;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof catalogue;

/** The details that the sentence of code `C` needs. */
export type ErrorDetails<C extends ErrorCode> = Parameters<(typeof catalogue)[C]['sentence']>[0];
