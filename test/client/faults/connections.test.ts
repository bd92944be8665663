import { expect, test } from 'vitest';
import {
  endless,
  type Fault,
  falseGzip,
  garbage,
  hangUp,
  hugeHead,
  reset,
  resetInBody,
  respond,
  serve,
  slowly,
  stall,
  stallInBody,
  stallInHead,
  status,
  truncate,
  truncateChunks,
} from '../../support/fault-server.ts';
import { refusedUrl } from '../../support/ports.ts';
import {
  client,
  kinds,
  operations,
  repeatable,
  repeatableOf,
  settle,
  settleAtDeadline,
  signal,
  underFaults,
  words,
} from './harness.ts';

underFaults();

const losses: [string, Fault][] = [
  ['resets the connection', reset],
  ['hangs up', hangUp],
  ['answers something else than HTTP', garbage],
  ['answers with a head too large', hugeHead],
  ['truncates the body', truncate],
  ['truncates the chunks', truncateChunks],
  ['resets within the body', resetInBody],
  ['sends a body that cannot be decompressed', falseGzip],
];

test.each(
  losses.flatMap(([name, fault], index) =>
    [repeatableOf(index), 'POST that creates' as const].map((kind) => [name, kind, fault] as const),
  ),
)('a service that %s: %s is retried only if safe, and ends as a ConnectionError', async (_, kind, fault) => {
  const { url, received } = await serve(fault);
  const { error } = await settle(operations[kind](client(url)));
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
  expect(received).toHaveLength(repeatable.includes(kind) ? 3 : 1);
});

test.each(losses.map(([name, fault], index) => [name, repeatableOf(index), fault] as const))(
  'a service that once %s: %s succeeds',
  async (_, kind, fault) => {
    const { url, received } = await serve(fault, respond({ data: { id: 1, list: [], total: 0 } }));
    const { value, error } = await settle(operations[kind](client(url)));
    expect(error).toBeUndefined();
    if (kind === 'PUT') expect(value).toMatchObject({ id: 1 });
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toBe(received[0]?.body);
  },
);

test.each(kinds)('a refused connection: %s is retried, and ends as certainly not sent', async (kind) => {
  let attempts = 0;
  const counted: typeof globalThis.fetch = (input, init) => {
    attempts += 1;
    return fetch(input, init);
  };
  const { error } = await settle(operations[kind](client(refusedUrl, { fetch: counted, trustConnectErrors: true })));
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no' });
  expect(attempts).toBe(3);
});

/** A fetch whose first requests go to an address without a server. */
function refusedFirst(times: number): (url: string, init: RequestInit) => Promise<Response> {
  let left = times;
  return (url, init) => {
    left -= 1;
    return fetch(left >= 0 ? refusedUrl : url, init);
  };
}

test('an operation that creates is sent again after a refused connection, and arrives once', async () => {
  const { url, received } = await serve(respond({ data: { id: 7 } }));
  const api = client(url, { fetch: refusedFirst(2), trustConnectErrors: true });
  const { value } = await settle(operations['POST that creates'](api));
  expect(value).toEqual({ id: 7 });
  expect(received.map(({ body }) => body)).toEqual([JSON.stringify({ message: words })]);
});

test.each([
  ['a lost response', [reset, status(404)], undefined, 2],
  ['a lost response and a full queue', [reset, status(429, { 'Retry-After': '0' }), status(404)], undefined, 3],
  ['two lost responses', [hangUp, truncate, status(404)], undefined, 3],
  ['nothing', [status(404)], 'NotFoundError', 1],
  ['an outage that was answered', [status(503), status(404)], 'NotFoundError', 2],
])('a DELETE answered with 404 after %s succeeds only if a response was lost', async (_, faults, name, requests) => {
  const { url, received } = await serve(...faults);
  const { error } = await settle(operations.DELETE(client(url)));
  // After a lost response, the lost attempt deleted it.
  if (name === undefined) expect(error).toBeUndefined();
  else expect(error).toMatchObject({ name });
  expect(received).toHaveLength(requests);
});

test('a DELETE answered with 404 after a refused connection fails', async () => {
  const { url } = await serve(status(404));
  const { error } = await settle(operations.DELETE(client(url, { fetch: refusedFirst(1), trustConnectErrors: true })));
  expect(error).toMatchObject({ name: 'NotFoundError' });
});

test.each(repeatable.filter((kind) => kind !== 'DELETE'))(
  '%s answered with 404 after a lost response fails',
  async (kind) => {
    const { url } = await serve(reset, status(404));
    const { error } = await settle(operations[kind](client(url)));
    expect(error).toMatchObject({ name: 'NotFoundError' });
  },
);

test.each(
  (
    [
      ['never answers', stall, 'maybe'],
      ['stops within the head', stallInHead, 'maybe'],
      ['stops within the body', stallInBody, 'yes'],
      ['sends a body without end', endless, 'yes'],
    ] as const
  ).flatMap(([name, fault, sent], index) =>
    [repeatableOf(index), 'POST that creates' as const].map((kind) => [name, kind, fault, sent] as const),
  ),
)('a service that %s: %s ends at its deadline', async (_, kind, fault, sent) => {
  const reached = signal();
  const { url, received } = await serve((request, response) => {
    fault(request, response);
    if (sent === 'maybe') reached.give();
  });
  const api = client(url, {
    timeout: 60_000,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      reached.give();
      return response;
    },
  });
  const { error } = await settleAtDeadline(() => operations[kind](api), reached.given);
  expect(error).toMatchObject({ name: 'DeadlineError', sent });
  expect(received).toHaveLength(1);
});

test('one deadline applies to all attempts together', async () => {
  const reached = signal();
  const { url, received } = await serve(reset, hangUp, reached.give);
  const { error } = await settleAtDeadline(() => client(url, { timeout: 60_000 }).crm.users.list(), reached.given);
  expect(error).toMatchObject({ name: 'DeadlineError', sent: 'maybe' });
  expect(received).toHaveLength(3);
});

test('a slow body within the deadline succeeds', async () => {
  const users = Array.from({ length: 20 }, (_, id) => ({ id, name: 'Änn' }));
  const { url, received } = await serve(slowly({ data: users }));
  expect(await settle(client(url).crm.users.list())).toEqual({ value: users });
  expect(received).toHaveLength(1);
});
