import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type * as Carillon from '../../../src/client/index.ts';
import { useProject } from './installed.ts';

type Copy = typeof Carillon;
type Format = 'ES module' | 'CommonJS';

const project = useProject('program');
let copies: Record<Format, Copy>;
beforeAll(async () => {
  const dist = join(project(), 'node_modules', 'carillon', 'dist');
  copies = {
    'ES module': await import(pathToFileURL(join(dist, 'index.js')).href),
    CommonJS: createRequire(import.meta.url)(join(dist, 'index.cjs')),
  };
});

/** Errors thrown by real calls of one copy. */
async function failures({ createClient }: Copy): Promise<unknown[]> {
  const respond = (status: number) => async () => Response.json({ message: 'Rejected' }, { status });
  const lost = async (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
  const fetches = [respond(401), respond(403), respond(404), respond(422), respond(429), respond(500), lost];
  const calls = fetches.map((fetch) => {
    const api = createClient({ baseUrl: 'https://api.example.com', auth: null, maxRetries: 0, fetch });
    return Promise.resolve(api.crm.users.list());
  });
  const unusable = Promise.resolve().then(() => createClient({ baseUrl: '', auth: null }));
  return (await Promise.allSettled([...calls, unusable])).map((settled) =>
    settled.status === 'rejected' ? settled.reason : settled,
  );
}

const names = [
  'ApiError',
  'AuthenticationError',
  'PermissionDeniedError',
  'NotFoundError',
  'UnprocessableEntityError',
  'RateLimitError',
  'ServerError',
  'ConnectionError',
  'ConfigError',
] as const;

test.each<[Format, Format]>([
  ['ES module', 'CommonJS'],
  ['CommonJS', 'ES module'],
])('an error of the %s is recognized by the guard of the %s in one process', async (from, to) => {
  const errors = await failures(copies[from]);
  expect(errors.some((error) => error instanceof copies[to].CarillonError)).toBe(false);
  const { isCarillonError } = copies[to];
  expect(errors.every((error) => isCarillonError(error))).toBe(true);
  expect(errors.map((error) => names.filter((name) => isCarillonError(error, name)))).toEqual([
    ['ApiError', 'AuthenticationError'],
    ['ApiError', 'PermissionDeniedError'],
    ['ApiError', 'NotFoundError'],
    ['ApiError', 'UnprocessableEntityError'],
    ['ApiError', 'RateLimitError'],
    ['ApiError', 'ServerError'],
    ['ConnectionError'],
    ['ConfigError'],
  ]);
});
