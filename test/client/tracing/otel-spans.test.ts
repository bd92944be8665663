import { expect, onTestFinished, test, vi } from 'vitest';
import { respond, serve, stall, status } from '../../support/fault-server.ts';
import { refusedUrl } from '../../support/ports.ts';
import { tracedClient, useTracing } from './traced-client.ts';

const { exporter, spans } = useTracing();
const deal = respond({ data: { id: 501 } });

test('a call is a span with a child per attempt, with the HTTP client attributes of the conventions', async () => {
  const { url } = await serve(deal);
  await tracedClient(url).crm.deals.get({ dealId: 501 });
  expect(spans()).toEqual(['INTERNAL GET /deals/{dealId} attempts 1 sent yes', '  CLIENT GET /deals/{dealId} 200']);
  const [one, call] = exporter.getFinishedSpans();
  const shared = {
    'http.request.method': 'GET',
    'url.template': '/deals/{dealId}',
    'carillon.operation_id': 'getDeal',
  };
  expect(one?.attributes).toEqual({
    ...shared,
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(url).port),
    'http.response.status_code': 200,
  });
  expect(call?.attributes).toEqual({ ...shared, 'carillon.sent': 'yes', 'carillon.attempts': 1 });
});

test('a retry: each attempt is a span, with the resend count', async () => {
  const { url } = await serve(status(503), deal);
  await tracedClient(url).crm.deals.get({ dealId: 501 });
  expect(spans()).toEqual([
    'INTERNAL GET /deals/{dealId} attempts 2 sent yes',
    '  CLIENT GET /deals/{dealId} 503 error 503',
    '  CLIENT GET /deals/{dealId} 200 resend 1',
  ]);
});

test('a replay after a 401: token requests are calls of their own', async () => {
  const token = respond({ access_token: 't0ken-1', token_type: 'Bearer', expires_in: 3600 });
  const { url } = await serve(token, status(401), respond({ access_token: 't0ken-2', expires_in: 3600 }), deal);
  const auth = { clientId: 'client-id', clientSecret: 'cl13nt-s3cret' };
  await tracedClient(url, { auth }).crm.deals.get({ dealId: 501 });
  const tokenRequest = [
    'INTERNAL POST /oauth/access_token attempts 1 sent yes',
    '  CLIENT POST /oauth/access_token 200',
  ];
  expect(spans()).toEqual([
    'INTERNAL GET /deals/{dealId} attempts 2 sent yes',
    '  CLIENT GET /deals/{dealId} 401 error 401',
    '  CLIENT GET /deals/{dealId} 200 resend 1',
    ...tokenRequest,
    ...tokenRequest,
  ]);
});

test('a deadline ends the spans of the attempt and of the call', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { url, received } = await serve(stall);
  const ended = expect(tracedClient(url, { timeout: 30 }).crm.deals.get({ dealId: 501 })).rejects.toThrow('30 ms');
  while (received.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(30);
  await ended;
  expect(spans()).toEqual([
    'INTERNAL GET /deals/{dealId} attempts 1 sent maybe error DeadlineError',
    '  CLIENT GET /deals/{dealId} error DeadlineError',
  ]);
});

test.each<[string, unknown, string]>([
  ['without a reason', undefined, 'AbortError'],
  ['with a reason of its own, whose name is not told', Object.assign(new Error(), { name: 'User 501 left' }), '_OTHER'],
])('an abort %s ends both spans', async (_, reason, type) => {
  const controller = new AbortController();
  const { url } = await serve(() => controller.abort(reason));
  const call = tracedClient(url).crm.deals.create(
    { pipelineId: 1, stepId: 2, name: 'Renewal' },
    { signal: controller.signal },
  );
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toBe(controller.signal.reason);
  expect(spans()).toEqual([
    `INTERNAL POST /deals attempts 1 sent maybe error ${type}`,
    `  CLIENT POST /deals error ${type}`,
  ]);
});

test('a failure answer is an error of the call, by method and by path', async () => {
  const { url } = await serve(status(404));
  const api = tracedClient(url);
  await expect(api.crm.deals.get({ dealId: 501 })).rejects.toThrow('404');
  await api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  const expected = [
    'INTERNAL GET /deals/{dealId} attempts 1 sent yes error NotFoundError',
    '  CLIENT GET /deals/{dealId} 404 error 404',
  ];
  expect(spans()).toEqual([...expected, ...expected]);
});

test('a deletion by a lost attempt is no error of the call, although the last attempt got 404', async () => {
  const { url } = await serve(status(504), status(404));
  await tracedClient(url).crm.deals.delete({ dealId: 501 });
  expect(spans()).toEqual([
    'INTERNAL DELETE /deals/{dealId} attempts 2 sent yes',
    '  CLIENT DELETE /deals/{dealId} 504 error 504',
    '  CLIENT DELETE /deals/{dealId} 404 resend 1 error 404',
  ]);
});

test('a refused connection has no status', async () => {
  await expect(tracedClient(refusedUrl, { maxRetries: 0 }).crm.users.list()).rejects.toThrow('could not connect');
  expect(spans()).toEqual([
    'INTERNAL GET /users attempts 1 sent no error ConnectionError',
    '  CLIENT GET /users error TypeError',
  ]);
});

test('a call that fails before it is sent has no attempt', async () => {
  await expect(tracedClient('https://api.example.com').email.messages.get({ id: '..' })).rejects.toThrow(
    "must not be '.' or '..'",
  );
  expect(spans()).toEqual(['INTERNAL GET /smtp/emails/{id} attempts 0 sent no error ArgumentError']);
});

test('no span contains an id, a search term, a body, a credential or a message of the service', async () => {
  const refused = status(422, {}, JSON.stringify({ message: 'plan-of-ann is not allowed', error_code: 7 }));
  const { url } = await serve(refused);
  const api = tracedClient(url, { headers: { 'x-tenant': 'tenant-9' } });
  await Promise.allSettled([
    api.crm.deals.get({ dealId: 987654 }),
    api.crm.deals.create({ pipelineId: 1, stepId: 2, name: 'plan-of-ann' }),
    api.email.messages.list({ sender: 'ann@example.com' }),
  ]);
  const finished = exporter.getFinishedSpans();
  const told = JSON.stringify(
    finished.map(({ name, attributes, events, links, status }) => ({ name, attributes, events, links, status })),
  );
  expect(finished).toHaveLength(6);
  expect(told).toContain('UnprocessableEntityError');
  for (const secret of ['987654', 'plan-of-ann', 'ann@example', 'ann%40', 'k3y-value', 'tenant-9', 'not allowed']) {
    expect(told).not.toContain(secret);
  }
});

test('a call to a path that cannot be resolved in a page has a span with its error', async () => {
  await expect(tracedClient('/api').crm.deals.get({ dealId: 501 })).rejects.toThrow('not on a server');
  expect(spans()).toEqual(['INTERNAL GET /deals/{dealId} attempts 0 sent no error ConfigError']);
});

test('a path that is not a template is in no span', async () => {
  const call = Reflect.apply(tracedClient('https://api.example.com').crm.GET, undefined, ['/deals/987654']);
  await expect(call).rejects.toMatchObject({ name: 'ArgumentError' });
  expect(spans()).toEqual(['INTERNAL GET attempts 0 sent no error ArgumentError']);
  expect(JSON.stringify(exporter.getFinishedSpans()[0]?.attributes)).not.toContain('987654');
});
