import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { Schema } from '../spec/schema.ts';
import { header } from './header.ts';
import { source } from './literal.ts';
import type { SpecModel } from './operation-model.ts';

/**
 * `validators.ts`: zod schemas for every operation and component, by @hey-api/openapi-ts. It ignores `not`, so each `not`
 * of a component becomes a component of its own, and a refinement of the first.
 */
export async function generateValidators({ spec }: SpecModel): Promise<string> {
  const document = structuredClone(spec.document);
  const { schemas } = document.components;
  const conditions = Object.entries(schemas).flatMap(([name, { not }]) => (not ? [{ name, not }] : []));
  for (const { name, not } of conditions) schemas[forbidden(name)] = not;
  const output = await mkdtemp(join(tmpdir(), 'carillon-validators-'));
  try {
    await createClient({
      input: { ...document },
      output: { path: output, clean: false },
      plugins: ['zod'],
      logs: { level: 'silent', file: false },
    });
    const written = await readFile(join(output, 'zod.gen.ts'), 'utf8');
    const text = conditions.reduce(refine, written.replace(/^\/\/ This file is auto-generated.*\n/, ''));
    return `${header(`spec/${spec.name}.yaml`)}${text}`;
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

function forbidden(name: string): string {
  return `${name}Forbidden`;
}

/** @throws Error if the validator of the component is not an object as @hey-api/openapi-ts writes it */
function refine(text: string, { name, not }: { name: string; not: Schema }): string {
  const declaration = new RegExp(`(?<=^export const z${name} = z\\.)object(\\(\\{.*?^\\}\\))(?=;)`, 'ms');
  const message = source(`Invalid input: ${not.description}`);
  // Without `abort`, a union would report this in place of what its other branches need.
  const options = `{ error: ${message}, abort: true }`;
  const check = `.refine((value) => !z${forbidden(name)}.safeParse(value).success, ${options})`;
  if (!declaration.test(text)) throw new Error(`${name}: its validator has no place for the condition of its \`not\``);
  // A closed object would take away the fields that the condition is about.
  return text.replace(declaration, (_, fields: string) => `looseObject${fields}${check}`);
}
