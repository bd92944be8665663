import { describe, expect, it } from 'vitest';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../../scripts/spec/model.ts';
import { apiErrorClass } from '../../../src/client/core/errors/api-error.ts';
import { createClient, isCarillonError, type MethodOptions } from '../../../src/client/index.ts';
import type { Call } from './case-types.ts';
import { deriveCases } from './cases.ts';
import { type Content, flatParams, hasContent } from './flat.ts';
import { useServer, writtenOperations } from './harness.ts';
import { callMethod, expectedRequest, isList, listMethods, placeOf } from './methods.ts';
import { documentedFailures, expectedResult } from './responses.ts';

const connect = useServer();
const called = new Set<string>();

for (const operation of specNames.flatMap((name) => listOperations(loadSpec(name)))) {
  describe(`${operation.spec.name}.${placeOf(operation)}`, () => {
    const { examples, requiredOnly } = deriveCases(operation);
    const responses = Object.keys(operation.success.examples);
    const [firstResponse] = responses;

    for (const { title, call } of examples) {
      for (const content of hasContent(operation, call) ? (['bytes', 'blob'] as const) : (['bytes'] as const)) {
        const given = hasContent(operation, call) ? `, content given as ${content}` : '';
        it(`sends ${title} exactly as documented${given}, and returns the documented payload`, async () => {
          await expectCall(operation, call, firstResponse, content);
          called.add(operation.operationId);
        });
      }
    }

    it('sends only required fields', async () => {
      await expectCall(operation, requiredOnly, firstResponse);
    });

    for (const example of responses) {
      it(`returns payload, meta and response of the response ${example}`, async () => {
        const { client } = connect(operation);
        const result = callMethod(
          client,
          operation,
          flatParams(operation, requiredOnly, 'bytes'),
          prefer(`example=${example}`),
        );
        const { data, meta, response } = await result.withResponse();
        const expected = expectedResult(operation, operation.success.examples[example]?.value);
        expect(response.status).toBe(Number(operation.success.status));
        expect(meta).toEqual(expected.meta);
        expect(isList(result) ? data : { data }).toMatchObject({ data: expected.data });
        // The call itself returns the same data.
        expect(await result).toBe(data);
      });
    }

    if (responses.length === 0) {
      it('returns only the response if no body is documented', async () => {
        const { client } = connect(operation);
        const result = callMethod(client, operation, flatParams(operation, requiredOnly, 'bytes'));
        const { response, ...rest } = await result.withResponse();
        expect(response.status).toBe(Number(operation.success.status));
        expect(rest).toEqual({ data: undefined, meta: undefined });
      });
    }

    for (const { title, status, example, body } of documentedFailures(operation)) {
      it(`throws the documented failure ${title}`, async () => {
        const { client } = connect(operation);
        const params = flatParams(operation, requiredOnly, 'bytes');
        const error = await failureOf(() =>
          callMethod(client, operation, params, prefer(`code=${status}, example=${example}`)),
        );
        if (!isCarillonError(error, 'ApiError')) expect.fail('No ApiError was thrown');
        expect(error).toBeInstanceOf(apiErrorClass(status));
        expect({ ...error, body: error.body }).toMatchObject({ status, operationId: operation.operationId, body });
      });
    }

    if (operation.operation.security?.length !== 0) {
      it('throws an AuthenticationError without a credential', async () => {
        const { client } = connect(operation, null);
        const error = await failureOf(() =>
          callMethod(client, operation, flatParams(operation, requiredOnly, 'bytes')),
        );
        expect(isCarillonError(error, 'AuthenticationError')).toBe(true);
      });
    }

    if (operation.operation['x-pagination']) {
      it('iterates over its items, each once', async () => {
        const { client } = connect(operation);
        const list = callMethod(client, operation, flatParams(operation, requiredOnly, 'bytes'));
        if (!isList(list)) expect.fail('Expected a list');
        const items: unknown[] = [];
        for await (const item of list) items.push(item);
        const { data } = expectedResult(operation, operation.success.examples[firstResponse ?? '']?.value);
        expect(items).toEqual(data);
        expect(items.length).toBeGreaterThan(0);
        expect(await list.toArray({ max: 1 })).toEqual(items.slice(0, 1));
      });
    }
  });
}

describe('the methods', () => {
  for (const name of specNames) {
    it(`cover each operation of ${name}`, () => {
      const written = writtenOperations(name);
      expect(
        listOperations(loadSpec(name))
          .map(({ operationId }) => operationId)
          .sort(),
      ).toEqual(written.sort());
      expect(written.filter((id) => !called.has(id))).toEqual([]);
    });

    it(`are only the operations of ${name}`, () => {
      const client = createClient({ baseUrl: 'http://127.0.0.1', auth: null });
      const places = listOperations(loadSpec(name)).map(placeOf);
      expect(listMethods(client[name]).sort()).toEqual(places.sort());
    });
  }
});

function prefer(preference: string): MethodOptions {
  return { headers: { prefer: preference } };
}

async function failureOf(call: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return expect.fail('The call was answered');
}

/** Checks that a call sends exactly the documented request and returns the documented response without its envelope. */
async function expectCall(
  operation: SpecOperation,
  call: Call,
  responseName: string | undefined,
  content: Content = 'bytes',
): Promise<void> {
  const { client, exchanges } = connect(operation);
  const result = await callMethod(client, operation, flatParams(operation, call, content));
  const sent = exchanges.map(({ url, method, body }) => ({
    method,
    path: url.pathname,
    query: [...url.searchParams],
    body,
  }));
  expect(sent).toEqual([expectedRequest(operation, call)]);
  const documented = responseName === undefined ? undefined : operation.success.examples[responseName]?.value;
  const { data, meta } = expectedResult(operation, documented);
  if (operation.operation['x-pagination'] === undefined) expect(result).toEqual(data);
  else
    expect({ meta: undefined, total: undefined, ...Object(result) }).toMatchObject({
      data,
      meta,
      total: totalOf(meta),
    });
}

function totalOf(meta: unknown): unknown {
  return typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'total') : undefined;
}
