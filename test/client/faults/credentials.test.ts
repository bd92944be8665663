import { expect, test, vi } from 'vitest';
import type { ClientOptions } from '../../../src/client/index.ts';
import {
  type Fault,
  garbage,
  hangUp,
  html,
  redirect,
  reset,
  respond,
  serve,
  stall,
  stallInBody,
  status,
  truncate,
} from '../../support/fault-server.ts';
import { refusedUrl } from '../../support/ports.ts';
import {
  accessToken,
  apiKey,
  client,
  credentials,
  kindOf,
  kinds,
  operations,
  settle,
  settleAtDeadline,
  signal,
  underFaults,
} from './harness.ts';

underFaults();

const tokenResponse = { access_token: accessToken, token_type: 'Bearer', expires_in: 3600 };
const isToken = ({ url }: { url: string }): boolean => url === '/oauth/access_token';

/** A service whose token endpoint behaves like `token`, and everything else like `rest`. */
const split =
  (token: Fault, rest: Fault): Fault =>
  (request, response) =>
    (isToken(request) ? token : rest)(request, response);

const unauthorized = status(401, { 'WWW-Authenticate': 'Bearer' }, '{"message":"Unauthorized"}');
const auths: [string, () => ClientOptions['auth'], number][] = [
  ['an API key', () => ({ apiKey }), 1],
  ['client credentials', () => credentials, 2],
  ['a function that always has another token', counted, 2],
  ['a function that has but one', () => ({ getToken: () => accessToken }), 1],
  ['nothing', () => null, 1],
];

function counted(): ClientOptions['auth'] {
  let count = 0;
  return {
    getToken: () => {
      count += 1;
      return `${accessToken}-${count}`;
    },
  };
}

test.each(auths.map(([name, auth, times], index) => [name, kindOf(index), auth, times] as const))(
  'an endless 401 with %s: %s is an AuthenticationError, never a loop',
  async (_, kind, auth, times) => {
    let issued = 0;
    const issue: Fault = (request, response) => {
      issued += 1;
      respond({ ...tokenResponse, access_token: `${accessToken}-${issued}` })(request, response);
    };
    const { url, received } = await serve(split(issue, unauthorized));
    const { error } = await settle(operations[kind](client(url, { auth: auth() })));
    expect(error).toMatchObject({ name: 'AuthenticationError', status: 401 });
    expect(received.filter((request) => !isToken(request))).toHaveLength(times);
  },
);

test('a 401 among repeated 503 still ends, because the call replaces the token at most once', async () => {
  const storm = [status(503), unauthorized, status(503), unauthorized, status(503), status(503)];
  const { url, received } = await serve(...storm);
  const { error } = await settle(operations.GET(client(url, { auth: counted() })));
  expect(error).toMatchObject({ name: 'AuthenticationError', attempts: 4, sent: 'maybe' });
  // The first request, its retry and replay, and a third one.
  expect(received).toHaveLength(4);
});

const fatal: [string, Fault, number][] = [
  ['resets the connection', reset, 3],
  ['hangs up', hangUp, 3],
  ['answers something else than HTTP', garbage, 3],
  ['truncates its answer', truncate, 3],
  ['is in a storm of 503', status(503), 3],
  ['is in a storm of 429', status(429, { 'Retry-After': '0' }), 3],
  ['asks for an hour of patience', status(429, { 'Retry-After': '3600' }), 1],
  ['refuses', respond({ error: 'invalid_client', message: `Bad secret ${credentials.clientSecret}` }, 401), 1],
  ['answers HTML', html(200), 1],
  ['answers a megabyte of HTML', status(200, {}, '<p>'.repeat(350_000)), 1],
  ['redirects', redirect(307, 'https://elsewhere.example.com/'), 1],
  ['answers without a token', respond({ expires_in: 3600 }), 1],
  ['answers a token of the wrong type', respond({ access_token: { value: accessToken } }), 1],
  ['answers a failure under 200', respond({ ...tokenResponse, result: false }), 1],
  ['answers a line break in its token', respond({ ...tokenResponse, access_token: `${accessToken}\r\nX-Admin: 1` }), 1],
  ['answers a control character in its token', respond({ ...tokenResponse, access_token: `${accessToken}\u0000` }), 1],
  ['answers a blank in its token', respond({ ...tokenResponse, access_token: `${accessToken} x` }), 1],
  ['answers another script in its token', respond({ ...tokenResponse, access_token: 'тоkеn' }), 1],
];

test.each(fatal)(
  'a token endpoint that %s: the call is a TokenError, certainly not sent',
  async (_, fault, requests) => {
    const { url, received } = await serve(split(fault, respond({ data: { id: 1 } })));
    const { error } = await settle(operations['POST that creates'](client(url, { auth: credentials })));
    expect(error).toMatchObject({ name: 'TokenError', sent: 'no' });
    expect(received.filter(isToken)).toHaveLength(requests);
    expect(received.filter((request) => !isToken(request))).toEqual([]);
  },
);

test('an unreachable token endpoint is a TokenError for every waiting call, from one request', async () => {
  const fetch = vi.fn((url: string, init: RequestInit) => globalThis.fetch(url, init));
  const api = client(refusedUrl, { auth: credentials, fetch, maxRetries: 0 });
  const ended = await Promise.all(kinds.map((kind) => settle(operations[kind](api))));
  expect(ended).toMatchObject(kinds.map(() => ({ error: { name: 'TokenError', sent: 'no' } })));
  expect(fetch).toHaveBeenCalledTimes(1);
});

test.each([
  ['never answers', stall],
  ['stops within its answer', stallInBody],
])('a token endpoint that %s: the deadline of the call applies, and it was not sent', async (_, fault) => {
  const reached = signal();
  const { url, received } = await serve(
    split(
      (request, response) => {
        fault(request, response);
        reached.give();
      },
      respond({ data: [] }),
    ),
  );
  const api = client(url, { auth: credentials, timeout: 60_000 });
  const { error } = await settleAtDeadline(() => operations['POST that creates'](api), reached.given);
  expect(error).toMatchObject({ sent: 'no', name: expect.stringMatching(/^(DeadlineError|TokenError)$/) });
  expect(received.filter((request) => !isToken(request))).toEqual([]);
});

test('a token endpoint that recovers fails no call', async () => {
  const { url } = await serve(reset, status(503), respond(tokenResponse), respond({ data: [] }));
  expect(await settle(client(url, { auth: credentials }).crm.users.list())).toEqual({ value: [] });
});

test.each([
  ['a line break', `${accessToken}\r\nX-Admin: 1`],
  ['a line feed', `${accessToken}\n`],
  ['a null', `${accessToken}\0`],
  ['an escape', `\u001b${accessToken}`],
  ['a blank', `${accessToken} `],
  ['another script', `${accessToken}é`],
  ['nothing', ''],
])('a function that returns a token with %s causes a TokenError, and no request is sent', async (_, token) => {
  const { url, received } = await serve(respond({ data: [] }));
  const { error } = await settle(client(url, { auth: { getToken: () => token } }).crm.users.list());
  expect(error).toMatchObject({ name: 'TokenError', sent: 'no' });
  expect(received).toEqual([]);
});
