import { QueryClient } from '@tanstack/query-core';
import { onTestFinished } from 'vitest';
import { type ClientOptions, createClient } from '../../../src/client/index.ts';
import { createQuery } from '../../../src/client/query/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** A sandbox with its client's factories, a cache with retries by default, and the sent requests. */
export function setUp(intercept: (next: Fetch) => Fetch = (next) => next, seed: boolean | number = true) {
  const sandbox = createSandbox({ seed });
  const sent: string[] = [];
  const inner = intercept(sandbox.fetch);
  const fetch: Fetch = (url, init) => {
    sent.push(`${init.method} ${new URL(url).pathname}`);
    return inner(url, init);
  };
  const api = createClient({
    baseUrl: 'https://sandbox.example.com',
    auth: { apiKey: 'any' },
    fetch,
    maxRetries: 0,
    logger: { warn: () => undefined },
  });
  const retries = { retry: 3, retryDelay: 0 };
  const cache = new QueryClient({ defaultOptions: { queries: retries, mutations: retries } });
  onTestFinished(() => cache.clear());
  return { sandbox, sent, api, cache, query: createQuery(api) };
}

/** Returns the reason of a rejection. */
export async function failureOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail');
}
