import { HlcError } from '../../errors/index.js';
import { shorten } from '../sources/assignment.js';
import type { Environment } from '../sources/environment.js';
import type { GivenValues } from '../sources/merge-sources.js';
import type { RunConfig } from './run-config.js';
import type { RunValues } from '../options/run-schema.js';

/** The domain of every ROS 2 program of a shell. */
const ROS_DOMAIN_VARIABLE = 'ROS_DOMAIN_ID';
const HIGHEST_DOMAIN = 232;

/**
 * Transport and domain of each side. With both sides on ROS 2, one variable cannot name two domains,
 * and the defaults hold.
 * @throws HlcError `HLC_CONFIG_SAME_DOMAIN`, `HLC_CONFIG_MIXED_DOMAIN`, `HLC_CONFIG_ROS_DOMAIN`.
 */
export const resolveDomains = (
  values: RunValues,
  given: GivenValues,
  environment: Environment,
): Pick<RunConfig, 'labTransport' | 'controllerTransport' | 'ddsDomain' | 'domainNumber'> => {
  const labTransport = values.labTransport ?? values.transport;
  const controllerTransport = values.controllerTransport ?? values.transport;
  const mixed = labTransport !== controllerTransport;
  const domainOf = (key: 'ddsDomain' | 'domainNumber', transport: string): number =>
    mixed && transport === 'ros2' && !given.has(key)
      ? (rosDomain(environment) ?? values[key])
      : values[key];
  const ddsDomain = domainOf('ddsDomain', labTransport);
  const domainNumber = domainOf('domainNumber', controllerTransport);
  if (ddsDomain === domainNumber) {
    const code = mixed ? 'HLC_CONFIG_MIXED_DOMAIN' : 'HLC_CONFIG_SAME_DOMAIN';
    throw new HlcError(code, { domainId: ddsDomain });
  }
  return { labTransport, controllerTransport, ddsDomain, domainNumber };
};

const rosDomain = (environment: Environment): number | undefined => {
  const text = environment[ROS_DOMAIN_VARIABLE] ?? '';
  if (text === '') return undefined;
  const domain = /^\d{1,3}$/.test(text) ? Number(text) : Infinity;
  if (domain > HIGHEST_DOMAIN)
    throw new HlcError('HLC_CONFIG_ROS_DOMAIN', { value: shorten(text) });
  return domain;
};
