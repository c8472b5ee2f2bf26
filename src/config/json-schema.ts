import { parse } from 'yaml';
import { z } from 'zod';

import { kebabCase } from './names.js';
import { effectiveDefault } from './option.js';
import { runOption, runOptionKeys } from './run-options.js';
import { runSchema } from './run-schema.js';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The JSON schema (draft 2020-12) of the configuration file. */
export const configFileSchema = (): JsonSchema => {
  const byKey = z.toJSONSchema(runSchema, { io: 'output', unrepresentable: 'any' });
  const properties: Record<string, JsonSchema> = {};
  for (const key of runOptionKeys) {
    const schema = byKey.properties?.[key];
    // A file cannot name a further file.
    if (key === 'config' || typeof schema !== 'object') continue;
    const option = runOption(key);
    const text = effectiveDefault(option);
    properties[kebabCase(key)] = {
      description: option.meaning,
      ...schema,
      ...(text === undefined ? {} : { default: defaultValue(text, schema) }),
    };
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration file of hlc-middleware',
    type: 'object',
    properties,
    additionalProperties: false,
  };
};

const defaultValue = (text: string, schema: JsonSchema): unknown => {
  if (schema.type === 'array') return parse(`[${text}]`);
  return schema.type === 'string' ? text : parse(text);
};
