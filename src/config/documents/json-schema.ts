import { parse } from 'yaml';
import { z } from 'zod';

import { checksKey, checkMeanings, checkNames, checkPolicies } from '../options/check-options.js';
import { kebabCase } from '../options/names.js';
import { runOption, runOptionKeys } from '../options/run-options.js';
import { runSchema } from '../options/run-schema.js';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The JSON schema (draft 2020-12) of the configuration file. */
export function configFileSchema(): JsonSchema {
  const byKey = z.toJSONSchema(runSchema, { io: 'output', unrepresentable: 'any' });
  const properties: Record<string, JsonSchema> = {};
  for (const key of runOptionKeys) {
    const schema = byKey.properties?.[key];
    // A file cannot name a further file.
    if (key === 'config' || typeof schema !== 'object') continue;
    const option = runOption(key);
    const text = option.default;
    properties[kebabCase(key)] = {
      description: option.meaning,
      ...schema,
      ...(text === undefined ? {} : { default: defaultValue(text, schema) }),
    };
  }
  properties[checksKey] = checksSchema();
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration file of hlc-middleware',
    type: 'object',
    properties,
    additionalProperties: false,
  };
}

function checksSchema(): JsonSchema {
  return {
    description: 'Policies of single checks of commands, where they differ from check-policy.',
    type: 'object',
    properties: Object.fromEntries(
      checkNames.map((name) => [
        name,
        { description: checkMeanings[name], type: 'string', enum: [...checkPolicies] },
      ]),
    ),
    additionalProperties: false,
  };
}

function defaultValue(text: string, schema: JsonSchema): unknown {
  if (schema.type === 'array') return parse(`[${text}]`);
  return schema.type === 'string' ? text : parse(text);
}
