import { expect, it } from 'vitest';
import { exampleProgram } from '../../../../scripts/docs/pages/home.ts';
import { modelSpec } from '../../../../scripts/generate/model/operation-model.ts';
import { loadSpec } from '../../../../scripts/spec/model.ts';
import { createClient } from '../../../../src/client/index.ts';
import { createSandbox } from '../../../../src/sandbox/index.ts';

const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;

it('the program of the start page prints what the page shows', async () => {
  const operation = modelSpec(loadSpec('crm')).operations.find(({ operationId }) => operationId === 'createDeal');
  if (!operation) throw new Error('There is no createDeal');
  const { program, output } = exampleProgram(operation);
  const printed: unknown[] = [];
  const run = new AsyncFunction('createClient', 'createSandbox', 'console', program.replace(/^import .*$/gm, ''));
  await run(createClient, createSandbox, { log: (value: unknown) => printed.push(value) });
  expect(printed).toEqual([new Function(`return ${output}`)()]);
});
