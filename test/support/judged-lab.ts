import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { builtPeers } from '../peers/build-peers.js';
import { ChildProgram, type ProgramEnd } from './child-program.js';
import { favour, type Favour } from './favoured.js';
import { isolatedCycloneUri } from './isolation.js';
import { loopbackUri } from './loopback-uri.js';
import { Middleware, type MiddlewareStart } from './middleware.js';
import { countCommands, readMotion, restingS, type MotionSample } from './motion.js';
import { Recorder } from './recorder.js';
import { temporaryFolder } from './temporary-folder.js';

const labDomain = '0';
const controllerDomain = '1';

/** Each program can be favoured, and a guard is gone with the test. */
const inGroup = { group: true } as const;

/** A vehicle must rest for `restingS`; its log goes on for a little longer. */
const watchingUs = (restingS + 0.2) * 1e6;

/** The monotonic clock of the machine, µs; the judge's clock, too. */
export function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Options of one vehicle by name; see the heads of judge-vehicle.c and judge-controller.c. */
export type VehicleOptions = Readonly<Record<string, string | number>>;

/** A vehicle of a judged lab. */
export interface JudgedVehicle {
  readonly id: number;
  /** What it stands for, for people. */
  readonly name: string;
  /** How its controller drives it. */
  readonly drive: VehicleOptions;
  /** How it obeys, and what it says about itself. */
  readonly model?: VehicleOptions;
}

/** An event of a program of the judge. */
export interface JudgeEvent {
  readonly event: string;
  readonly id?: number;
  /** Monotonic clock, µs. */
  readonly t?: number;
  readonly t_now?: string;
}

/** A program of the judge: a controller, or the vehicles. */
export class JudgeProgram {
  readonly events: Recorder<JudgeEvent>;
  readonly ended: Promise<ProgramEnd>;
  readonly #program: ChildProgram;

  constructor(name: string, cycloneUri: string, command: readonly string[]) {
    const [file = '', ...args] = command;
    this.#program = new ChildProgram(name, file, args, cycloneUri, inGroup);
    this.events = new Recorder(`events of ${name}`);
    this.#program.stdout.forEach((line) => this.events.add(JSON.parse(line) as JudgeEvent));
    this.ended = this.#program.ended.then((end) => {
      this.events.end(`but ${name} ended: ${this.#program.stderr.items.join('\n')}`);
      return end;
    });
  }

  order(line: string): void {
    this.#program.send(line);
  }

  signal(signal: NodeJS.Signals): void {
    this.#program.signal(signal);
  }

  get pid(): number | undefined {
    return this.#program.pid;
  }

  /** As that of a {@link ChildProgram}. */
  async kill(): Promise<void> {
    await this.#program.kill();
  }

  /** The first event of this name after those that came already. */
  next(name: string): Promise<JudgeEvent> {
    let skip = this.events.items.length;
    return this.events.until(({ event }) => skip-- <= 0 && event === name);
  }

  /** Settles when this program and a middleware know each other. */
  async untilMet(): Promise<void> {
    await this.events.until(({ event }) => event === 'met');
  }

  /** Settles when so many more start signals have come. */
  async untilStarts(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.next('start');
  }
}

/** Where programs of the judge run: on this machine's loopback unless given. */
interface ProgramPlace {
  /** What starts them: a command and its first arguments. */
  readonly through: readonly string[];
  /** Network settings of Cyclone DDS. */
  readonly network: string;
}

/** Where the vehicles and the controllers of a lab run. */
export interface JudgedPlace {
  readonly vehicles?: ProgramPlace;
  readonly controllers?: ProgramPlace;
}

/**
 * A lab of one test whose vehicles judge by motion: they have no time-out of their own. Everything
 * it starts is gone when the test is over.
 */
export class JudgedLab {
  readonly uri = isolatedCycloneUri();
  readonly vehicles: readonly JudgedVehicle[];
  readonly judge: JudgeProgram;
  readonly #place: JudgedPlace;
  readonly #peers = builtPeers();
  readonly #motionFile = path.join(temporaryFolder(), 'motion.jsonl');
  readonly #middlewares: { readonly flags: readonly string[]; readonly middleware: Middleware }[] =
    [];
  /** The vehicles and the controllers. */
  readonly #programs: JudgeProgram[] = [];

