import type { RosFields } from '../rclnodejs-api.js';

/** A parameter of the node and its descriptor. */
export interface ParameterEntry {
  readonly name: string;
  readonly type: ParameterType;
  /** Of this type: boolean, bigint, number, string or a list of them; undefined: not set. */
  readonly value: ParameterValue | undefined;
  readonly description: string;
  /** Completes "it must be …". */
  readonly constraints: string;
  /** Both included; for integers (bigint) and doubles (number). */
  readonly range?:
    { readonly from: bigint; readonly to: bigint } | { readonly from: number; readonly to: number };
  /**
   * Takes a new value; a throw is the reason why not. Absent: the parameter is read-only.
   */
  readonly set?: (value: ParameterValue) => void;
}

export type ParameterValue = boolean | bigint | number | string | readonly (bigint | string)[];

/** Those that the options of this program need. */
export type ParameterType =
  'bool' | 'integer' | 'double' | 'string' | 'integerArray' | 'stringArray';

/** Number (`rcl_interfaces/msg/ParameterType`) and field of each type. */
export const parameterTypes: Readonly<
  Record<ParameterType, { readonly id: number; readonly field: string }>
> = {
  bool: { id: 1, field: 'bool_value' },
  integer: { id: 2, field: 'integer_value' },
  double: { id: 3, field: 'double_value' },
  string: { id: 4, field: 'string_value' },
  integerArray: { id: 7, field: 'integer_array_value' },
  stringArray: { id: 9, field: 'string_array_value' },
};
const notSet = 0;

/** A parameter that was set. */
export interface ParameterChange {
  readonly name: string;
  readonly type: ParameterType;
  readonly value: ParameterValue;
}

/** What `set` answers for one parameter. */
interface SetResult extends RosFields {
  readonly successful: boolean;
  readonly reason: string;
}

const done: SetResult = { successful: true, reason: '' };
function refused(reason: string): SetResult {
  return { successful: false, reason };
}

/** Answers what others ask about the parameters of the node; messages as objects, no I/O. */
export class Parameters {
  readonly #entries: ReadonlyMap<string, ParameterEntry>;
  readonly #values: Map<string, ParameterValue | undefined>;
  readonly #listeners: ((change: ParameterChange) => void)[] = [];

  constructor(entries: readonly ParameterEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
    this.#values = new Map(entries.map(({ name, value }) => [name, value]));
  }

  /** Calls the listener after every parameter that is set. */
  onChanged(listener: (change: ParameterChange) => void): void {
    this.#listeners.push(listener);
  }

  /** Names below these prefixes, all without one. */
  list(prefixes: readonly string[]): readonly string[] {
    const isBelow = (name: string) =>
      prefixes.some((prefix) => name === prefix || name.startsWith(`${prefix}.`));
    return [...this.#entries.keys()].filter((name) => prefixes.length === 0 || isBelow(name));
  }

  /** `ParameterValue` messages; not set for a name that is none. */
  get(names: readonly string[]): readonly RosFields[] {
    return names.map((name) => {
      const entry = this.#entries.get(name);
      const value = this.#values.get(name);
      if (entry === undefined || value === undefined) return { type: notSet };
      const { id, field } = parameterTypes[entry.type];
      return { type: id, [field]: value };
    });
  }

  typesOf(names: readonly string[]): readonly number[] {
    return names.map((name) => {
      const entry = this.#entries.get(name);
      return entry === undefined ? notSet : parameterTypes[entry.type].id;
    });
  }

  /** `ParameterDescriptor` messages; one without a type for a name that is none. */
  describe(names: readonly string[]): readonly RosFields[] {
    return names.map((name) => {
      const entry = this.#entries.get(name);
      if (entry === undefined) return { name, type: notSet };
      return {
        name,
        type: parameterTypes[entry.type].id,
        description: entry.description,
        additional_constraints: entry.constraints,
        read_only: entry.set === undefined,
        ...rangeFields(entry.range),
      };
    });
  }

  /** Takes `Parameter` messages, one after the other. */
  set(parameters: readonly RosFields[]): readonly SetResult[] {
    return parameters.map((parameter) => this.#set(parameter));
  }

  /** Takes all of them or none; more than one that can be set at all is not possible here. */
  setAtomically(parameters: readonly RosFields[]): SetResult {
    const reasons = parameters.map((parameter) => this.#refusal(parameter));
    const refusal = reasons.find((reason) => reason !== undefined);
    if (refusal !== undefined) return refused(refusal);
    const [only, another] = parameters;
    if (another !== undefined) return refused('only one parameter can be set at a time');
    return only === undefined ? done : this.#set(only);
  }

  #set(parameter: RosFields): SetResult {
    const refusal = this.#refusal(parameter);
    if (refusal !== undefined) return refused(refusal);
    const { name, value } = readParameter(parameter);
    const entry = this.#entries.get(name);
    if (entry === undefined) return done;
    const given = value[parameterTypes[entry.type].field] as ParameterValue;
    try {
      entry.set?.(given);
    } catch (error) {
      return refused((error as Error).message);
    }
    this.#values.set(name, given);
    for (const listener of this.#listeners) listener({ name, type: entry.type, value: given });
    return done;
  }

  /** Why a parameter cannot be set; undefined when nothing is against it before its value. */
  #refusal(parameter: RosFields): string | undefined {
    const { name, value } = readParameter(parameter);
    const entry = this.#entries.get(name);
    if (entry === undefined) return `there is no parameter "${name}"`;
    if (entry.set === undefined) {
      return `"${name}" is read-only: its value holds from the start to the end of the node; start it with another one`;
    }
    return value.type === parameterTypes[entry.type].id
      ? undefined
      : `"${name}" has another type; it must be ${entry.constraints}`;
  }
}

function rangeFields(range: ParameterEntry['range']): RosFields {
  if (range === undefined) return {};
  const [fromTo, step, field] =
    typeof range.from === 'bigint'
      ? [range, 1n, 'integer_range']
      : [range, 0, 'floating_point_range'];
  return { [field]: [{ from_value: fromTo.from, to_value: fromTo.to, step }] };
}

function readParameter(parameter: RosFields): { readonly name: string; readonly value: RosFields } {
  return parameter as { name: string; value: RosFields };
}
