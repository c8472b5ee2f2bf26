import { parseDocument } from 'yaml';
import { z } from 'zod';

import { printable } from '../../../core/index.js';
import { HlcError } from '../../../errors/index.js';

/** Where a coordinator listens for one side. */
export type SideAddress =
  | { readonly kind: 'uds'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** One side of a DANCERS run. */
export interface SideConfig {
  readonly address: SideAddress;
  /** Simulated time between two messages, microseconds. */
  readonly stepUs: number;
}

/** The keys of a DANCERS configuration that its coordinator reads. */
export interface DancersConfig {
  /** Simulated time between two exchanges of payloads, microseconds; a multiple of both steps. */
  readonly windowUs: number;
  readonly physics: SideConfig;
  readonly network: SideConfig;
  /** Simulated time at the end of the run, seconds; 0: no end. */
  readonly lengthS: number;
  /** Maximum ratio of simulated time to real time; undefined: no limit. */
  readonly realTimeFactor: number | undefined;
}

/** A text of YAML and its name for messages. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
}

/** Units of the configuration. */
export const usPerMs = 1000;
export const usPerS = 1_000_000;

const longestValue = 100;
/** A small file with aliases of aliases can stand for a huge one. */
const mostAliases = 100;
const mappingSchema = z.record(z.string(), z.unknown());
/** Bytes of the longest path of a local socket (Linux, unix(7): 108 with the NUL). */
const longestSocketPath = 107;
/** A day, microseconds. */
const longestStepUs = 86_400_000_000;
const longestRunS = 31_536_000;

interface Rule<T> {
  readonly schema: z.ZodType<T>;
  /** Completes the sentence "it must be …". */
  readonly text: string;
}

const stepRule: Rule<number> = {
  schema: z.int().min(1).max(longestStepUs),
  text: `a whole number of microseconds from 1 to ${longestStepUs}`,
};
const lengthRule: Rule<number> = {
  schema: z.number().min(0).max(longestRunS),
  text: `a number of seconds from 0 to ${longestRunS} (0: no end)`,
};
const factorRule: Rule<number | undefined> = {
  schema: z.number().min(0.001).max(1_000_000).optional(),
  text: 'a number from 0.001 to 1000000; leave the key out for full speed',
};
/** The words of YAML 1.1, which the original's library accepts. */
const words: Readonly<Record<string, boolean>> = {
  yes: true,
  y: true,
  on: true,
  no: false,
  n: false,
  off: false,
};
const booleanRule: Rule<boolean> = {
  schema: z.preprocess(
    (value) => (typeof value === 'string' ? (words[value.toLowerCase()] ?? value) : value),
    z.boolean(),
  ),
  text: 'true or false',
};
const pathRule: Rule<string> = {
  schema: z
    .string()
    .regex(/^[^\p{Cc}]+$/u)
    .refine((path) => new TextEncoder().encode(path).length <= longestSocketPath),
  text: `a path of at most ${longestSocketPath} bytes`,
};
const hostRule: Rule<string> = {
  schema: z.ipv4(),
  text: 'an IPv4 address of this machine, for example 127.0.0.1',
};
const portRule: Rule<number> = {
  schema: z.int().min(1).max(65_535),
  text: 'a port from 1 to 65535',
};

/**
 * Reads the keys of a coordinator from a DANCERS configuration. Other keys belong to the simulators.
 * @throws HlcError `HLC_DANCERS_CONFIG`, which names key, value and rule.
 */
export function parseDancersConfig(file: ConfigFile): DancersConfig {
  const keys = new Keys(file);
  const windowUs = keys.value('sync_window', stepRule);
  const side = (name: 'phy' | 'net'): SideConfig => {
    const stepKey = `${name}_step_size`;
    const stepUs = keys.value(stepKey, stepRule);
    if (windowUs % stepUs !== 0) {
      throw keys.refused(stepKey, String(stepUs), `a divisor of sync_window (${windowUs})`);
    }
    return { address: addressOf(keys, name), stepUs };
  };
  const config = {
    windowUs,
    physics: side('phy'),
    network: side('net'),
    lengthS: keys.value('simulation_length', lengthRule),
    realTimeFactor: keys.value('real_time_factor', factorRule),
  };
  const { physics, network } = config;
  if (textOf(physics.address) === textOf(network.address)) {
    throw keys.refused(
      network.address.kind === 'uds' ? 'net_uds_server_address' : 'net_ip_server_port',
      textOf(network.address),
      'another address than that of the physics side',
    );
  }
  return config;
}

/** An address for messages: a path, or address and port. */
export function textOf(address: SideAddress): string {
  return address.kind === 'uds' ? address.path : `${address.host}:${address.port}`;
}

function addressOf(keys: Keys, name: 'phy' | 'net'): SideAddress {
  if (keys.value(`${name}_use_uds`, booleanRule)) {
    return { kind: 'uds', path: keys.value(`${name}_uds_server_address`, pathRule) };
  }
  return {
    kind: 'tcp',
    host: keys.value(`${name}_ip_server_address`, hostRule),
    port: keys.value(`${name}_ip_server_port`, portRule),
  };
}

/** The keys of a file, each with its rule. */
class Keys {
  readonly #path: string;
  readonly #values: Readonly<Record<string, unknown>>;

  constructor({ path, text }: ConfigFile) {
    this.#path = path;
    let values: unknown;
    try {
      const document = parseDocument(text, { prettyErrors: false });
      const [error] = document.errors;
      if (error !== undefined) {
        const line = text.slice(0, error.pos[0]).split('\n').length;
        throw new Error(`line ${line}: ${error.message}`);
      }
      values = document.toJS({ maxAliasCount: mostAliases });
    } catch (error) {
      throw this.#unusable(`${(error as Error).message}; correct the YAML`);
    }
    const mapping = mappingSchema.safeParse(values);
    if (!mapping.success) {
      throw this.#unusable('it must be lines of the form "key: value"');
    }
    this.#values = mapping.data;
  }

  value<T>(key: string, { schema, text }: Rule<T>): T {
    const value = this.#values[key] ?? undefined;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    if (value === undefined) {
      throw this.#unusable(`the key "${key}" is missing; it must be ${text}`);
    }
    throw this.refused(key, JSON.stringify(value), text);
  }

  refused(key: string, value: string, rule: string): HlcError {
    return this.#unusable(
      `the key "${key}" is ${printable(value, longestValue)}; it must be ${rule}`,
    );
  }

  #unusable(cause: string): HlcError {
    return new HlcError('HLC_DANCERS_CONFIG', { path: this.#path, cause });
  }
}
