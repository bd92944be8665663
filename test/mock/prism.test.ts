import { expect, it } from 'vitest';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';
import { askPrism, askPrismDynamically } from '../support/prism.ts';
import { expectNoSpec, firstBody, urlOf } from '../support/spec-requests.ts';

// Prism's own command knows no base path and one file only; for those who know it, it works nonetheless.
it.each(specNames)('npx prism mock spec/%s.yaml serves the spec', async (name) => {
  const operation = listOperations(loadSpec(name)).find(({ key }) => /^GET [^{]+$/.test(key));
  if (!operation) return expect.unreachable();
  const [reply] = Object.values(operation.success.examples);
  expect(await askPrism(repositoryRoot, `spec/${name}.yaml`, operation)).toEqual([200, reply?.value]);
});

it.each(specNames)('npx prism mock spec/%s.yaml makes up replies without pieces of the spec', async (name) => {
  const requests = listOperations(loadSpec(name)).map((operation) => ({
    id: operation.operationId,
    method: operation.method,
    // Prism ignores the base path.
    path: urlOf(operation).slice(operation.base.length),
    ...firstBody(operation),
  }));
  const replies = await askPrismDynamically(repositoryRoot, `spec/${name}.yaml`, requests);
  expect(replies).toHaveLength(requests.length);
  for (const { id, status, text } of replies) {
    expect([id, status < 500, status]).toEqual([id, true, status]);
    expectNoSpec(id, text);
  }
});
