import { createHash } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { effectOf } from '../../scripts/spec/effect.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../scripts/spec/model.ts';
import { Table } from '../../src/sandbox/data/table.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import fc, { samples } from '../fast-check.ts';
import { send } from './raw.ts';
import { start } from './support.ts';

const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
const writing = operations.filter(({ operation }) => effectOf(operation).kind !== 'read');

afterEach(() => vi.restoreAllMocks());

const byId = new Map(writing.map((operation) => [operation.operationId, operation]));

/** Hashes all data, including the order of records. */
function hash(sandbox: Sandbox): string {
  return createHash('sha256').update(JSON.stringify(sandbox.snapshot())).digest('hex');
}

/** Path parameters that match a record of the seed. */
const seeded: Record<string, string> = { domain: 'shop.example.com' };

function pathOf({ base, path, parameters }: SpecOperation): string {
  return `${base}${path}`.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return seeded[name] ?? String(parameter?.example ?? 1);
  });
}

function bodiesOf({ body }: SpecOperation): unknown[] {
  const examples = Object.values(body?.examples ?? {}).map(({ value }) => value);
  return examples.length > 0 ? examples : [undefined];
}

/** Fails the write with this number. Returns a function that counts the writes. */
function failWrite(number: number): () => number {
  const put = Table.prototype.put;
  const remove = Table.prototype.delete;
  let writes = 0;
  const count = (): void => {
    writes += 1;
    if (writes === number) throw new Error('A failure in the middle');
  };
  vi.spyOn(Table.prototype, 'put').mockImplementation(function (this: Table<number, object>, entry) {
    count();
    return put.call(this, entry);
  });
  vi.spyOn(Table.prototype, 'delete').mockImplementation(function (this: Table<number, object>, key) {
    count();
    return remove.call(this, key as number);
  });
  return () => writes;
}

test.each(writing.map((operation) => [operation.operationId, operation] as const))(
  'an exception at any write of %s changes nothing',
  async (_, operation) => {
    for (const body of bodiesOf(operation)) {
      for (let number = 1; number < 50; number += 1) {
        const { sandbox } = start();
        const before = hash(sandbox);
        const writes = failWrite(number);
        const sent = send(sandbox, `${operation.method} ${pathOf(operation)}`, { body });
        const failure = await sent.then(
          () => undefined,
          (error: unknown) => error,
        );
        const isReached = writes() >= number;
        vi.restoreAllMocks();
        expect(failure instanceof Error).toBe(isReached);
        if (!isReached) break;
        expect(hash(sandbox)).toBe(before);
      }
    }
  },
);

test('an exception while writing the response changes nothing', async () => {
  const { sandbox } = start();
  const before = hash(sandbox);
  const body = JSON.stringify({ pipelineId: 1, stepId: 11, name: 'Renewal' });
  const stringify = vi.spyOn(JSON, 'stringify').mockImplementation(() => {
    throw new RangeError('Maximum call stack size exceeded');
  });
  await expect(send(sandbox, 'POST /crm/v1/deals', { body })).rejects.toThrow(RangeError);
  stringify.mockRestore();
  expect(hash(sandbox)).toBe(before);
  await send(sandbox, 'POST /crm/v1/deals', { body });
  expect(sandbox.state.crm.deals.get(10_001)).toBeDefined();
});

test('a rejected request changes nothing, whatever the operation, depth and size', async () => {
  const { sandbox } = start();
  let [taken, rejected] = [0, 0];
  const hostile = fc.oneof(
    fc.nat(5_000).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
    fc.nat(5_000).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
    fc.nat(20_000).map((length) => `[${Array(length + 1).fill('1')}]`),
    fc.constantFrom('1e999', '""', 'null', '{}', '-0', '"\\ud800"', '99999999999999999999', '[[]]'),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...byId.keys()), hostile, fc.nat(), fc.boolean(), async (id, value, at, far) => {
      const operation = byId.get(id) ?? expect.fail();
      // Replace one field of a valid body with the hostile value.
      const [example = {}] = bodiesOf(operation);
      const fields = Object.entries(Object(example)).map(([name, one]) => [name, JSON.stringify(one)]);
      if (fields.length > 0) fields[at % fields.length] = [fields[at % fields.length]?.[0] ?? '', value];
      const body = `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`)}}`;
      sandbox.restore({ clock: { frozenAt: Date.UTC(far ? 9998 : 2026, 11, 31), ahead: 0 } });
      const before = hash(sandbox);
      const answer = await send(sandbox, `${operation.method} ${pathOf(operation)}`, { body }).catch(() => undefined);
      taken += 1;
      if (answer?.ok) return;
      rejected += 1;
      expect(hash(sandbox)).toBe(before);
    }),
    { numRuns: samples(50) },
  );
  expect(rejected / taken).toBeGreaterThan(0.3);
});

test('stores all of 125,000 emails in one body, or none', async () => {
  const { sandbox } = start();
  const before = hash(sandbox);
  const emails = Array.from({ length: 125_000 }, (_, index) => ({ email: `a${index}@example.com` }));
  const response = await send(sandbox, 'POST /crm/v1/contacts/3001/emails', { body: { emails } });
  if (response.ok) expect(sandbox.state.crm.contacts.get(3001)?.emails).toHaveLength(125_001);
  else expect(hash(sandbox)).toBe(before);
});

test('no operation mutates a stored record', async () => {
  for (const operation of writing) {
    const { sandbox } = start();
    freeze(sandbox.snapshot());
    for (const body of bodiesOf(operation)) {
      await send(sandbox, `${operation.method} ${pathOf(operation)}`, { body });
      freeze(sandbox.snapshot());
    }
  }
});

/** Freezes a value, so that any write to it throws. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
