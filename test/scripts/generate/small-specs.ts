import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { specNames } from '../../../scripts/spec/files.ts';
import { validFile } from '../../support/valid-spec.ts';

/** Replaces each spec of a project with the small spec of the lint's tests, with unique names. */
export function writeSmallSpecs(root: string): void {
  const text = readFileSync(validFile, 'utf8');
  // The sections that no source in the spec names.
  const rows = [0, 3, 6, 8, 9].map((section) => `| 1 §${section} | a line | \`#/info\` |\n`).join('');
  for (const name of specNames) {
    writeFileSync(join(root, 'spec', 'coverage', `${name}.md`), rows);
    const own = text
      // An operation without a credential must take client credentials, which this spec lacks.
      .replace('      security: []\n', '')
      .replaceAll(/(operationId|x-undo|operation): (?!none)(\w+)/g, `$1: $2Of${name}`)
      .replaceAll(/(- id|rule): ([\w-]+)/g, `$1: ${name}-$2`);
    writeFileSync(join(root, 'spec', `${name}.yaml`), own);
  }
  // The small specs mark no gap.
  writeFileSync(join(root, 'spec', 'gaps.yaml'), '{}\n');
  // The facts that code needs are only in the real specs.
  writeFileSync(join(root, 'scripts', 'generate', 'outputs', 'facts.ts'), 'export const readFacts = () => ({});\n');
}
