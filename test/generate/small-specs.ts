import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { specNames } from '../../scripts/spec/files.ts';
import { validFile } from '../support/valid-spec.ts';

/** Puts the small spec of the lint's tests in the place of each spec of a project, with names of its own. */
export function writeSmallSpecs(root: string): void {
  const text = readFileSync(validFile, 'utf8');
  for (const name of specNames) {
    const own = text
      // An operation without a credential has to take client credentials, which this spec does not describe.
      .replace('      security: []\n', '')
      .replaceAll(/operationId: (\w+)/g, `operationId: $1Of${name}`)
      .replaceAll(/(- id|rule): ([\w-]+)/g, `$1: ${name}-$2`);
    writeFileSync(join(root, 'spec', `${name}.yaml`), own);
  }
  // They mark no gap.
  writeFileSync(join(root, 'spec', 'gaps.yaml'), '{}\n');
  // The single facts that code needs are those of the real specs.
  writeFileSync(join(root, 'scripts', 'generate', 'facts.ts'), 'export const facts = () => ({});\n');
}
