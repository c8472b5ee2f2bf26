import { ChildProgram, type ProgramEnd } from '../child-program.js';
import { cliProgram, Middleware } from '../middleware.js';
import { temporaryFolder } from '../temporary-folder.js';
import { isolatedRosUri, rosVariables } from './ros-environment.js';

const labDomain = 0;
const controllerDomain = 1;
/** Several programs of ROS 2 that start at once on two cores take over 15 s, ms. */
const patienceMs = 60_000;

/** The languages of the example controllers, by the ends of the names of their packages. */
export const rosLanguages = ['python', 'cpp'] as const;

/** What a command said, and how it ended. */
export interface RosCommandResult extends ProgramEnd {
  readonly output: readonly string[];
  readonly errors: readonly string[];
}

/**
 * A lab of one test with a real ROS 2: controllers are nodes on the domain that `ROS_DOMAIN_ID`
 * names, vehicles speak plain DDS. What it starts discovers nothing else, and is gone when the test is
 * over.
 */
export interface RosLab {
  /** The `CYCLONEDDS_URI` that keeps this lab apart. */
  readonly uri: string;
  /** Controllers and whatever else is in ROS 2. */
  readonly controllerDomain: number;
  /** `hlc-middleware run` as a node of ROS 2, with real time and without lab control. */
  startMiddleware(...flags: string[]): Middleware;
  /** The same, with transports and domains from these arguments. */
  startBare(...args: string[]): Middleware;
  /** `hlc-middleware fleet` */
  startFleet(...flags: string[]): ChildProgram;
  /** The example controller of this language for these vehicles. */
  controller(language: (typeof rosLanguages)[number], vehicleIds: readonly number[]): ChildProgram;
  /** A launch file of the package `hlc_middleware`. */
  launch(file: string, ...args: string[]): ChildProgram;
  /** A program with ROS 2 in its environment, in a process group of its own. */
  start(command: string, ...args: string[]): ChildProgram;
  /** Runs `ros2` with these arguments to its end; without the daemon, which outlives a test. */
  ros2(...args: string[]): Promise<RosCommandResult>;
}

/** To be called in a test, once. */
export function openRosLab(): RosLab {
  const uri = isolatedRosUri();
  const variables = {
    ...rosVariables,
    ROS_DOMAIN_ID: String(controllerDomain),
    // Control sockets of the lab's own: a user of this machine may run a middleware with the same id.
    XDG_RUNTIME_DIR: temporaryFolder(),
  };
  const domains = [`--dds-domain=${labDomain}`, `--domain-number=${controllerDomain}`];
  const start = (command: string, ...args: string[]) =>
    new ChildProgram([command, ...args].join(' '), command, args, uri, {
      variables,
      group: true,
      patienceMs,
    });
  return {
    uri,
    controllerDomain,
    start,
    controller: (language, vehicleIds) => {
      const ids = ['--ros-args', '-p', `vehicle_ids:=[${vehicleIds.join(',')}]`];
      return start('ros2', 'run', `hlc_controller_${language}`, 'controller', ...ids);
    },
    launch: (file, ...args) => start('ros2', 'launch', 'hlc_middleware', file, ...args),
    startMiddleware: (...flags) =>
      new Middleware(uri, ['--controller-transport=ros2', ...domains, ...flags], {
        variables,
        patienceMs,
        // A guard is gone with the test, too.
        group: true,
      }),
    startBare: (...args) => new Middleware(uri, args, { variables, patienceMs, defaults: [] }),
    startFleet: (...flags) =>
      start(process.execPath, cliProgram, 'fleet', `--dds-domain=${labDomain}`, ...flags),
    ros2: async (...args) => {
      const program = start('ros2', ...args);
      const end = await program.ended;
      return { ...end, output: program.stdout.items, errors: program.stderr.items };
    },
  };
}
