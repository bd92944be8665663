import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';
import { askPrism, askPrismDynamically, startPrism } from '../support/prism.ts';
import { expectNoSpec, firstBody, urlOf } from '../support/spec-requests.ts';

// Prism's own command ignores the base path and serves only one file, but works for its users.
describe.each(specNames)('npx @stoplight/prism-cli mock spec/%s.yaml', (name) => {
  const operations = listOperations(loadSpec(name));
  let prism: Awaited<ReturnType<typeof startPrism>>;
  beforeAll(async () => {
    prism = await startPrism(repositoryRoot, `spec/${name}.yaml`);
  });
  afterAll(() => prism?.end());

  it('serves the spec', async () => {
    const operation = operations.find(({ key }) => /^GET [^{]+$/.test(key));
    if (!operation) return expect.unreachable();
    const [response] = Object.values(operation.success.examples);
    expect(await askPrism(prism.url, operation)).toEqual([200, response?.value]);
  });

  it('creates dynamic responses without parts of the spec', async () => {
    const requests = operations.map((operation) => ({
      id: operation.operationId,
      method: operation.method,
      // Prism ignores the base path.
      path: urlOf(operation).slice(operation.base.length),
      ...firstBody(operation),
    }));
    const responses = await askPrismDynamically(prism.url, requests);
    expect(responses).toHaveLength(requests.length);
    for (const { id, status, text } of responses) {
      expect([id, status < 500, status]).toEqual([id, true, status]);
      expectNoSpec(id, text);
    }
  });
});
