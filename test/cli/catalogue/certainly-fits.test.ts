import { expect, it } from 'vitest';
import { certainlyFits } from '../../../src/cli/catalogue/certainly-fits.ts';
import { checkParams } from '../../../src/cli/catalogue/check-names.ts';
import { checkValues } from '../../../src/cli/catalogue/check-values.ts';
import { fieldsOf } from '../../../src/cli/catalogue/fields.ts';
import { methods } from '../../../src/cli/catalogue/index.ts';
import fc, { samples } from '../../fast-check.ts';

const value = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      0,
      1,
      2,
      3,
      -1,
      1.5,
      1e21,
      NaN,
      null,
      true,
      '',
      'a',
      '0',
      'asc',
      'id',
      '2026-01-01',
      [],
      {},
    ),
    fc.integer({ min: -5, max: 70_000 }),
    fc.nat(66_000).map((length) => 'é'.repeat(length)),
    fc.nat(300).map((length) => '🔔'.repeat(length)),
    fc.string({ maxLength: 20 }),
    fc.array(tie('tree'), { maxLength: 55 }),
    fc.record(
      { email: tie('tree'), isMain: tie('tree'), attributeId: tie('tree'), value: tie('tree'), name: tie('tree') },
      { requiredKeys: [] },
    ),
  ),
})).tree;

/** A method, and its example with some parameters replaced, left out or changed inside. */
const call = fc.constantFrom(...methods).chain((method) => {
  const names = fieldsOf(method).map(({ name }) => name);
  return fc.tuple(
    fc.constant(method),
    fc.dictionary(fc.constantFrom(...(names.length > 0 ? names : ['x']), 'own'), value, { maxKeys: 3 }),
    fc.subarray(names),
  );
});

it('whatever certainly fits is accepted by the validators', () => {
  let shortcuts = 0;
  fc.assert(
    fc.property(call, ([method, own, left]) => {
      const example = Object.fromEntries(Object.entries(method.example).filter(([name]) => left.includes(name)));
      for (const params of [{ ...example, ...own }, own, example]) {
        if (checkParams(method, params).length > 0 || !certainlyFits(method, params)) continue;
        shortcuts += 1;
        expect([method.name, params, checkValues(method, params)]).toEqual([method.name, params, []]);
      }
    }),
    { numRuns: samples(1_000) },
  );
  expect(shortcuts).toBeGreaterThan(samples(150));
});

it('is certain about the examples of most methods, so that most calls load no validators', () => {
  const certain = methods.filter((method) => certainlyFits(method, method.example));
  expect(certain.length / methods.length).toBeGreaterThan(0.8);
});

it('is certain about null in place of a value, if the spec allows it', () => {
  const method = methods.find(({ name }) => name === 'crm.pipelines.steps.create');
  if (!method) throw new Error('crm.pipelines.steps.create');
  const fits = (more: object): boolean => certainlyFits(method, { ...method.example, ...more });
  expect([fits({}), fits({ description: null }), fits({ name: null })]).toEqual([true, true, false]);
});

it.each([
  ['crm.tags.list', { name: 'a'.repeat(65) }],
  ['crm.deals.get', { dealId: 1.5 }],
  ['crm.contacts.list', { sortBy: { field: 'id' } }],
  ['crm.deals.create', { pipelineId: 1, stepId: 1, own: 1 }],
  ['crm.contacts.list', { limit: 101 }],
])('is not certain about %s with %o', (name, params) => {
  const method = methods.find((one) => one.name === name);
  expect(method && certainlyFits(method, params)).toBe(false);
});