  constructor(vehicles: readonly JudgedVehicle[], place: JudgedPlace = {}) {
    this.vehicles = vehicles;
    this.#place = place;
    const models = vehicles.map(({ id, model = {} }) => `${id}${optionsText(model)}`);
    this.judge = this.#start('the vehicles', place.vehicles, 'judge-vehicle', [
      labDomain,
      this.#motionFile,
      ...models,
    ]);
  }

  /** The flag for all vehicles. */
  get vehicleIds(): string {
    return `--vehicle-ids=${this.vehicles.map(({ id }) => id).join(',')}`;
  }

  /** A process that controls these vehicles, all of them unless given. */
  startController(vehicles = this.vehicles): JudgeProgram {
    const drives = vehicles.map(({ id, drive }) => `${id}${optionsText(drive)}`);
    return this.#start('a controller', this.#place.controllers, 'judge-controller', [
      controllerDomain,
      ...drives,
    ]);
  }

  /** `hlc-middleware run` for all vehicles unless the flags name some, supervised as by default. */
  startMiddleware(flags: readonly string[], start: MiddlewareStart = {}): Middleware {
    const namesIds = flags.some((flag) => flag.startsWith('--vehicle-ids='));
    const all = namesIds ? flags : [this.vehicleIds, ...flags];
    // The tests' own default is --miss-policy=log.
    const supervised = flags.some((flag) => flag.startsWith('--miss-policy'))
      ? all
      : [...all, '--miss-policy=stop'];
    const middleware = new Middleware(this.uri, supervised, { ...start, ...inGroup });
    this.#middlewares.push({ flags: supervised, middleware });
    return middleware;
  }

  /** Other tests take no processor from the programs that this lab has started so far. */
  favour(how: Favour): void {
    for (const { pid } of this.#running()) favour(pid, how);
  }

  /** Kills all programs: the labs that follow in the same test need the processors. */
  async end(): Promise<void> {
    await Promise.all(this.#running().map((program) => program.kill()));
  }

  /** Settles when each of these vehicles has driven at one speed for half a second. */
  async untilSteady(ids = this.vehicles.map(({ id }) => id)): Promise<void> {
    await Promise.all(
      ids.map((wanted) =>
        this.judge.events.until(({ event, id }) => event === 'steady' && id === wanted),
      ),
    );
  }

  /** Settles when the vehicles have logged this instant, µs on the monotonic clock. */
  async untilTime(tUs: number): Promise<void> {
    await this.judge.events.until(({ event, t }) => event === 'tick' && (t ?? 0) >= tUs);
  }

  /**
   * Settles when a verdict is possible: all vehicles have been at rest for as long as they must, or
   * they can no longer keep their time.
   * @param latestS when the last of them must be at rest, s after the fault
   */
  async untilJudgeable(faultUs: number, latestS: number): Promise<void> {
    const moving = new Set<number>();
    let restUs = 0;
    await this.judge.events.until(({ event, id = -1, t = 0 }) => {
      if (event === 'moves') moving.add(id);
      if (event === 'rest' && moving.delete(id)) restUs = t;
      const fromUs = moving.size === 0 ? Math.max(restUs, faultUs) : Infinity;
      return t > Math.min(fromUs, faultUs + latestS * 1e6) + watchingUs;
    });
  }

  /** How many commands came in a time that is over for a while, µs, by vehicle id and kind. */
  commandCounts(fromUs: number, untilUs: number): ReadonlyMap<string, number> {
    return countCommands(this.#motionFile, fromUs, untilUs);
  }

  /** Ends the judge; gives the motion of each vehicle. */
  async motion(): Promise<ReadonlyMap<number, readonly MotionSample[]>> {
    this.judge.order('end');
    await this.judge.ended;
    return readMotion(this.#motionFile);
  }

  /**
   * Copies the motion log, the logs of the middleware and its flags to a folder below HLC_MOTION_LOGS, when
   * that is set. Its name begins with this one.
   */
  keepLogs(name: string, faultUs: number): void {
    const { HLC_MOTION_LOGS } = process.env;
    if (HLC_MOTION_LOGS === undefined) return;
    mkdirSync(HLC_MOTION_LOGS, { recursive: true });
    // Labs of several tests of a row may have the same name.
    const named = path.join(HLC_MOTION_LOGS, `${name.replaceAll(/[^\w.=-]+/g, '_')}-`);
    const folder = mkdtempSync(named);
    copyFileSync(this.#motionFile, path.join(folder, 'motion.jsonl'));
    const vehicles = this.vehicles.map((vehicle) => JSON.stringify(vehicle));
    writeFileSync(path.join(folder, 'vehicles.jsonl'), vehicles.join('\n'));
    for (const [i, { flags, middleware }] of this.#middlewares.entries()) {
      const lines = [
        `run ${flags.join(' ')}`,
        `fault at ${faultUs} µs`,
        ...middleware.program.stderr.items,
      ];
      writeFileSync(path.join(folder, `middleware-${i}.log`), lines.join('\n'));
    }
  }

  #running() {
    const middlewares = this.#middlewares.map(({ middleware }) => middleware.program);
    return [...this.#programs, ...middlewares];
  }

  #start(
    name: string,
    place: ProgramPlace | undefined,
    peer: 'judge-vehicle' | 'judge-controller',
    args: readonly string[],
  ): JudgeProgram {
    const { through = [], network } = place ?? {};
    const uri = network === undefined ? loopbackUri(this.uri) : `${network},${this.uri}`;
    const program = new JudgeProgram(name, uri, [...through, this.#peers[peer], ...args]);
    this.#programs.push(program);
    return program;
  }
}

/** Options as a program of the judge reads them. */
function optionsText(options: VehicleOptions): string {
  return Object.entries(options)
    .map(([name, value]) => `:${name}=${value}`)
    .join('');
}
