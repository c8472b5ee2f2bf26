import { HlcError } from '../../errors/index.js';
import { describeAssignment, shorten, type Origin } from '../sources/assignment.js';
import type { Environment } from '../sources/environment.js';
import { conflict, type GivenValues } from '../sources/merge-sources.js';
import type { RunOptionKey } from '../options/run-options.js';
import type { RunValues } from '../options/run-schema.js';
import type { SideKind, SideSettings } from './run-config.js';

type SideName = 'lab' | 'controller';

/** The kind of both sides. */
export type SideKinds = Readonly<Record<SideName, SideKind>>;

/** The domain of every ROS 2 program of a shell. */
const rosDomainVariable = 'ROS_DOMAIN_ID';
const highestDomain = 232;

/** The most binding origin first, as sources are merged. */
const bindingOrder: readonly Origin['kind'][] = ['flag', 'parameter', 'variable', 'file', 'preset'];

/**
 * The kind of both sides, by `--lab-side` and `--controller-side` or by the older flags of transport
 * and naming. A flag of one side overrides the flags of both sides.
 * @throws HlcError `HLC_CONFIG_CONFLICT`.
 */
export function resolveSideKinds(values: RunValues, given: GivenValues): SideKinds {
  return { lab: sideKind('lab', values, given), controller: sideKind('controller', values, given) };
}

function sideKind(side: SideName, values: RunValues, given: GivenValues): SideKind {
  const named = given.get(`${side}Side`);
  const older = ([`${side}Transport`, `${side}Naming`] as const).flatMap(
    (key) => given.get(key) ?? [],
  );
  const kind = values[`${side}Side`];
  if (named === undefined || kind === undefined) return kindByOlderFlags(side, values, given);
  const [first] = older.sort((a, b) => rankOf(a.origin) - rankOf(b.origin));
  if (first === undefined || rankOf(first.origin) > rankOf(named.origin)) return kind;
  const olderKind = kindByOlderFlags(side, values, given);
  if (olderKind === kind || rankOf(first.origin) < rankOf(named.origin)) return olderKind;
  throw conflict(named, first);
}

function rankOf({ kind }: Origin): number {
  return bindingOrder.indexOf(kind);
}

/** A ROS 2 node has no other names than those of ROS 2. */
function kindByOlderFlags(side: SideName, values: RunValues, given: GivenValues): SideKind {
  const transport = values[`${side}Transport`] ?? values.transport;
  const naming = values[`${side}Naming`] ?? values.naming ?? transport;
  if (transport === 'dds') return naming;
  if (naming === 'ros2') return 'rclnodejs';
  throw new HlcError('HLC_CONFIG_CONFLICT', {
    first: firstOf(given, [`${side}Transport`, 'transport']),
    second: firstOf(given, [`${side}Naming`, 'naming']),
  });
}

/** The first of these options that was given, as it was written. */
function firstOf(given: GivenValues, keys: readonly RunOptionKey[]): string {
  return keys.flatMap((key) => given.get(key) ?? []).map(describeAssignment)[0] ?? '';
}

/**
 * Both sides with their domains. With both sides in rclnodejs, one variable cannot name two domains,
 * and the defaults hold.
 * @throws HlcError `HLC_CONFIG_SAME_DOMAIN`, `HLC_CONFIG_MIXED_DOMAIN`, `HLC_CONFIG_ROS_DOMAIN`.
 */
export function resolveSides(
  kinds: SideKinds,
  values: RunValues,
  given: GivenValues,
  environment: Environment,
): { readonly lab: SideSettings; readonly controller: SideSettings } {
  const mixed = (kinds.lab === 'rclnodejs') !== (kinds.controller === 'rclnodejs');
  const domainOf = (key: 'ddsDomain' | 'domainNumber', kind: SideKind): number =>
    mixed && kind === 'rclnodejs' && !given.has(key)
      ? (rosDomain(environment) ?? values[key])
      : values[key];
  const lab = {
    kind: kinds.lab,
    domainId: domainOf('ddsDomain', kinds.lab),
    ...networkOf(kinds.lab, values),
  };
  const controller = {
    kind: kinds.controller,
    domainId: domainOf('domainNumber', kinds.controller),
    ...networkOf(kinds.controller, values),
  };
  if (lab.domainId === controller.domainId) {
    const code = mixed ? 'HLC_CONFIG_MIXED_DOMAIN' : 'HLC_CONFIG_SAME_DOMAIN';
    throw new HlcError(code, { domainId: lab.domainId });
  }
  return {
    lab: { ...lab, initialPeers: values.ddsInitialPeer ?? [] },
    controller: { ...controller, initialPeers: [] },
  };
}

/** Nodes of ROS 2 announce the address of a network card, also those that stay on this machine. */
function networkOf(
  kind: SideKind,
  { interface: networkInterface, localAddresses }: RunValues,
): Pick<SideSettings, 'networkInterface' | 'localAddresses'> {
  return {
    networkInterface,
    localAddresses: localAddresses ?? (kind === 'ros2' || kind === 'both' ? 'all' : 'loopback'),
  };
}

function rosDomain(environment: Environment): number | undefined {
  const text = environment[rosDomainVariable] ?? '';
  if (text === '') return undefined;
  const domain = /^\d{1,3}$/.test(text) ? Number(text) : Infinity;
  if (domain > highestDomain) throw new HlcError('HLC_CONFIG_ROS_DOMAIN', { value: shorten(text) });
  return domain;
}
