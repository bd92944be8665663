import { expect, test } from 'vitest';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { startAt } from '../support.ts';

const operations = listOperations(loadSpec('email'));
const requests = operations.flatMap(({ method, path, body, parameters }) => {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const examples = body ? Object.entries(body.examples) : [];
  return examples.length > 0
    ? examples.map(([name, example]): [string, string, string, unknown] => [method, filled, name, example.value])
    : [[method, filled, '', undefined] satisfies [string, string, string, unknown]];
});

test.each(requests)('%s %s of the story in spec/README.md works: %s', async (method, path, _, body) => {
  const sandbox = createSandbox({ startAt });
  const { status } = await sandbox.fetch(`https://sandbox.example.com${path}`, {
    method,
    headers: { authorization: 'Bearer any' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(status).toBe(200);
});
