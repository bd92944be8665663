import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../../scripts/spec/model.ts';
import { ArgumentError, AuthenticationError } from '../../../src/client/index.ts';
import type { Call } from './case-types.ts';
import { deriveCases } from './cases.ts';
import { type Answer, useMock, validator, writtenOperations } from './harness.ts';
import { documentedFailures, expectedResult } from './responses.ts';

const send = useMock();
const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
const answered = new Set<string>();

for (const operation of operations) {
  describe(`${operation.spec.name}: ${operation.key}`, () => {
    const { examples, requiredOnly, violations, impossible } = deriveCases(operation);
    const [firstResponse, ...otherResponses] = Object.keys(operation.success.examples);

    for (const { title, call } of examples) {
      it(`answers ${title} with the documented response, unwrapped`, async () => {
        expectValid(operation, call);
        expectResponse(operation, await send(operation, call), firstResponse);
        answered.add(operation.operationId);
      });
    }

    it('answers a call with only what is required', async () => {
      expectValid(operation, requiredOnly);
      expectResponse(operation, await send(operation, requiredOnly), firstResponse);
    });

    for (const example of otherResponses) {
      it(`also answers with the documented response ${example}`, async () => {
        expectResponse(operation, await send(operation, requiredOnly, prefer(`example=${example}`)), example);
      });
    }

    for (const { title, status, example, body } of documentedFailures(operation)) {
      it(`returns the documented failure ${title} as an error`, async () => {
        const options = prefer(`code=${status}, example=${example}`);
        const { error, data } = await send(operation, requiredOnly, options);
        const { operationId } = operation;
        expect(data).toBeUndefined();
        expect({ ...error, body: error?.body }).toMatchObject({ status, operationId, body });
      });
    }

    for (const { title, call, keyword, location, within } of violations) {
      it(`throws for a call if ${title}`, async () => {
        const found = listViolations(await send(operation, call));
        expect(found).toContainEqual({ location, code: keyword });
        // The call has no other violation.
        for (const other of found) expect(other.location.slice(0, within.length)).toEqual(within);
      });
    }

    for (const { title, reason, calls, outcome } of impossible) {
      it(`cannot refuse a call if ${title}: ${reason}`, async () => {
        for (const call of calls) {
          const answer = send(operation, call);
          if (outcome === 'stopped by the client') await expect(answer).rejects.toBeInstanceOf(ArgumentError);
          else if (outcome === 'passes') expectResponse(operation, await answer, firstResponse);
          else expect(listViolations(await answer)).not.toContainEqual(expect.objectContaining({ code: 'type' }));
        }
      });
    }

    const anonymous = operation.operation.security?.length === 0;
    it(anonymous ? 'needs no credential' : 'throws for a call without a credential', async () => {
      const { error } = await send(operation, requiredOnly, { auth: null });
      if (anonymous) expect(error).toBeUndefined();
      else expect(error).toBeInstanceOf(AuthenticationError);
    });
  });
}

describe('the contract tests', () => {
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

function prefer(preference: string): { headers: Record<string, string> } {
  return { headers: { prefer: preference } };
}

/** Checks a call with the generated validators, as users can. */
function expectValid(operation: SpecOperation, { path, query, body }: Call): void {
  const parts = [
    ['path', path],
    ['query', query],
  ] as const;
  for (const [part, values] of parts) {
    const used = operation.parameters.some((parameter) => parameter.in === part);
    if (used) expect(validator(operation, part).safeParse(values).error).toBeUndefined();
  }
  if (body !== undefined) expect(validator(operation, 'body').safeParse(body).error).toBeUndefined();
}

/** Checks status, body and unwrapped result against the documented response. */
function expectResponse(operation: SpecOperation, answer: Answer, example: string | undefined): void {
  const { success } = operation;
  expect(answer.error).toBeUndefined();
  expect(answer.response.status).toBe(Number(success.status));
  const documented = example === undefined ? undefined : success.examples[example]?.value;
  expect(answer.body).toEqual(documented);
  if (success.schema) expect(validator(operation, 'response').safeParse(answer.body).error).toBeUndefined();
  expect({ data: answer.data, meta: answer.meta }).toEqual(expectedResult(operation, documented));
}

const problem = z.object({ violations: z.array(z.object({ location: z.array(z.string()), code: z.string() })) });

/** Violations that the mock found in a call. */
function listViolations({ error }: Answer): { location: string[]; code: string }[] {
  if (!error) expect.fail('The call was answered');
  expect([400, 422]).toContain(error.status);
  return problem.parse(error.body).violations;
}
