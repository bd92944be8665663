import { describe, expect, onTestFinished, test } from 'vitest';
import { effectOf } from '../../../scripts/spec/effect.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../../scripts/spec/model.ts';
import { flatFields, sdkOf } from '../../../scripts/spec/parameters.ts';
import { createClient } from '../../../src/client/index.ts';
import { createQuery } from '../../../src/client/query/index.ts';

const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));

type Run = (input: unknown) => Promise<unknown>;
interface Factory {
  key: string[];
  stale: string[][];
  options(params?: object): { queryKey: unknown[]; queryFn: Run; retry: unknown };
  infinite(params?: object): { queryKey: unknown[]; queryFn: Run; retry: unknown };
  mutation(): { mutationKey: unknown[]; mutationFn: Run; retry: unknown };
}

/** Factories over a client whose requests end only by their signal, or with the test. */
function record() {
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const seen: { url: string; method: string | undefined; body: unknown; signal: AbortSignal | null | undefined }[] = [];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    maxRetries: 0,
    logger: { warn: () => undefined },
    fetch: (url, { method, body, signal }) =>
      new Promise((_, reject) => {
        seen.push({ url, method, body, signal });
        for (const each of [signal, ended.signal]) each?.addEventListener('abort', () => reject(each.reason));
      }),
  });
  const query = createQuery(api);
  const find = (operation: SpecOperation): Factory => {
    let node: unknown = query;
    for (const name of [operation.spec.name, ...sdkOf(operation).method.split('.')]) {
      if (typeof node === 'object' && node) node = Reflect.get(node, name);
    }
    return node as Factory;
  };
  return { seen, find };
}

/** Examples of the path parameters. */
function examples(operation: SpecOperation): Record<string, unknown> {
  const required = flatFields(operation).filter((field) => field.in === 'path');
  return Object.fromEntries(
    required.map(({ name }) => [name, operation.parameters.find((parameter) => parameter.name === name)?.example]),
  );
}

/** The path of a request, with the examples filled in. */
function pathOf(operation: SpecOperation): string {
  const values = examples(operation);
  return (
    operation.base + operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
  );
}

const isQuery = ({ operation }: SpecOperation) => effectOf(operation).kind === 'read';
const cases = (wanted: (operation: SpecOperation) => boolean) =>
  operations.filter(wanted).map((operation): [string, SpecOperation] => [operation.operationId, operation]);

test('every operation of the specs is a query or a mutation', () => {
  const { find } = record();
  for (const operation of operations) {
    const key = [operation.spec.name, ...sdkOf(operation).method.split('.')];
    expect(find(operation).key).toEqual(key);
  }
});

describe('queries', () => {
  test.each(cases(isQuery))("%s sends its request with the query's signal", async (_, operation) => {
    const { seen, find } = record();
    const { queryKey, queryFn, retry } = find(operation).options(examples(operation));
    expect([queryKey, retry]).toEqual([[...find(operation).key, examples(operation)], false]);
    const abort = new AbortController();
    const settled = expect(queryFn({ signal: abort.signal })).rejects.toBe('unmounted');
    await expect.poll(() => seen.length).toBe(1);
    abort.abort('unmounted');
    expect(seen).toMatchObject([{ method: operation.method, signal: { aborted: true } }]);
    await settled;
    expect(new URL(seen[0]?.url ?? '').pathname).toBe(pathOf(operation));
  });

  test.each(cases(({ operation }) => operation['x-pagination'] !== undefined))(
    "%s requests the page at the cache's offset, in the documented place",
    async (_, operation) => {
      const { seen, find } = record();
      const { in: place, offset } = operation.operation['x-pagination'] ?? { in: '', offset: '' };
      const { queryFn, queryKey } = find(operation).infinite({ ...examples(operation), limit: 2 });
      expect(queryKey.at(-1)).toBe('infinite');
      const abort = new AbortController();
      const settled = expect(queryFn({ signal: abort.signal, pageParam: 4 })).rejects.toBe('unmounted');
      await expect.poll(() => seen.length).toBe(1);
      abort.abort('unmounted');
      expect(seen[0]?.signal?.aborted).toBe(true);
      await settled;
      const [{ url = '', body } = {}] = seen;
      const found = place === 'body' ? JSON.parse(String(body)) : Object.fromEntries(new URL(url).searchParams);
      expect([Number(found[offset]), Number(found.limit)]).toEqual([4, 2]);
    },
  );
});

describe('mutations', () => {
  test.each(cases((operation) => !isQuery(operation)))(
    '%s sends the same request as its method',
    async (_, operation) => {
      const { seen, find } = record();
      const { mutationKey, mutationFn, retry } = find(operation).mutation();
      expect([mutationKey, retry]).toEqual([find(operation).key, false]);
      void mutationFn({ ...examples(operation), note: 'x' }).catch(() => undefined);
      await expect.poll(() => seen.length).toBe(1);
      expect(seen).toMatchObject([{ method: operation.method, body: expect.stringContaining('"note":"x"') }]);
      expect(new URL(seen[0]?.url ?? '').pathname).toBe(pathOf(operation));
    },
  );

  test('invalidate their own resource, and others that show or contain its records', () => {
    const { find } = record();
    const stale = Object.fromEntries(
      operations
        .filter((each) => !isQuery(each))
        .map((each) => [each.operationId, find(each).stale.map((key) => key.join('.'))]),
    );
    expect(stale).toMatchObject({
      changeDealPipeline: ['crm.deals', 'crm.payments.listByDeal', 'crm.contacts.listDeals'],
      addDealContact: expect.arrayContaining([
        'crm.deals',
        'crm.contacts',
        'crm.contacts.listDeals',
        'crm.deals.contacts.list',
      ]),
      assignTag: ['crm.tags', 'crm.contacts', 'crm.deals.contacts.list', 'crm.payments.listByContact'],
      deletePipelineAttribute: ['crm.pipelines', 'crm.deals.attributes.listDefinitions', 'crm.deals.attributes.list'],
      createCampaign: ['messaging.campaigns'],
      sendEmailMessage: ['email.messages', 'email.bounces.list'],
    });
    for (const keys of Object.values(stale)) expect(new Set(keys).size).toBe(keys.length);
  });
});
