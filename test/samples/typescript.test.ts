import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderExample } from '../../scripts/docs/start-page.ts';
import { deriveEnvelope } from '../../scripts/spec/envelope.ts';
import { compilePrograms } from './compile.ts';
import type { Outcome } from './run-typescript.ts';
import { typescriptSamples } from './samples.ts';

test('every TypeScript sample compiles, the example of the start page too, and a misspelt field does not', () => {
  const startPage = renderExample(typescriptSamples.map(({ operation }) => operation));
  const files = typescriptSamples.map(({ file }) => file);
  const inMemory = (name: string): string => join(import.meta.dirname, name);
  const programs = new Map([
    [inMemory('start-page.ts'), startPage],
    [inMemory('misspelt.ts'), startPage.replace('pipelineId:', 'pipelineID:')],
  ]);
  expect(compilePrograms(files, programs)).toEqual([
    expect.stringMatching(/^test\/samples\/misspelt\.ts:\d+: .*pipelineID/),
  ]);
});

describe('every TypeScript sample runs', () => {
  const outcomes = new Map<string, Outcome>();

  beforeAll(async () => {
    const program = join(import.meta.dirname, 'run-typescript.ts');
    const child = fork(program, [], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'], timeout: 90_000 });
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    child.on('message', (outcome: Outcome) => outcomes.set(outcome.name, outcome));
    const [code] = await once(child, 'close');
    expect({ code, said }).toEqual({ code: 0, said: '' });
  });

  test.for(typescriptSamples)('$name', ({ name, kind, operation, calls }) => {
    const outcome = outcomes.get(name);
    if (!outcome) throw new Error('It did not come to its turn');
    const { error, failures, requests, printed, warnings } = outcome;
    expect({ error, failures }).toEqual({ error: undefined, failures: [] });
    const { operationId, key, success } = operation;
    expect(requests.length).toBeGreaterThanOrEqual(calls);
    for (const request of requests) {
      expect(request).toMatchObject({ operation: operationId, status: Number(success.status) });
    }
    // A method without a payload has nothing to show. All others have, so the bodies of loops are run, too.
    const isSilent = kind === 'method.ts' && !deriveEnvelope(operation).payload;
    expect(printed.length).toBeGreaterThanOrEqual(isSilent ? 0 : calls);
    expect(printed).not.toContain('undefined');
    const { deprecated = false } = operation.operation;
    expect(warnings).toEqual(deprecated ? [`carillon: ${key} (${operationId}) is deprecated`] : []);
  });
});
