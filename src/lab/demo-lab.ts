import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LabProcess, type Program, type ProgramEvents } from './child-process.js';
import type { TrackName } from './track/index.js';

/** What a {@link DemoLab} needs. */
interface DemoLabOptions {
  /** Vehicles, each with a controller of its own. */
  readonly vehicleIds: readonly number[];
  /** Those of them with an external controller. */
  readonly ownIds: readonly number[];
  readonly labDomain: number;
  readonly controllerDomain: number;
  readonly networkInterface: string;
  readonly track: TrackName;
  /** Further flags of `hlc-middleware fleet`. */
  readonly fleetFlags: readonly string[];
  /** Starts `hlc-middleware`: program and first arguments. */
  readonly self: readonly [command: string, ...args: string[]];
  readonly events: ProgramEvents;
}

/** The same from src/lab/ and from dist/lab/. */
function builtExample(path: string) {
  return fileURLToPath(new URL(`../../build/examples/${path}`, import.meta.url));
}

/**
 * The programs of a lab on this machine: simulated vehicles, and one controller per vehicle. On the
 * oval the first one is the C example when it is built, the others the TypeScript example, by turns
 * with trajectories and with paths; on other tracks they are those of `hlc-middleware drive`.
 */
function demoPrograms(options: DemoLabOptions): {
  readonly vehicles: Program;
  readonly controllers: readonly Program[];
} {
  const [command, ...args] = options.self;
  const vehicles: Program = {
    name: 'vehicles',
    command,
    args: [
      ...args,
      'fleet',
      `--vehicle-ids=${options.vehicleIds.join(',')}`,
      `--dds-domain=${options.labDomain}`,
      `--interface=${options.networkInterface}`,
      ...options.fleetFlags,
    ],
  };
  const controllerOf = options.track === 'oval' ? ovalController : driver;
  const controllers = options.vehicleIds.flatMap((id, index) =>
    options.ownIds.includes(id) ? [] : [controllerOf(id, index, options)],
  );
  return { vehicles, controllers };
}

function ovalController(id: number, index: number, { controllerDomain }: DemoLabOptions): Program {
  const flags = ['--vehicle-id', String(id), '--domain', String(controllerDomain)];
  const c = builtExample('c/controller');
  if (index === 0 && existsSync(c))
    return { name: `controller ${id} (C)`, command: c, args: flags };
  const kind = index % 2 === 1 ? 'trajectory' : 'path';
  return {
    name: `controller ${id} (TypeScript, ${kind})`,
    command: process.execPath,
    args: [builtExample('typescript/oval-controller.js'), ...flags, '--command', kind],
  };
}

function driver(id: number, _index: number, options: DemoLabOptions): Program {
  const [command, ...args] = options.self;
  return {
    name: `controller ${id} (${options.track})`,
    command,
    args: [
      ...args,
      'drive',
      `--vehicle-ids=${id}`,
      `--domain-number=${options.controllerDomain}`,
      `--interface=${options.networkInterface}`,
      `--track=${options.track}`,
    ],
  };
}

/** The programs of a lab, each in a process of its own. */
export class DemoLab {
  readonly #processes: LabProcess[] = [];
  #ending = false;

  /**
   * Starts the vehicles. The controllers follow at the first line of the vehicles: in simulated time these are
   * the lab control, which must be there when the middleware signs in.
   */
  constructor(options: DemoLabOptions) {
    const { events } = options;
    const start = (program: Program, onLine: (name: string, line: string) => void) => {
      this.#processes.push(new LabProcess(program, { ...events, onLine }));
    };
    const { vehicles, controllers } = demoPrograms(options);
    const pass = (name: string, line: string) => events.onLine(name, line);
    let waiting = controllers;
    start(vehicles, (name, line) => {
      if (!this.#ending) for (const controller of waiting) start(controller, pass);
      waiting = [];
      pass(name, line);
    });
  }

  /** From now on a program that ends is no failure, and no further one starts. */
  expectEnd(): void {
    this.#ending = true;
    for (const process of this.#processes) process.expectEnd();
  }

  /** Ends all programs. Resolves when they are gone. */
  async stop(): Promise<void> {
    this.#ending = true;
    await Promise.all(this.#processes.map((process) => process.stop()));
  }
}

/**
 * A `CYCLONEDDS_URI` for a lab without contact to other programs of this machine: loopback only, with a domain
 * tag of its own (OMG DDSI-RTPS 2.5, section 8.5.3.3.2). It is complete, for programs that take
 * the variable as their whole configuration.
 */
export function privateLabUri(): string {
  return (
    '<CycloneDDS><Domain Id="any">' +
    '<General><Interfaces><NetworkInterface name="lo"/></Interfaces>' +
    '<AllowMulticast>false</AllowMulticast></General>' +
    `<Discovery><Tag>${randomUUID()}</Tag><ParticipantIndex>auto</ParticipantIndex>` +
    '<MaxAutoParticipantIndex>100</MaxAutoParticipantIndex>' +
    '<Peers><Peer Address="127.0.0.1"/></Peers></Discovery>' +
    '</Domain></CycloneDDS>'
  );
}
