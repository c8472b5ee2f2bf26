import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ChildProgram } from './child-program.js';
import { freePorts } from './free-ports.js';
import { startClient, startCommand, type GatewayClient } from './gateway-program.js';
import { temporaryFolder } from './temporary-folder.js';
import { openTestLab, type TestLab } from './test-lab.js';

/** A line of test/peers/gateways/dancers_side.py. */
export interface SeenBySide {
  readonly step?: number;
  /** 0 BEGIN, 2 CLOSE. */
  readonly type?: number;
  readonly payload?: string;
}

/** A line of test/peers/gateways/dancers_world.py: numbers of each agent. */
export type AgentLine = Readonly<Record<string, readonly number[]>>;

/** Options of test/peers/gateways/dancers_side.py. */
export type SideOptions = Readonly<Record<string, unknown>>;

/** A lab with a configuration of DANCERS. */
export interface DancersLab {
  readonly lab: TestLab;
  readonly config: string;
  /** Addresses as a Python side takes them. */
  readonly addresses: Readonly<Record<'physics' | 'network', string | readonly [string, number]>>;
  readonly startGateway: (...flags: string[]) => ChildProgram;
  /** A simulation of test/peers/gateways/dancers_world.py. */
  readonly startWorld: (
    role: 'physics' | 'network' | 'pilot',
    options: SideOptions,
  ) => GatewayClient<AgentLine>;
  readonly startSide: (
    name: 'physics' | 'network',
    options?: SideOptions,
  ) => GatewayClient<SeenBySide>;
}

const usual = {
  sync_window: 100_000,
  phy_step_size: 10_000,
  net_step_size: 50_000,
  simulation_length: 0.5,
  save_compute_time: false,
};

/** To be called in a test, once. @param keys of the configuration that differ from the usual ones */
export async function openDancersLab(
  keys: Readonly<Record<string, unknown>> = {},
  sockets: 'uds' | 'tcp' = 'uds',
): Promise<DancersLab> {
  const lab = openTestLab();
  const folder = temporaryFolder();
  const port = await freePorts(2);
  const paths = { phy: path.join(folder, 'phy.uds'), net: path.join(folder, 'net.uds') };
  const all = {
    ...usual,
    phy_use_uds: sockets === 'uds',
    net_use_uds: sockets === 'uds',
    phy_uds_server_address: paths.phy,
    net_uds_server_address: paths.net,
    phy_ip_server_address: '127.0.0.1',
    net_ip_server_address: '127.0.0.1',
    phy_ip_server_port: port,
    net_ip_server_port: port + 1,
    ...keys,
  };
  const config = path.join(folder, 'run.yaml');
  const lines = Object.entries(all).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  writeFileSync(config, lines.join(''));
  const addresses: DancersLab['addresses'] =
    sockets === 'uds'
      ? { physics: paths.phy, network: paths.net }
      : { physics: ['127.0.0.1', port], network: ['127.0.0.1', port + 1] };
  return {
    lab,
    config,
    addresses,
    startGateway: (...flags) =>
      startCommand(lab.uri, 'gateway', 'dancers', `--config=${config}`, ...flags),
    startWorld: (role, options) =>
      startClient('dancers_world.py', {
        role,
        address: addresses[role === 'physics' ? 'physics' : 'network'],
        ...options,
      }),
    startSide: (name, options = {}) =>
      startClient('dancers_side.py', { address: addresses[name], ...options }),
  };
}
