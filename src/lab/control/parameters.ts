import { ParameterCodec, ParameterType, type Parameter } from '../../messages/index.js';

/** A value with its type on the wire (`ParameterType`). */
export type ParameterValue =
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int32'; readonly value: number }
  | { readonly type: 'uint64'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'int32s'; readonly value: readonly number[] }
  | { readonly type: 'doubles'; readonly value: readonly number[] };

/** A parameter as the server answers it. */
export type ServedParameter = ParameterValue & {
  /** How many requests go unanswered first; default 0. */
  readonly unansweredRequests?: number;
};

/**
 * The parameters that the original middleware asks for (CPM Lab, `parameters.yaml`).
 * @param periodMs The period, ms; the lab's default is 400.
 * @param activeVehicleIds Vehicles to aggregate, 0 to 255.
 */
export function middlewareParameters(
  periodMs: bigint,
  activeVehicleIds: readonly number[],
): Record<string, ServedParameter> {
  return {
    middleware_period_ms: { type: 'uint64', value: periodMs },
    active_vehicle_ids: { type: 'int32s', value: activeVehicleIds },
  };
}

/** The sample that carries a parameter. */
export function parameterMessage(name: string, parameter: ParameterValue): Parameter {
  const message = { ...ParameterCodec.zero(), name };
  switch (parameter.type) {
    case 'bool':
      return { ...message, type: ParameterType.Bool, value_bool: parameter.value };
    case 'int32':
      return { ...message, type: ParameterType.Int32, values_int32: [parameter.value] };
    case 'uint64':
      return { ...message, type: ParameterType.UInt64, value_uint64_t: parameter.value };
    case 'double':
      return { ...message, type: ParameterType.Double, values_double: [parameter.value] };
    case 'string':
      return { ...message, type: ParameterType.String, value_string: parameter.value };
    case 'int32s':
      return { ...message, type: ParameterType.Vector_Int32, values_int32: [...parameter.value] };
    case 'doubles':
      return { ...message, type: ParameterType.Vector_Double, values_double: [...parameter.value] };
  }
}

/** What the parameter server knows. Requests for other names go unanswered, as in the lab. */
export class ParameterTable {
  readonly #rows = new Map<string, { parameter: ServedParameter; requests: number }>();

  /**
   * Adds or changes a parameter; its requests are counted anew.
   * @throws RangeError when the value does not fit its type.
   */
  set(name: string, parameter: ServedParameter): void {
    ParameterCodec.encode(parameterMessage(name, parameter));
    this.#rows.set(name, { parameter, requests: 0 });
  }

  /** A program requests a parameter. @returns undefined when the request goes unanswered. */
  request(name: string): Parameter | undefined {
    const row = this.#rows.get(name);
    if (row === undefined) return undefined;
    row.requests++;
    const { unansweredRequests = 0 } = row.parameter;
    return row.requests > unansweredRequests ? parameterMessage(name, row.parameter) : undefined;
  }
}
