import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../../scripts/spec/model.ts';
import { endpoints } from '../../../src/sandbox/http/handled-operations.ts';
import type { AnyChoice } from '../../../src/sandbox/rules/choices.ts';
import type { AnyRule } from '../../../src/sandbox/rules/rules.ts';
import { hour, startAt } from '../../sandbox/support.ts';
import type { Call, Violation } from './case-types.ts';
import { deriveCases } from './cases.ts';
import { flatParams } from './flat.ts';
import { writtenOperations } from './harness.ts';
import { callMethod, isList, placeOf } from './methods.ts';
import { expectedResult } from './responses.ts';
import { callPath, expectDocumented, freshSandbox, reasonsOf } from './sandbox.ts';

/** Calls with only required fields that match the spec, but that the seeded sandbox refuses. */
const refusedRequiredOnly: Record<string, AnyRule | AnyChoice> = {
  changeDealPipeline: 'change-pipeline-incomplete',
  createContactAttributeValue: 'contact-attribute-incomplete',
  createToken: 'token-request-incomplete',
};

const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
const answered = new Set<string>();

/** Parameters without an effect in the sandbox, by operation. */
const withoutEffect: Record<string, string[]> = {};

/** The parameters of queries that the handler of each operation has read. */
const read = new Map(endpoints.map(({ route }) => [route.id, new Set<string>()]));
const original = endpoints.map((endpoint) => ({ ...endpoint }));

beforeAll(() => {
  for (const endpoint of endpoints) {
    const names = read.get(endpoint.route.id);
    const { beforeLimits } = endpoint;
    const recording = <Request extends { query: object }>(request: Request): Request => ({
      ...request,
      query: recordReads(request.query, names),
    });
    const { handle } = endpoint;
    endpoint.handle = (request, context) => handle(recording(request), context);
    if (beforeLimits) endpoint.beforeLimits = (request, context) => beforeLimits(recording(request), context);
  }
});

afterAll(() => {
  for (const [index, endpoint] of endpoints.entries()) Object.assign(endpoint, original[index]);
});

