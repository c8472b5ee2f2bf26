import { z } from 'zod';

import { maxVehicleId } from '../../core/index.js';
import type { ValueType } from './value-types.js';

/** A value for all controllers, and other values for single ones. */
export class PerController<T> {
  constructor(
    private readonly forAll: T,
    private readonly byId: ReadonlyMap<number, T>,
    private readonly text: string,
  ) {}

  /** The value for the controller of this vehicle. */
  of(id: number): T {
    return this.byId.get(id) ?? this.forAll;
  }

  /** As written. */
  toString(): string {
    return this.text;
  }
}

const oneException = /^(0|[1-9]\d{0,2}):(.+)$/;

/**
 * A value of this type for all controllers, and after it, with commas between them, exceptions
 * for single vehicles: `stop,3:hold`.
 */
export function perController<T>(
  value: ValueType<T>,
  example: string,
): ValueType<PerController<T>> {
  return {
    ...value,
    schema: z
      .string()
      .max(8192)
      .transform((text, context) => {
        const parsed = parse(value, text);
        if (parsed !== undefined) return parsed;
        context.addIssue({ code: 'custom', message: 'not a value with exceptions' });
        return z.NEVER;
      })
      .pipe(z.instanceof<typeof PerController<T>>(PerController).meta({ type: 'string' })),
    placeholder: value.placeholder,
    rule: `${value.rule}, and after it exceptions for single vehicles with commas between them, for example ${example}`,
    range: [value.range, `for example ${example}`].filter((part) => part !== undefined).join('; '),
  };
}

function parse<T>(value: ValueType<T>, text: string): PerController<T> | undefined {
  const [first = '', ...rest] = text.split(',').map((part) => part.trim());
  const forAll = value.schema.safeParse(first);
  const byId = new Map<number, T>();
  for (const part of rest) {
    const [, digits = '', exception = ''] = oneException.exec(part) ?? [];
    const id = Number(digits);
    const one = value.schema.safeParse(exception);
    if (digits === '' || id > maxVehicleId || byId.has(id) || !one.success) return undefined;
    byId.set(id, one.data);
  }
  return forAll.success ? new PerController(forAll.data, byId, text) : undefined;
}
