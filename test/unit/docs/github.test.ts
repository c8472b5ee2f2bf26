import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const stepSchema = z.object({ uses: z.string().optional(), run: z.string().optional() });

const workflowSchema = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), z.object({ steps: z.array(stepSchema).min(1) })),
});

/** The parts of GitHub's issue forms that are used. */
const formSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  labels: z.array(z.string()),
  body: z.array(
    z.strictObject({
      type: z.enum(['input', 'textarea']),
      id: z.string().regex(/^[a-z_]+$/),
      attributes: z.strictObject({
        label: z.string(),
        description: z.string(),
        render: z.string().optional(),
      }),
      validations: z.strictObject({ required: z.boolean() }).optional(),
    }),
  ),
});

function yamlOf(file: string): unknown {
  return parse(readFileSync(path.join('.github', file), 'utf8'));
}

describe('.github/workflows', () => {
  const files = readdirSync('.github/workflows');

  it.each(files)('%s is a workflow with actions pinned to a major version', (file) => {
    const { jobs } = workflowSchema.parse(yamlOf(`workflows/${file}`));
    const uses = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap((step) => step.uses ?? []),
    );
    expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@v\d+$/.test(action))).toEqual([]);
  });

  it('runs what .ci/run runs', () => {
    const { jobs } = workflowSchema.parse(yamlOf('workflows/ci.yml'));
    expect(jobs.test?.steps.map(({ run }) => run)).toContain('.ci/run');
  });
});

describe('.github/ISSUE_TEMPLATE', () => {
  const forms = readdirSync('.github/ISSUE_TEMPLATE').filter((file) => file !== 'config.yml');

  it.each(forms)('%s is an issue form', (file) => {
    expect(() => formSchema.parse(yamlOf(`ISSUE_TEMPLATE/${file}`))).not.toThrow();
  });
});
