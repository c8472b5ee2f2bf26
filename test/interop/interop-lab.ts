import { expect, onTestFinished } from 'vitest';
import { DdsContext, type DdsParticipant } from '../../src/dds/index.js';
import { ChildProgram } from '../support/child-program.js';
import { cliProgram, Middleware } from '../support/middleware.js';
import { ScriptedController, type ControllerScript } from '../support/scripted-controller.js';
import { freeDomains } from './free-domains.js';

/** The two time modes, with the flags that need no lab control. */
export const timeModes = {
  // What supervision does about misses is tested elsewhere.
  'real time': ['--wait-for-start=false', '--control-socket=off', '--miss-policy=log'],
  'simulated time': ['--simulated-time', '--time-source=self', '--control-socket=off'],
} as const;

export type TimeMode = keyof typeof timeModes;

/** A lab whose controllers are programs that configure their DDS themselves. */
export interface InteropLab {
  startMiddleware(mode: TimeMode, ...flags: string[]): Middleware;
  /** `hlc-middleware fleet` */
  startFleet(...flags: string[]): ChildProgram;
  /** A controller as a user starts it: nothing in its environment configures DDS. */
  startController(command: readonly string[], vehicleId: number): ChildProgram;
  controller(script: ControllerScript): ScriptedController;
  /** A participant of this process on the lab side. */
  joinLab(): DdsParticipant;
}

/** To be called in a test, once. */
export async function openInteropLab(): Promise<InteropLab> {
  const domains = await freeDomains();
  const faults: unknown[] = [];
  const context = DdsContext.open({ onFault: (fault) => faults.push(fault), cycloneUri: '' });
  const join = (domainId: number) =>
    context.join({ domainId, networkInterface: 'lo', initialPeers: [] });
  onTestFinished(() => {
    context.close();
    expect(faults).toEqual([]);
  });
  const lab = `--dds-domain=${domains.lab}`;
  return {
    startMiddleware: (mode, ...flags) => {
      const both = [lab, `--domain-number=${domains.controllers}`, '--max-speed=1000', ...flags];
      return new Middleware('', both, { defaults: timeModes[mode] });
    },
    startFleet: (...flags) =>
      new ChildProgram('the fleet', process.execPath, [cliProgram, 'fleet', lab, ...flags], ''),
    startController: (command, vehicleId) => {
      const flags = ['--vehicle-id', `${vehicleId}`, '--domain', `${domains.controllers}`];
      const withoutUri = ['-u', 'CYCLONEDDS_URI', ...command, ...flags];
      return new ChildProgram(`the controller of vehicle ${vehicleId}`, 'env', withoutUri, '');
    },
    controller: (script) => new ScriptedController(join(domains.controllers), script),
    joinLab: () => join(domains.lab),
  };
}
