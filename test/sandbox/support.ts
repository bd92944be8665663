import { expect } from 'vitest';
import type { ZodType } from 'zod';
import { ApiError, type Client, createClient } from '../../src/client/index.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { allRoutes, type Route } from '../../src/sandbox/rules/routes.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { Router } from '../../src/shared/router.ts';

/** Start time of the tests, after the example story (spec/README.md) has ended. */
export const startAt = Date.UTC(2026, 10, 4, 12);
export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

const routes: { route: Route }[] = allRoutes.map((route) => ({ route }));
const router = new Router(routes);
const responses = new Map<string, ZodType | undefined>(allRoutes.map(({ id, response }) => [id, response]));

/** A sandbox with a frozen clock, and its client. The client checks each success response against the spec. */
export function start(options: SandboxOptions = {}): { sandbox: Sandbox; readonly api: Client } {
  const sandbox = createSandbox({ startAt, ...options });
  sandbox.clock.freeze(options.startAt ?? startAt);
  let api: Client | undefined;
  return {
    sandbox,
    // Created on first use, because many tests send raw requests only.
    get api() {
      api ??= clientOf(sandbox);
      return api;
    },
  };
}

function clientOf(sandbox: Sandbox): Client {
  return createClient({
    baseUrl: 'https://sandbox.example.com',
    auth: { apiKey: 'any' },
    maxRetries: 0,
    logger: { warn: () => {} },
    async fetch(url, init) {
      const response = await sandbox.fetch(url, init);
      if (response.ok) await compare(init.method ?? 'GET', new URL(url).pathname, response.clone());
      return response;
    },
  });
}

async function compare(method: string, pathname: string, response: Response): Promise<void> {
  const found = router.find(method, pathname);
  if (!found || !('target' in found)) return;
  const { id, status } = found.target.route;
  expect(response.status, `status of ${id}`).toBe(status);
  const schema = responses.get(id);
  const text = await response.text();
  if (text === '' || !isSchema(schema)) return;
  const body: unknown = JSON.parse(text);
  // Zod drops fields that the spec does not describe, so such a field shows up as a difference.
  expect(schema.parse(body), `response of ${id}`).toEqual(body);
}

function isSchema(value: unknown): value is ZodType {
  return typeof value === 'object' && value !== null && 'parse' in value;
}

/** Passes untyped parameters, because the types accept only documented combinations of fields. */
export function unchecked(params: object): never {
  return params as never;
}

/** Id of the rule or choice in a failed response. */
export interface Rejected {
  status: number;
  /** Full value of the `x-sandbox-rule` header. */
  rule: string;
  choice: string;
  body: unknown;
}

/** Returns the rejection of a call that must fail. */
export async function rejectionOf(call: PromiseLike<unknown>): Promise<Rejected> {
  const error: unknown = await Promise.resolve(call).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`Expected a rejection, got ${error ?? 'a success'}`);
  const { status, headers, body } = error;
  return { status, rule: headers.get('x-sandbox-rule') ?? '', choice: headers.get('x-sandbox-choice') ?? '', body };
}

/** Expects a rule of the spec to reject a call. The header must name the rule and the section of the document. */
export async function expectRule(call: PromiseLike<unknown>, rule: string, status = 422): Promise<Rejected> {
  const rejected = await rejectionOf(call);
  expect(rejected.rule).toMatch(new RegExp(`^${rule}; (CRM|Messaging|Email) document, (sections? \\d|introduction)`));
  expect(rejected.status).toBe(status);
  return rejected;
}

/** Expects a choice of the sandbox to reject a call. */
export async function expectChoice(call: PromiseLike<unknown>, choice: string, status = 422): Promise<Rejected> {
  const rejected = await rejectionOf(call);
  expect(rejected.choice).toBe(choice);
  expect(rejected.status).toBe(status);
  return rejected;
}
