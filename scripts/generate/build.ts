import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot, type SpecName, specNames } from '../spec/files.ts';
import { loadSpec } from '../spec/model.ts';
import { modelSpec, type SpecModel } from './model/operation-model.ts';
import type { Output } from './output.ts';
import { generateBehaviour } from './outputs/behaviour.ts';
import { packageLinks, renderLlms, renderLlmsFull } from './outputs/llms.ts';
import { generateMethods } from './outputs/methods.ts';
import { generateModels } from './outputs/models.ts';
import { generateOperations } from './outputs/operation-table.ts';
import { generateProducts } from './outputs/products.ts';
import { generateQueries } from './outputs/queries.ts';
import { generateReference } from './outputs/reference.ts';
import { generateTypes } from './outputs/types.ts';
import { generateUnsupported } from './outputs/unsupported.ts';
import { generateZod } from './outputs/zod.ts';

/** File for a spec → its generator. */
const generators: Record<string, (model: SpecModel) => string | Promise<string>> = {
  'models.ts': generateModels,
  'types.ts': generateTypes,
  'operations.ts': generateOperations,
  'methods.ts': generateMethods,
  'queries.ts': generateQueries,
  'zod.ts': generateZod,
  'reference.ts': generateReference,
  'behaviour.ts': generateBehaviour,
};

/** Builds everything in memory, so that a failure leaves all files unchanged. */
export async function buildOutput(names: readonly SpecName[] = specNames): Promise<Output> {
  const output: Output = new Map();
  const models = names.map((name) => modelSpec(loadSpec(name)));
  for (const model of models) {
    for (const [file, generate] of Object.entries(generators)) {
      output.set(join(model.spec.name, file), await generate(model));
    }
  }
  for (const [file, text] of generateProducts(models)) output.set(file, text);
  output.set('unsupported.ts', generateUnsupported());
  output.set('llms.txt', renderLlms(models, packageLinks));
  output.set('llms-full.txt', renderLlmsFull(models));
  return formatOutput(output);
}

/** Formats all generated TypeScript in one run of the project's formatter, so that generators can ignore layout. */
function formatOutput(output: Output): Output {
  // Biome looks for biome.json in parent folders, so the files must be inside the repository.
  const cache = join(repositoryRoot, '.cache');
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, 'format-'));
  const sources = [...output.keys()].filter((file) => file.endsWith('.ts'));
  try {
    for (const file of sources) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), output.get(file) ?? '');
    }
    const biome = join(repositoryRoot, 'node_modules', '.bin', 'biome');
    execFileSync(biome, ['format', '--write', '--vcs-enabled=false', '--files-max-size=10000000', directory], {
      cwd: repositoryRoot,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return new Map(
      [...output].map(([file, text]) => [
        file,
        file.endsWith('.ts') ? readFileSync(join(directory, file), 'utf8') : text,
      ]),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
