import { expect, test } from 'vitest';
import { productNames } from '../../generated/products.ts';
import { effectOf } from '../../scripts/spec/effect.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';
import type { Sandbox, SnapshotInput } from '../../src/sandbox/index.ts';
import { urlOf } from '../support/spec-requests.ts';
import { send } from './raw.ts';
import { start } from './support.ts';

const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
const writing = operations.filter(({ operation }) => effectOf(operation).kind !== 'read');

/** A snapshot like a hand-written one, without the counters of new IDs. */
function withoutCounters({ state }: SnapshotInput): SnapshotInput {
  return { state: Object.fromEntries(productNames.map((name) => [name, { ...state?.[name], settings: {} }])) };
}

function countersOf({ state }: Sandbox): number[] {
  return productNames.map((name) => Number(state[name].settings.save().nextId));
}

const giving: string[] = [];

test.each(writing.map((operation) => [operation.operationId, operation] as const))(
  'does not reuse IDs from %s after a snapshot without counters',
  async (id, operation) => {
    const { sandbox } = start();
    const before = countersOf(sandbox);
    const bodies = operation.body ? Object.values(operation.body.examples).map(({ value }) => value) : [undefined];
    for (const body of bodies) await send(sandbox, `${operation.method} ${urlOf(operation)}`, { body });
    const after = countersOf(sandbox);
    sandbox.restore(withoutCounters(sandbox.snapshot()));
    const isRaised = after.map((next, product) => next !== before[product]);
    if (isRaised.includes(true)) giving.push(id);
    expect(countersOf(sandbox).filter((_, product) => isRaised[product])).toEqual(
      after.filter((_, product) => isRaised[product]),
    );
  },
);

test('covers many operations', () => {
  expect(giving.length).toBeGreaterThan(15);
});
