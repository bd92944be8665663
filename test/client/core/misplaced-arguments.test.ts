import { describe, expect, test } from 'vitest';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { acceptsOwnFields, flatFields } from '../../../scripts/spec/parameters.ts';
import { callOptionNames } from '../../../src/client/core/prepare.ts';
import { type Client, createClient } from '../../../src/client/index.ts';
import { failureOf } from '../outcomes/support.ts';

/** A client that records the bodies and URLs of its requests. */
function sending() {
  const sent: string[] = [];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    fetch: async (url, { body = '' }) => {
      sent.push(`${url} ${body}`);
      const isList = url.endsWith('/contacts/get-list');
      return Response.json({ data: isList ? { list: [] } : url.endsWith('/deals/get-list') ? [] : { id: 1 } });
    },
    // The response fits no operation with a list.
    logger: { warn: () => undefined },
  });
  return { api, sent };
}

/** Calls a function as an untyped program does. */
const callWith = (called: (...args: never[]) => unknown, ...args: unknown[]): PromiseLike<unknown> =>
  Reflect.apply(called, undefined, args);

/** A call with arguments. */
type Way = (api: Client, ...args: unknown[]) => PromiseLike<unknown>;
const { signal } = new AbortController();

describe('an argument too many', () => {
  test.each<[string, Way, unknown[], string]>([
    [
      'a method without parameters',
      ({ crm }, ...args) => callWith(crm.users.list, ...args),
      [{}, { signal }],
      'options',
    ],
    ['a method', ({ crm }, ...args) => callWith(crm.deals.get, ...args), [{ dealId: 1 }, {}, { signal }], 'both'],
    ['a list', ({ crm }, ...args) => callWith(crm.contacts.list, ...args), [{}, {}, null], 'both'],
    [
      'the whole list',
      ({ crm }, ...args) => {
        const list = callWith(crm.contacts.list, ...args);
        return Reflect.get(list, 'toArray').call(list, { max: 5 });
      },
      [{}, {}, { signal }],
      'both',
    ],
  ])('of %s is invalid, and nothing is sent', async (_, call, args, takes) => {
    const { api, sent } = sending();
    const error = await failureOf(call(api, ...args));
    const wanted = takes === 'options' ? 'pass only the options' : 'pass only parameters and options';
    expect(error).toMatchObject({ name: 'ArgumentError', sent: 'no' });
    expect(String(error)).toContain(`too many arguments: ${wanted}; nothing was sent`);
    expect(sent).toEqual([]);
  });

  test('of a call by path is invalid, and nothing is sent', async () => {
    const { api, sent } = sending();
    const error = await failureOf(callWith(api.crm.GET, '/users', {}, { signal }));
    expect(error).toMatchObject({ name: 'ArgumentError', sent: 'no' });
    expect(String(error)).toContain('too many arguments: pass only path and options; nothing was sent');
    expect(sent).toEqual([]);
  });

  test.each<[string, Way, unknown[]]>([
    [
      'a method without parameters',
      ({ crm }, ...args) => callWith(crm.users.list, ...args),
      [{}, undefined, undefined],
    ],
    ['a method', ({ crm }, ...args) => callWith(crm.deals.get, ...args), [{ dealId: 1 }, {}, undefined]],
    ['a list', ({ crm }, ...args) => callWith(crm.contacts.list, ...args), [undefined, undefined, undefined]],
    ['a call by path', ({ crm }, ...args) => callWith(crm.GET, ...args), ['/users', undefined, undefined]],
  ])('of %s may be undefined, as wrappers pass it', async (_, call, args) => {
    const { api, sent } = sending();
    await call(api, ...args);
    expect(sent).toHaveLength(1);
  });
});

describe('the options of a list', () => {
  test.each<[string, (list: ReturnType<Client['crm']['contacts']['list']>) => PromiseLike<unknown>, string]>([
    [
      'misspelt in toArray',
      (list) => callWith(list.toArray.bind(list), { max: 10, complet: true }),
      'there is no option complet. Did you mean complete? The options are max, complete',
    ],
    [
      'misspelt in pages',
      (list) => list.pages(JSON.parse('{"completed": true}')).next(),
      'there is no option completed. Did you mean complete? The options are complete',
    ],
    [
      'followed by those of a call',
      (list) => callWith(list.toArray.bind(list), { max: 10 }, { signal }),
      'too many arguments: pass only the options',
    ],
    ['a number', (list) => callWith(list.toArray.bind(list), 10), 'options must be an object, not a number'],
  ])('are invalid if they are %s, and nothing is sent', async (_, read, problem) => {
    const { api, sent } = sending();
    const error = await failureOf(read(api.crm.contacts.list()));
    expect(error).toMatchObject({ name: 'ArgumentError', sent: 'no' });
    expect(String(error)).toContain(`POST /contacts/get-list: ${problem}; nothing was sent`);
    expect(sent).toEqual([]);
  });
});

describe('an option among the parameters', () => {
  test.each(callOptionNames.map((name) => [name]))('%s is refused by a closed operation', async (name) => {
    const { api, sent } = sending();
    const error = await failureOf(callWith(api.crm.deals.get, { dealId: 1, [name]: 1 }));
    expect(error).toMatchObject({ name: 'ArgumentError', operationId: 'getDeal', sent: 'no' });
    expect(String(error)).toContain(`'${name}' is an option, not a parameter: pass it as the second argument`);
    expect(sent).toEqual([]);
  });

  test('is invalid in the body of a closed operation', async () => {
    const { api, sent } = sending();
    const error = await failureOf(callWith(api.email.unsubscribes.remove, { emails: ['ann@example.com'], timeout: 1 }));
    expect(String(error)).toContain("'timeout' is an option, not a parameter: pass it as the second argument");
    expect(sent).toEqual([]);
  });

  test.each<[string, Way]>([
    ['an open filter', ({ crm }, params) => callWith(crm.deals.list, params)],
    ["a record with an account's own fields", ({ crm }, params) => callWith(crm.deals.create, params)],
    ['such a record with a path', ({ crm }, params) => callWith(crm.deals.update, { dealId: 1, ...Object(params) })],
  ])('is a field of %s', async (_, call) => {
    const { api, sent } = sending();
    await call(api, { timeout: 30 });
    expect(sent).toEqual([expect.stringContaining('"timeout":30')]);
  });

  test('is invalid by the operations that cannot have such a field, and by no other', async () => {
    const { api, sent } = sending();
    const parts: Record<(typeof specNames)[number], object> = api;
    const refusing: string[] = [];
    const closed: string[] = [];
    for (const spec of specNames) {
      for (const operation of listOperations(loadSpec(spec))) {
        const fields = flatFields(operation);
        if (fields.length === 0 && !operation.body) continue;
        const { 'x-sdk': sdk } = operation.operation;
        const method = (typeof sdk === 'string' ? sdk : sdk.method)
          .split('.')
          .reduce((group: object, name) => Reflect.get(group, name), parts[spec]) as () => unknown;
        const error = await failureOf(callWith(method, { maxRetries: 1 })).catch(() => undefined);
        if (String(error).includes("'maxRetries' is an option")) refusing.push(operation.operationId);
        const isNamed = fields.some(({ name }) => name === 'maxRetries');
        if (!acceptsOwnFields(operation) && !isNamed) closed.push(operation.operationId);
      }
    }
    expect(closed.length).toBeGreaterThan(30);
    expect(refusing).toEqual(closed);
    expect(sent.length).toBeGreaterThan(0);
  });
});
