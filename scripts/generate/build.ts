import { join } from 'node:path';
import { type SpecName, specNames } from '../spec/files.ts';
import { loadSpec } from '../spec/model.ts';
import { generateCatalogue } from './catalogue.ts';
import { generateDetails } from './details.ts';
import { formatOutput } from './format.ts';
import { packageLinks, renderLlms, renderLlmsFull } from './llms.ts';
import { generateMethods } from './methods.ts';
import { generateModels } from './models.ts';
import { modelSpec, type SpecModel } from './operation-model.ts';
import { generateOperations } from './operation-table.ts';
import type { Output } from './output.ts';
import { generatePaths } from './paths.ts';
import { generateQueries } from './queries.ts';
import { generateQuotas } from './quotas.ts';
import { generateReport } from './spec-report.ts';
import { generateToken } from './token.ts';
import { generateTypes } from './types.ts';
import { generateValidators } from './validators.ts';

/** File of a spec → its generator, which returns `undefined` if this spec has no such file. */
const generators: Record<string, (model: SpecModel) => string | undefined | Promise<string>> = {
  'models.ts': generateModels,
  'types.ts': generateTypes,
  'paths.ts': generatePaths,
  'operations.ts': generateOperations,
  'methods.ts': generateMethods,
  'queries.ts': generateQueries,
  'validators.ts': generateValidators,
  'details.ts': generateDetails,
  'quotas.ts': generateQuotas,
  'token.ts': generateToken,
  'catalogue.ts': generateCatalogue,
  'report.txt': generateReport,
};

/** Builds everything in memory, so that a failure does not change any file. */
export async function buildOutput(names: readonly SpecName[] = specNames): Promise<Output> {
  const output: Output = new Map();
  const models = names.map((name) => modelSpec(loadSpec(name)));
  for (const model of models) {
    for (const [file, generate] of Object.entries(generators)) {
      const text = await generate(model);
      if (text !== undefined) output.set(join(model.spec.name, file), text);
    }
  }
  output.set('llms.txt', renderLlms(models, packageLinks));
  output.set('llms-full.txt', renderLlmsFull(models));
  return formatOutput(output);
}
