import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ZodType } from 'zod';
import { modelSpec } from '../../../../scripts/generate/model/operation-model.ts';
import { generateZod } from '../../../../scripts/generate/outputs/zod.ts';
import { repositoryRoot, specNames } from '../../../../scripts/spec/files.ts';
import { loadSpec, resolve, type Spec } from '../../../../scripts/spec/model.ts';
import type { JsonValue, Schema } from '../../../../scripts/spec/schema.ts';
import { createJudge } from '../../../support/judge.ts';

const cache = join(repositoryRoot, '.cache');

/** The generated schemas of a spec, by name. */
async function schemasOf(spec: Spec): Promise<Record<string, ZodType>> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'conditions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'zod.ts');
  await writeFile(file, await generateZod(modelSpec(spec)));
  return import(pathToFileURL(file).href);
}

const isConditioned = ({ not, if: when, dependentRequired }: Schema): boolean =>
  [not, when, dependentRequired].some((keyword) => keyword !== undefined);

/** The fields in the conditions of a schema. */
function fieldsOf({ not, if: when, then, else: otherwise, dependentRequired = {} }: Schema): string[] {
  const parts = [not, when, then, otherwise].flatMap((part) => Object.keys(part?.properties ?? {}));
  return [...new Set([...parts, ...Object.entries(dependentRequired).flat(2)])];
}

const values: (JsonValue | undefined)[] = [undefined, null, 0, 7, '', 'text', [], ['text'], [7], {}, true];

/** Every combination of some values for these fields, added to the schema's required fields. */
function* candidates(spec: Spec, schema: Schema): Generator<Record<string, JsonValue>> {
  const fields = fieldsOf(schema);
  const others = (schema.required ?? []).filter((name) => !fields.includes(name));
  const rest = Object.fromEntries(
    others.map((name) => {
      const { examples, enum: words, type, minimum } = resolve(spec.openapi, schema.properties?.[name] ?? {});
      return [name, examples?.[0] ?? words?.[0] ?? ([type].flat()[0] === 'integer' ? (minimum ?? 1) : 'now')];
    }),
  );
  const choices = fields.map((name) => {
    const words = resolve(spec.openapi, schema.properties?.[name] ?? {}).enum ?? [];
    return [...words, ...values].map((value) => [name, value] as const);
  });
  const combine = (at: number): (readonly [string, JsonValue | undefined])[][] =>
    at === choices.length
      ? [[]]
      : (choices[at] ?? []).flatMap((choice) => combine(at + 1).map((more) => [choice, ...more]));
  for (const chosen of combine(0)) {
    const given = chosen.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    yield { ...rest, ...Object.fromEntries(given) };
  }
}

async function compare(spec: Spec, name: string): Promise<{ valid: number; invalid: number }> {
  const schema = spec.openapi.components.schemas[name] ?? {};
  const zod = (await schemasOf(spec))[`z${name}`];
  const judge = createJudge(spec.openapi);
  const counts = { valid: 0, invalid: 0 };
  for (const value of candidates(spec, schema)) {
    const isValid = judge(schema, value).length === 0;
    expect([value, zod?.safeParse(value).success]).toEqual([value, isValid]);
    counts[isValid ? 'valid' : 'invalid'] += 1;
  }
  return counts;
}

const conditioned = specNames.flatMap((spec) =>
  Object.entries(loadSpec(spec).openapi.components.schemas).flatMap(([name, schema]) =>
    isConditioned(schema) ? [[spec, name] as const] : [],
  ),
);

describe('the generated validators reject exactly the values that JSON Schema rejects', () => {
  it.each(conditioned)('%s: %s, which has a condition', async (spec, name) => {
    const { valid, invalid } = await compare(loadSpec(spec), name);
    expect(Math.min(valid, invalid)).toBeGreaterThan(0);
  });

  const text: Schema = { type: 'string', description: 'A text.' };
  it.each<[form: string, conditions: Schema]>([
    ['dependentRequired', { dependentRequired: { a: ['b', 'c'] } }],
    ['not', { not: { description: 'Both are set.', required: ['a', 'b'], properties: { a: {}, b: {} } } }],
    [
      'if and then without else',
      {
        if: { required: ['a'], properties: { a: { const: 'text' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { description: 'It needs b.', required: ['b'], properties: { b: text } },
      },
    ],
  ])('%s in a made-up schema', async (_, conditions) => {
    const spec = structuredClone(loadSpec('email'));
    const properties = { a: text, b: text, c: text };
    spec.openapi.components.schemas.MadeUp = { type: 'object', description: 'Made up.', properties, ...conditions };
    const { valid, invalid } = await compare(spec, 'MadeUp');
    expect(Math.min(valid, invalid)).toBeGreaterThan(0);
  });
});

it('an undocumented condition is marked in its issue', async () => {
  const spec = structuredClone(loadSpec('email'));
  spec.openapi.components.schemas.MadeUp = {
    type: 'object',
    properties: { a: { type: 'string' } },
    not: { description: 'It has a.', 'x-inferred': 'Assumed.', required: ['a'], properties: { a: {} } },
  };
  const { zMadeUp } = await schemasOf(spec);
  expect(zMadeUp?.safeParse({ a: 'text' }).error?.issues).toMatchObject([
    { code: 'custom', message: 'Invalid input: It has a.', params: { inferred: true } },
  ]);
});
