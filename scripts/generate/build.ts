import { join } from 'node:path';
import { type SpecName, specNames } from '../spec/files.ts';
import { loadSpec, type Spec } from '../spec/model.ts';
import { generateHandlers } from './handlers.ts';
import { generateMethods } from './methods.ts';
import { generateModels } from './models.ts';
import { generateOperations } from './operations.ts';
import { generatePaths } from './paths.ts';
import { generateReport } from './report.ts';
import { generateToken, hasTokenOperation } from './token.ts';
import { generateTypes } from './types.ts';
import { generateValidators } from './validators.ts';

/** Path below `generated/` → content. */
export type Output = Map<string, string>;

const generators: Record<string, (spec: Spec) => string | Promise<string>> = {
  'types.ts': generateTypes,
  'paths.ts': generatePaths,
  'operations.ts': generateOperations,
  'models.ts': generateModels,
  'methods.ts': generateMethods,
  'handlers.ts': generateHandlers,
  'validators.ts': generateValidators,
  'report.txt': generateReport,
};

/** Everything that is generated, in memory: a failure leaves what is on the disk as it was. */
export async function buildOutput(names: readonly SpecName[] = specNames): Promise<Output> {
  const output: Output = new Map();
  for (const spec of names.map((name) => loadSpec(name))) {
    for (const [file, generate] of Object.entries(generators)) {
      output.set(join(spec.name, file), await generate(spec));
    }
    if (hasTokenOperation(spec)) output.set(join(spec.name, 'token.ts'), generateToken(spec));
  }
  return output;
}
