import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { scenarioSchema } from '../../../scripts/build/scenario-schema.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { faultFields } from '../../../src/sandbox/faults/fault-fields.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { readScenario, scenarioFields } from '../../../src/sandbox/world/scenarios/scenario-fields.ts';

const folder = join(repositoryRoot, 'src', 'sandbox', 'world', 'scenarios');
interface Described {
  [name: string]: { description: string; items: { properties: Described } };
}

const schema = scenarioSchema() as { properties: Described; required: string[] };
const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);

test('the schema accepts every built-in scenario, and a snapshot of the sandbox as its state', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    expect(
      isValid(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
      `${file} ${JSON.stringify(isValid.errors)}`,
    ).toBe(true);
  }
  const { state } = createSandbox({ seed: 20 }).snapshot();
  expect(isValid(JSON.parse(JSON.stringify({ name: 'all', state }))), JSON.stringify(isValid.errors)).toBe(true);
});

test('the schema and the sandbox reject the same scenarios', () => {
  const wrong = [
    {},
    { name: 'Not A Name' },
    { name: 'x', sed: 1 },
    { name: 'x', seed: 'many' },
    { name: 'x', seed: -1 },
    { name: 'x', clock: { startAt: 'tomorrow' } },
    { name: 'x', clock: { startsAt: 1 } },
    { name: 'x', faults: [{ operation: 'getDeals', status: 500 }] },
    { name: 'x', faults: [{ statuss: 500 }] },
    { name: 'x', faults: [{ status: 600 }] },
    { name: 'x', apiKeys: ['1', '2', '3', '4', '5', '6'] },
    { name: 'x', usedUpQuotas: ['getDeal'] },
    { name: 'x', state: { crm: { tag: [] } } },
    { name: 'x', state: { crm: { tags: [{ id: 'one', name: 'VIP' }] } } },
  ];
  for (const scenario of wrong) {
    expect(isValid(scenario), JSON.stringify(scenario)).toBe(false);
    expect(() => readScenario(scenario), JSON.stringify(scenario)).toThrow();
  }
});

test('each field of a scenario and of a fault is described for editors', () => {
  const described = (fields: Readonly<Record<string, { about: string }>>) =>
    Object.fromEntries(Object.entries(fields).map(([name, { about }]) => [name, about.replaceAll('`', '')]));
  const descriptions = (properties: Described = {}) =>
    Object.fromEntries(Object.entries(properties).map(([name, { description }]) => [name, description]));
  expect(descriptions(schema.properties)).toEqual(described(scenarioFields));
  expect(descriptions(schema.properties.faults?.items.properties)).toEqual(described(faultFields));
  expect(schema.required).toEqual(['name']);
});
