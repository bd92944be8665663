import { expect, test } from 'vitest';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';
import type { Sandbox, SnapshotInput } from '../../src/sandbox/index.ts';
import { urlOf } from '../support/spec-requests.ts';
import { send } from './raw.ts';
import { start } from './support.ts';

const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
const writing = operations.filter(({ operation }) => operation['x-effect'] !== 'read');

/** A snapshot like a hand-written one, without the counters of new IDs. */
function withoutCounters({ state }: SnapshotInput): SnapshotInput {
  const [crm, messaging, email] = [state?.crm, state?.messaging, state?.email];
  return {
    state: {
      crm: { ...crm, settings: {} },
      messaging: { ...messaging, settings: {} },
      email: { ...email, settings: {} },
    },
  };
}

function countersOf({ state: { crm, messaging, email } }: Sandbox): number[] {
  return [crm, messaging, email].map(({ settings }) => Number(settings.save().nextId));
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
