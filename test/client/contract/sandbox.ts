import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { SpecOperation } from '../../../scripts/spec/model.ts';
import type { PathInit } from '../../../src/client/core/prepare.ts';
import { type Auth, type Client, createClient } from '../../../src/client/index.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { startAt } from '../../sandbox/support.ts';
import type { Call } from './case-types.ts';
import { type Answer, validator } from './harness.ts';

/** A newly seeded sandbox with a stopped clock, and its client, without a network. */
export interface Fresh {
  sandbox: Sandbox;
  client: Client;
  /** Parsed bodies of the responses; `undefined` for an empty one. */
  bodies: unknown[];
  /** Whether any data differs from the seed. */
  isChanged(): boolean;
}

export function freshSandbox(
  { operation: { deprecated } }: SpecOperation,
  { auth = { apiKey: 'any' }, seed = true, at = startAt }: { auth?: Auth; seed?: true | number; at?: number } = {},
): Fresh {
  const sandbox = createSandbox({ startAt: at, seed });
  sandbox.clock.freeze(at);
  // Seed again at the frozen moment.
  sandbox.reset();
  const before = sandbox.snapshot().state;
  const bodies: unknown[] = [];
  const client = createClient({
    baseUrl: 'https://sandbox.example.com',
    auth,
    maxRetries: 0,
    async fetch(url, init) {
      const response = await sandbox.fetch(url, init);
      const text = await response.clone().text();
      bodies.push(text === '' ? undefined : JSON.parse(text));
      return response;
    },
    // Other warnings would concern an undocumented envelope or a repeated page.
    logger: { warn: (message) => expect(message).toMatch(deprecated ? /is deprecated$/ : /^nothing$/) },
  });
  return { sandbox, client, bodies, isChanged: () => !isDeepStrictEqual(sandbox.snapshot().state, before) };
}

type DynamicCall = (path: string, init: PathInit) => Promise<Omit<Answer, 'body'>>;

/** Calls an operation by its path. */
export async function callPath({ client, bodies }: Fresh, operation: SpecOperation, call: Call): Promise<Answer> {
  const send: DynamicCall = Reflect.get(client[operation.spec.name], operation.method);
  const result = await send(operation.path, {
    params: { path: call.path, query: call.query },
    ...(call.body !== undefined && { body: call.body }),
  });
  return { ...result, body: bodies.at(-1) };
}

/** Checks the documented status and shape, and that there are no undescribed fields. */
export function expectDocumented(operation: SpecOperation, { response, body, error }: Answer): void {
  expect(error?.body).toBeUndefined();
  expect(response.status).toBe(Number(operation.success.status));
  if (!operation.success.schema) expect(body).toBeUndefined();
  else {
    const described = validator(operation, 'response').parse(body);
    // Open records also return fields that the spec does not describe.
    const isOpen = response.headers.get('x-sandbox-choice')?.split(', ').includes('own-fields');
    if (isOpen) expect(body).toMatchObject(Object(described));
    else expect(described).toEqual(body);
  }
}

/** Names of the spec's rule, the sandbox's choice or both in a refusal. */
export function reasonsOf({ headers }: Response): string[] {
  const [rule] = headers.get('x-sandbox-rule')?.split(';') ?? [];
  const choice = headers.get('x-sandbox-choice');
  return [rule, choice].filter((reason) => typeof reason === 'string');
}
