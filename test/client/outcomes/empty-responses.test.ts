import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serve, status } from '../../support/fault-server.ts';
import { clientOf, failureOf } from './support.ts';

const json = { 'Content-Type': 'application/json' };
const renewal = { pipelineId: 1, stepId: 11, name: 'Renewal' };

/** A server that sends these bytes to each request in turn, and closes the connection. */
async function serveBytes(...responses: string[]): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.end(responses[Math.min(requests, responses.length - 1)] ?? '');
      requests += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
}

test.each([
  ['an empty 200', 200, ''],
  ['a 204', 204, ''],
  ['null', 200, 'null'],
  ['{"data": null}', 200, '{"data": null}'],
])('%s is not a success if a payload is documented', async (_, code, body) => {
  const { url, received } = await serve(status(code, json, body));
  const api = clientOf(url);
  const failed = { name: 'ResponseError', status: code, sent: 'maybe', attempts: 1 };
  expect(await failureOf(api.crm.deals.get({ dealId: 501 }))).toMatchObject(failed);
  expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject(failed);
  expect(await failureOf(api.crm.users.list())).toMatchObject(failed);
  expect(received).toHaveLength(3);
});

test('an empty list is complete only if the service says that it is empty', async () => {
  const { url } = await serve(status(200, json));
  const list = clientOf(url).crm.contacts.list().toArray({ max: 10, complete: true });
  expect(await failureOf(list)).toMatchObject({ name: 'ResponseError', sent: 'maybe' });
});

test('{"data": null} is not a list if the payload lies deeper', async () => {
  const { url } = await serve(status(200, json, '{"data": null}'));
  const { crm, messaging } = clientOf(url);
  for (const call of [crm.contacts.list().withResponse(), messaging.blacklist.list()]) {
    expect(await failureOf(call)).toMatchObject({ name: 'ResponseError', sent: 'maybe' });
  }
});

test('an operation without a documented payload accepts an empty body', async () => {
  const { url } = await serve(status(200));
  expect(await clientOf(url).crm.deals.delete({ dealId: 501 })).toBeUndefined();
});

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 27\r\n\r\n';
const whole = `${head}{"data": {"id": 501, "a":1}}`.replace('27', '28');

test.each([
  ['right after the headers', head],
  ['within the body', `${head}{"data": {"id"`],
])('repeats a reading call if the response is cut %s', async (_, cut) => {
  const { url, requests } = await serveBytes(cut, whole);
  expect(await clientOf(url).crm.deals.get({ dealId: 501 })).toMatchObject({ id: 501 });
  expect(requests()).toBe(2);
});

test.each([
  ['right after the headers', head],
  ['within the body', `${head}{"data": {"id"`],
])('neither accepts a response that is cut %s nor repeats the creation', async (_, cut) => {
  const { url, requests } = await serveBytes(cut, whole);
  const error = await failureOf(clientOf(url).crm.deals.create(renewal));
  expect(error).toMatchObject({ attempts: 1 });
  expect(['yes', 'maybe']).toContain(Reflect.get(Object(error), 'sent'));
  expect(requests()).toBe(1);
});

test('a cut that fetch hides is never a success where a body is documented', async () => {
  for (const text of ['', '{"data": {"id"']) {
    const response = () => new Response(text, { headers: { ...json, 'Content-Length': '27' } });
    const api = clientOf('https://api.example.com', { fetch: async () => response() });
    const failed = { name: 'ResponseError', status: 200, sent: 'maybe', attempts: 1, body: text };
    expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject(failed);
    expect(await failureOf(api.crm.deals.get({ dealId: 501 }))).toMatchObject(failed);
  }
});

test('ignores the Content-Length of a compressed or longer body', async () => {
  const body = JSON.stringify({ data: { id: 501 } });
  const stated: Record<string, string>[] = [
    { 'Content-Length': '900', 'Content-Encoding': 'gzip' },
    { 'Content-Length': '3' },
    { 'Content-Length': 'many' },
  ];
  for (const headers of stated) {
    const api = clientOf('https://api.example.com', { fetch: async () => new Response(body, { headers }) });
    expect(await api.crm.deals.get({ dealId: 501 })).toEqual({ id: 501 });
  }
});
