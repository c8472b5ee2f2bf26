import { createConnection, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { ExitCode, HlcError, signalExitCodes, type EndSignal } from '../../../errors/index.js';
import { tracks, type TrackName } from '../../../lab/index.js';
import { Refusal } from '../../refusal.js';
import {
  parseDancersConfig,
  textOf,
  type ConfigFile,
  type SideAddress,
} from '../protocol/config.js';
import { decodeUpdate, encodeUpdate, updateFrames } from '../protocol/update.js';
import { BicycleAgents, type BicycleAgentsOptions } from './bicycle-agents.js';

/** What {@link runDancersPhysics} needs. */
export interface DancersPhysicsRun extends Pick<BicycleAgentsOptions, 'vehicleIds' | 'input'> {
  readonly config: ConfigFile;
  readonly track: TrackName;
  /** Exit code after SIGINT. */
  readonly interruptExitCode: 0 | 130;
  readonly report: (text: string) => void;
}

/** As the connectors of DANCERS. */
const mostTries = 20;
const betweenTriesMs = 500;

/**
 * Is the physics side of a DANCERS run, with simulated cars, until its coordinator sends CLOSE or a
 * signal comes.
 * @returns the exit code of the process.
 * @throws HlcError `HLC_DANCERS_CONFIG`, `HLC_DANCERS_COORDINATOR`.
 */
export async function runDancersPhysics(run: DancersPhysicsRun): Promise<number> {
  const { physics, windowUs } = parseDancersConfig(run.config);
  const { vehicleIds, input, track } = run;
  const agents = new BicycleAgents({
    vehicleIds,
    input,
    track: tracks[track],
    stepUs: physics.stepUs,
    windowUs,
  });
  const address = textOf(physics.address);
  const untilSignal = new Promise<EndSignal>((resolve) => {
    for (const end of Object.keys(signalExitCodes) as EndSignal[]) process.once(end, resolve);
  });
  const serve = async (): Promise<undefined> => {
    const socket = await connect(physics.address);
    run.report(`agents ${vehicleIds.join(', ')} are the physics side of DANCERS at ${address}`);
    await untilClose(socket, agents);
    run.report('the coordinator sent CLOSE');
  };
  try {
    const signal = await Promise.race([untilSignal, serve()]);
    if (signal === undefined) return ExitCode.ok;
    return signal === 'SIGINT' ? run.interruptExitCode : signalExitCodes[signal];
  } catch (error) {
    const cause = (error as Error).message;
    throw new HlcError('HLC_DANCERS_COORDINATOR', { address, cause }, { cause: error });
  }
}

async function connect(address: SideAddress): Promise<Socket> {
  for (let tries = 1; ; tries++) {
    try {
      return await new Promise<Socket>((resolve, reject) => {
        const socket = createConnection({ ...address, noDelay: true });
        socket.once('connect', () => resolve(socket));
        socket.once('error', reject);
      });
    } catch (error) {
      if (tries === mostTries) throw error;
      await wait(betweenTriesMs);
    }
  }
}

/** Answers each BEGIN with a step. @throws Refusal, and Error without CLOSE. */
function untilClose(socket: Socket, agents: BicycleAgents): Promise<void> {
  const frames = updateFrames();
  let hasBegun = false;
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const onFrame = (content: Uint8Array) => {
      const { type, payload } = decodeUpdate(content);
      hasBegun = true;
      if (type === 'end') throw new Refusal('it sent END instead of BEGIN or CLOSE');
      if (type === 'close') {
        socket.end();
        resolve();
        return;
      }
      socket.write(encodeUpdate({ type: 'end', payload: agents.step(payload) }));
    };
    socket.on('data', (bytes) => {
      try {
        for (const content of frames.push(bytes)) onFrame(content);
      } catch (error) {
        fail(error as Error);
      }
    });
    socket.on('error', () => undefined); // "close" follows
    socket.on('close', () => {
      const hint = hasBegun ? '' : '; it may have a physics side already';
      fail(new Error(`it closed the connection without CLOSE${hint}`));
    });
  });
}