function recordReads<Values extends object>(values: Values, names = new Set<string>()): Values {
  return new Proxy(values, {
    get(target, name, receiver) {
      names.add(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
}

for (const operation of operations) {
  const { operationId } = operation;
  describe(`the sandbox answers ${operation.spec.name}: ${operation.key}`, () => {
    const { examples, requiredOnly, violations, impossible } = deriveCases(operation);

    for (const { title, call } of examples) {
      it(`as documented for ${title}, by path and by method`, async () => {
        await expectAnswer(operation, call);
        answered.add(operationId);
      });
    }

    it('with what each parameter of its query asks for', () => {
      const inRequest = operation.parameters.filter(({ in: place }) => place !== 'path').map(({ name }) => name);
      const advice = `${operationId}: the handler does not read a parameter that is not in the list, or reads one that is`;
      const ignored = inRequest.filter((name) => !read.get(operationId)?.has(name));
      expect(ignored, advice).toEqual(withoutEffect[operationId] ?? []);
    });

    const reason = refusedRequiredOnly[operationId];
    it(reason ? `but refuses only what is required: ${reason}` : 'as documented for only what is required', () =>
      reason ? expectRefusal(operation, requiredOnly, reason) : expectAnswer(operation, requiredOnly),
    );

    it('with a refusal, and no change, if one keyword of the spec is broken', async () => {
      for (const violation of violations) await expectViolation(operation, violation);
    });

    it('with a reason if it refuses values that the spec cannot', async () => {
      for (const { calls, outcome, title } of impossible) {
        if (outcome === 'stopped by the client') continue;
        for (const call of calls) await expectEither(operation, call, title);
      }
    });

    it('only with a credential, if one is needed', async () => {
      const fresh = freshSandbox(operation, { auth: null });
      const { response } = await callPath(fresh, operation, examples[0]?.call ?? requiredOnly);
      const anonymous = operation.operation.security?.length === 0;
      if (anonymous) expect(response.ok).toBe(true);
      else expect([response.status, ...reasonsOf(response)]).toEqual([401, 'credential-rejected']);
      expect(fresh.isChanged()).toBe(false);
    });

    const paging = operation.operation['x-pagination'];
    if (paging) {
      it('with each item once, whatever the page size', async () => {
        // On the day of the story's bounce.
        const { client } = freshSandbox(operation, { seed: 40, at: startAt - 16 * hour });
        const params = flatParams(operation, requiredOnly, 'bytes');
        const whole = callMethod(client, operation, params);
        const parts = callMethod(client, operation, { ...params, [paging.limit]: 3 });
        if (!isList(whole) || !isList(parts)) expect.fail('Expected a list');
        const items = await whole.toArray({ max: 1_000 });
        expect(items.length).toBeGreaterThan(0);
        expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(items.length);
        expect(await parts.toArray({ max: 1_000 })).toEqual(items);
      });
    }
  });
}

describe('the contract tests of the sandbox', () => {
  for (const name of specNames) {
    it(`cover each operation of ${name}`, () => {
      const written = writtenOperations(name);
      expect(
        listOperations(loadSpec(name))
          .map(({ operationId }) => operationId)
          .sort(),
      ).toEqual(written.sort());
      expect(written.filter((id) => !answered.has(id))).toEqual([]);
    });
  }
});

/** Checks that by path and by method the response is the documented one, and that both leave the same state. */
async function expectAnswer(operation: SpecOperation, call: Call): Promise<void> {
  const byPath = freshSandbox(operation);
  const answer = await callPath(byPath, operation, call);
  expectDocumented(operation, answer);
  const { data, meta } = expectedResult(operation, z.json().optional().parse(answer.body));
  expect({ data: answer.data, meta: answer.meta }).toEqual({ data, meta });

  const byMethod = freshSandbox(operation);
  const result = await callMethod(byMethod.client, operation, flatParams(operation, call, 'bytes'));
  if (operation.operation['x-pagination']) expect(pageOf(result), placeOf(operation)).toEqual({ data, meta });
  else expect(result, placeOf(operation)).toEqual(data);
  expect(byMethod.sandbox.state).toEqual(byPath.sandbox.state);
}

/** Adds the optional `meta` of a page. */
function pageOf(result: unknown): unknown {
  return z.object({ data: z.unknown(), meta: z.unknown() }).parse({ meta: undefined, ...Object(result) });
}

async function expectRefusal(operation: SpecOperation, call: Call, reason: AnyRule | AnyChoice): Promise<void> {
  const fresh = freshSandbox(operation);
  const { response, error } = await callPath(fresh, operation, call);
  expect(error).toBeDefined();
  expect(response.status).toBe(422);
  expect(reasonsOf(response)).toContain(reason);
  expect(fresh.isChanged()).toBe(false);
}

const problem = z.object({ violations: z.array(z.object({ location: z.array(z.string()) })) });

async function expectViolation(operation: SpecOperation, { call, title, within }: Violation): Promise<void> {
  const fresh = freshSandbox(operation);
  const { response, body } = await callPath(fresh, operation, call);
  expect([400, 422], title).toContain(response.status);
  expect(reasonsOf(response), title).not.toEqual([]);
  expect(fresh.isChanged(), title).toBe(false);
  const found = problem.safeParse(body).data?.violations;
  const places = found?.map(({ location }) => location.slice(0, within.length));
  if (places) expect(places, title).toContainEqual(within);
}

/** Checks that the call is either answered as documented, or refused with a reason and no change. */
async function expectEither(operation: SpecOperation, call: Call, title: string): Promise<void> {
  const fresh = freshSandbox(operation);
  const answer = await callPath(fresh, operation, call);
  if (!answer.error) return expectDocumented(operation, answer);
  expect(answer.response.status, title).toBe(422);
  expect(reasonsOf(answer.response), title).not.toEqual([]);
  expect(fresh.isChanged(), title).toBe(false);
}
