import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { header } from './header.ts';
import type { SpecModel } from './operation-model.ts';

/** `validators.ts`: zod schemas for every operation and component, by @hey-api/openapi-ts. */
export async function generateValidators({ spec }: SpecModel): Promise<string> {
  const output = await mkdtemp(join(tmpdir(), 'carillon-validators-'));
  try {
    await createClient({
      input: spec.file,
      output: { path: output, clean: false },
      plugins: ['zod'],
      logs: { level: 'silent', file: false },
    });
    const source = await readFile(join(output, 'zod.gen.ts'), 'utf8');
    return `${header(`spec/${spec.name}.yaml`)}${source.replace(/^\/\/ This file is auto-generated.*\n/, '')}`;
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}
