import { expect, onTestFinished } from 'vitest';
import { DdsContext, type Clocks, type DdsParticipant } from '../../src/dds/index.js';
import { ChildProgram } from './child-program.js';
import { isolatedCycloneUri } from './isolation.js';
import { loopbackUri } from './loopback-uri.js';
import { Middleware, runMiddleware } from './middleware.js';
import { ScriptedController, type ControllerScript } from './scripted-controller.js';
import { ScriptedVehicles } from './scripted-vehicles.js';

const labDomain = 0;
const controllerDomain = 1;

/** A writer that is closed does not wait for the acknowledgements of processes that are gone. */
const noLinger =
  '<CycloneDDS><Domain Id="any"><Internal><WriterLingerDuration>0s</WriterLingerDuration></Internal></Domain></CycloneDDS>';

/** A lab of one test: what it starts discovers nothing else, and is gone when the test is over. */
export interface TestLab {
  /** The `CYCLONEDDS_URI` that keeps this lab apart. */
  readonly uri: string;
  readonly clocks: Clocks;
  /** All of DDS in this process. */
  readonly context: DdsContext;
  /** A participant of this process. */
  join(side: 'lab' | 'controllers'): DdsParticipant;
  /** The same on any domain. */
  joinDomain(domainId: number): DdsParticipant;
  /** A process of `hlc-middleware run` between the two sides. */
  startMiddleware(...flags: string[]): Middleware;
  /** The same without a summary file. */
  runMiddleware(...flags: string[]): ChildProgram;
  /** A program of another project, with network settings for this lab. */
  startProgram(file: string, ...args: string[]): ChildProgram;
  controller(script: ControllerScript): ScriptedController;
  vehicles(): ScriptedVehicles;
}

/** To be called in a test, once. */
export function openTestLab(): TestLab {
  const uri = isolatedCycloneUri();
  const faults: unknown[] = [];
  const context = DdsContext.open({
    onFault: (fault) => faults.push(fault),
    cycloneUri: `${uri},${noLinger}`,
  });
  const join = (domainId: number) =>
    context.join({ domainId, networkInterface: 'lo', initialPeers: [] });
  onTestFinished(() => {
    context.close();
    expect(faults).toEqual([]);
  });
  return {
    uri,
    clocks: context.clocks,
    context,
    join: (side) => join(side === 'lab' ? labDomain : controllerDomain),
    joinDomain: join,
    startMiddleware: (...flags) => new Middleware(uri, flags),
    runMiddleware: (...flags) => runMiddleware(uri, flags),
    startProgram: (file, ...args) => new ChildProgram(file, file, args, loopbackUri(uri)),
    controller: (script) => new ScriptedController(join(controllerDomain), script),
    vehicles: () => new ScriptedVehicles(join(labDomain)),
  };
}
