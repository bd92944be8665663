import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { type CallOptions, type Client, type ClientOptions, createClient } from '../../../src/client/index.ts';

export const apiKey = 'k3y-under-f4ults';
const clientSecret = 'cl13nt-s3cret';
export const accessToken = 't0ken-under-f4ults';
/** Content of requests, which no output may show. */
export const words = 'Private words for Ann';
export const credentials = { clientId: 'client-id', clientSecret };

const secrets = new RegExp([apiKey, clientSecret, accessToken, words].join('|'));
let outputs: string[] = [];

/** Longer than any deadline in these tests, in real time. A call that is not settled by then hangs. */
const patience = 20_000;
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/**
 * Checks after each test of a file that there are no unhandled rejections and no secrets in output. Sets back-off waits to
 * zero, so that no test sleeps.
 */
export function underFaults(): void {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  beforeAll(() => {
    process.on('unhandledRejection', note);
  });
  afterAll(() => {
    process.off('unhandledRejection', note);
  });
  beforeEach(() => {
    outputs = [];
    vi.spyOn(Math, 'random').mockReturnValue(0);
    for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((...values) => void outputs.push(inspect(values)));
    }
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    // Node reports unhandled rejections after the microtasks of a turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
    expect(outputs.join('\n')).not.toMatch(secrets);
  });
}

/** A client with an API key and the default retries. All of its output is collected. */
export function client(url: string, options: Partial<ClientOptions> = {}): Client {
  return createClient({
    baseUrl: url,
    auth: { apiKey },
    timeout: 15_000,
    attemptTimeout: 60_000, // These tests cover the deadline of the call. The limit of an attempt has its own tests.
    logger: { warn: (message) => outputs.push(message) },
    middleware: [
      {
        onRequest: (request) => void outputs.push(inspect(request)),
        onResponse: (request, response) => void outputs.push(inspect([request, response])),
        onError: (request, error) => void outputs.push(inspect([request, error])),
      },
    ],
    ...options,
  });
}

/** The value or error of a call. The error is also collected as output. */
export async function settle(call: PromiseLike<unknown>): Promise<{ value?: unknown; error?: unknown }> {
  let timer: ReturnType<typeof startTimer> | undefined;
  const guard = new Promise<never>((_, reject) => {
    timer = startTimer(() => reject(new Error('The call hangs')), patience);
  });
  try {
    return { value: await Promise.race([call, guard]) };
  } catch (error) {
    outputs.push(inspect(error, { depth: 20 }), String(error), JSON.stringify(error) ?? '');
    if (error instanceof Error) outputs.push(error.stack ?? '');
    return { error };
  } finally {
    stopTimer(timer);
  }
}

/**
 * Settles a call whose deadline of a minute passes once `reached` resolves, on a fake clock, so that a slow machine or network does not
 * matter.
 */
export async function settleAtDeadline(call: () => PromiseLike<unknown>, reached: Promise<void>) {
  // Real time also passes, so that zero-length waits end.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], shouldAdvanceTime: true });
  const settled = settle(call());
  await reached;
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(60_000);
  return settled;
}

/** A promise and the function that resolves it. */
export function signal(): { given: Promise<void>; give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

export type Kind = 'GET' | 'POST that reads' | 'POST that creates' | 'PUT' | 'DELETE';
type Operation = (api: Client, options?: CallOptions) => PromiseLike<unknown>;

/** One operation of each kind that the retry rules distinguish. */
export const operations: Readonly<Record<Kind, Operation>> = {
  GET: (api, options) => api.crm.users.list(options),
  'POST that reads': (api, options) => api.crm.contacts.list({ firstName: words }, options),
  'POST that creates': (api, options) => api.crm.deals.comments.create({ dealId: 501, message: words }, options),
  PUT: (api, options) => api.crm.deals.comments.update({ dealId: 501, commentId: 1, message: words }, options),
  DELETE: (api, options) => api.crm.deals.delete({ dealId: 501 }, options),
};

export const kinds: Kind[] = ['GET', 'POST that reads', 'POST that creates', 'PUT', 'DELETE'];
/** Kinds that may be sent twice. */
export const repeatable: Kind[] = kinds.filter((kind) => kind !== 'POST that creates');

/** A kind for each of several cases, in turn, if the same rule holds for all kinds. */
export const kindOf = (index: number): Kind => kinds[index % kinds.length] ?? 'GET';
/** A kind that may be sent twice, in turn. */
export const repeatableOf = (index: number): Kind => repeatable[index % repeatable.length] ?? 'GET';
