/** An in-memory service to whose machines a new token spreads slowly, and calls under a fake clock. */
import { vi } from 'vitest';
import { type CallOptions, type ClientOptions, createClient, type TokenStore } from '../../../src/client/index.ts';
import { silent } from '../outcomes/support.ts';

export const hour = 3_600_000;

/** A request with a token, as the service saw it. */
export interface Seen {
  /** Milliseconds since the start. */
  at: number;
  token: string;
  isRefused: boolean;
}

/** Whether the service accepts a token, by its number and its age in milliseconds, for a path. */
export type Accepts = (token: { number: number; age: number; path: string }) => boolean | Promise<boolean>;

/** An in-memory service that issues `token-1`, `token-2`, …, each with a life of an hour. */
export function serve(
  accepts: Accepts,
  { tokenStore, ...options }: Partial<ClientOptions> & { tokenStore?: TokenStore } = {},
) {
  const start = Date.now();
  /** When each token was issued. */
  const issued: number[] = [];
  const seen: Seen[] = [];
  const connect = () =>
    createClient({
      baseUrl: 'https://api.example.com',
      auth: { clientId: 'id', clientSecret: 'secret', tokenStore },
      logger: silent,
      ...options,
      fetch: async (url, { headers }) => {
        if (url.endsWith('/access_token')) {
          issued.push(Date.now());
          return Response.json({ access_token: `token-${issued.length}`, expires_in: hour / 1000 });
        }
        const token = headers.authorization?.replace('Bearer ', '') ?? '';
        const number = Number(token.split('-')[1]);
        const at = Date.now() - start;
        const age = Date.now() - (issued[number - 1] ?? 0);
        const isRefused = !(await accepts({ number, age, path: new URL(url).pathname }));
        seen.push({ at, token, isRefused });
        return Response.json(isRefused ? { message: 'Unauthorized' } : { data: [] }, { status: isRefused ? 401 : 200 });
      },
    });
  const api = connect();
  return { api, connect, issued, seen, list: (options?: CallOptions) => outcomeOf(api.crm.users.list(options)) };
}

export interface Outcome {
  error?: unknown;
  /** Milliseconds until the call settled. */
  took: number;
}

export async function outcomeOf(call: PromiseLike<unknown>): Promise<Outcome> {
  const start = Date.now();
  return call.then(
    () => ({ took: Date.now() - start }),
    (error: unknown) => ({ error, took: Date.now() - start }),
  );
}

/** Advances the fake clock until a promise settles. */
export async function settle<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  for (let turn = 0; turn < 10_000 && !isSettled; turn += 1) await vi.advanceTimersByTimeAsync(turn === 0 ? 0 : 10);
  if (!isSettled) throw new Error('The promise does not settle');
  return settled;
}

/** A store in memory, which can be read. */
export function mapStore(): TokenStore & { map: Map<string, unknown> } {
  const map = new Map<string, unknown>();
  return {
    map,
    get: (key) => map.get(key),
    set: (key, value) => map.set(key, value),
    delete: (key) => map.delete(key),
  };
}

export const spreadsIn =
  (milliseconds: number): Accepts =>
  ({ age }) =>
    age >= milliseconds;
export const never: Accepts = () => false;
export const refused = (seen: Seen[]): Seen[] => seen.filter(({ isRefused }) => isRefused);
export const times = (seen: Seen[]): number[] => seen.map(({ at }) => at);
export const unauthorized = { name: 'AuthenticationError', status: 401, sent: 'yes' };
