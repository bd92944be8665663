import { expect, it } from 'vitest';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';
import { askPrism } from '../support/prism.ts';

// Prism's own command knows no base path and one file only; for those who know it, it works nonetheless.
it.each(specNames)('npx prism mock spec/%s.yaml serves the spec', async (name) => {
  const operation = listOperations(loadSpec(name)).find(({ key }) => /^GET [^{]+$/.test(key));
  if (!operation) return expect.unreachable();
  const [reply] = Object.values(operation.success.examples);
  expect(await askPrism(repositoryRoot, `spec/${name}.yaml`, operation)).toEqual([200, reply?.value]);
});
