import { describe, expect, it } from 'vitest';
import { failureSamples } from '../../../../scripts/docs/facts/failures.ts';
import { modelSpec } from '../../../../scripts/generate/model/operation-model.ts';
import { specNames } from '../../../../scripts/spec/files.ts';
import { loadSpec } from '../../../../scripts/spec/model.ts';
import { findMethod } from '../../../../src/cli/catalogue/index.ts';
import * as carillon from '../../../../src/client/index.ts';
import { createSandbox } from '../../../../src/sandbox/index.ts';

const operations = specNames.flatMap((name) => modelSpec(loadSpec(name)).operations);

it('every documented error code and status of a failure has a program that causes it', () => {
  for (const operation of operations) {
    const { errors = {}, statuses = {} } = findMethod(`${operation.spec.name}.${operation.place}`) ?? {};
    const documented = [...Object.keys(errors), ...Object.keys(statuses)];
    const caused = [...failureSamples(operation).keys()];
    const place = `${operation.operationId} has a cause for each code in scripts/docs/facts/failures.ts`;
    expect(caused.sort(), place).toEqual(documented.sort());
  }
});

const samples = operations.flatMap((operation) =>
  [...failureSamples(operation)].map(([failure, program]) => [operation.operationId, failure, program] as const),
);

describe.each(samples)('%s fails with %s', (operationId, failure, program) => {
  it('by the sandbox, at its last call', async () => {
    const sandbox = createSandbox();
    const { createClient, ...others } = carillon;
    const client = () =>
      createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch });
    // The body of a module with top-level await, with the sandbox in place of its server.
    const body = program.replace(/^import .*$/m, '');
    const run = new Function('createClient', 'console', ...Object.keys(others), `return (async () => {${body}})();`);
    const error: unknown = await run(client, { log() {} }, ...Object.values(others)).then(
      () => 'it was accepted',
      (thrown: unknown) => thrown,
    );
    const { status, code } = Object(error);
    expect([String(status), code]).toContain(failure);
    expect(sandbox.requests.at(-1)?.operation).toBe(operationId);
  });
});
