import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/client/index.ts';
import { type Fault, reset, respond, serve, status } from '../../support/fault-server.ts';
import { clientOf, failureOf } from './support.ts';

const deal = { dealId: 501 };
const done = respond({ data: { id: 501 } });

/** Returns these tokens in turn, and throws the errors among them. */
function tokens(...given: (string | Error)[]) {
  return {
    getToken: () => {
      const next = given.length > 1 ? given.shift() : given[0];
      if (next instanceof Error) throw next;
      return next ?? '';
    },
  };
}

test.each<[string, Fault]>([
  ['an answered 500', status(500)],
  ['a lost response', reset],
])('after %s, a failure to obtain a token reports sent: maybe', async (_, first) => {
  const { url, received } = await serve(first);
  const auth = tokens('token', new Error('vault sealed'));
  const error = await failureOf(clientOf(url, { auth }).crm.deals.delete(deal));
  expect(error).toMatchObject({ name: 'TokenError', sent: 'maybe', attempts: 1 });
  expect(received).toHaveLength(1);
});

test('a failure to obtain a token for the first attempt reports sent: no', async () => {
  const { url } = await serve(done);
  const error = await failureOf(clientOf(url, { auth: tokens(new Error('vault sealed')) }).crm.deals.get(deal));
  expect(error).toMatchObject({ name: 'TokenError', sent: 'no', attempts: 0 });
});

test.each<[string, Fault[], object]>([
  ['lost, then refused', [reset, status(403)], { name: 'PermissionDeniedError', sent: 'maybe' }],
  ['503, then refused', [status(503), status(422)], { name: 'UnprocessableEntityError', sent: 'maybe' }],
  [
    '429, then refused',
    [status(429, { 'Retry-After': '0' }), status(422)],
    { name: 'UnprocessableEntityError', sent: 'yes' },
  ],
  ['refused', [status(422)], { name: 'UnprocessableEntityError', sent: 'yes' }],
])('a DELETE that was %s reports sent for all its attempts', async (_, faults, expected) => {
  const { url } = await serve(...faults);
  expect(await failureOf(clientOf(url).crm.deals.delete(deal))).toMatchObject(expected);
});

test.each([502, 504])('a DELETE answered %i and then 404 counts as done', async (code) => {
  const { url, received } = await serve(status(code), status(404));
  expect(await clientOf(url).crm.deals.delete(deal)).toBeUndefined();
  expect(received).toHaveLength(2);
});

test.each([500, 503])(
  'a DELETE answered %i by the service and then 404 fails, and may have been processed',
  async (code) => {
    const { url, received } = await serve(status(code), status(404));
    const error = await failureOf(clientOf(url).crm.deals.delete(deal));
    expect(error).toMatchObject({ name: 'NotFoundError', sent: 'maybe', attempts: 2 });
    expect(received).toHaveLength(2);
  },
);

test('replays a call once after a 401, whatever happens in between', async () => {
  let issued = 0;
  const getToken = () => {
    issued += 1;
    return `token-${issued}`;
  };
  const { url, received } = await serve(status(401), status(503), status(401), status(503), done);
  const error = await failureOf(clientOf(url, { auth: { getToken }, maxRetries: 9 }).crm.deals.get(deal));
  expect(error).toMatchObject({ name: 'AuthenticationError', sent: 'maybe', attempts: 3 });
  expect(received).toHaveLength(3);
});

test('an abort rejects with its unchanged reason, and the call has sent', async () => {
  const reason = Object.freeze(new Error('The user left'));
  const controller = new AbortController();
  const { url } = await serve(() => controller.abort(reason));
  const call = clientOf(url).crm.boards.create({ name: 'Tasks' }, { signal: controller.signal });
  expect(await failureOf(call)).toBe(reason);
  expect(call.sent).toBe('maybe');
  const byPath = clientOf(url).crm.GET('/users', { signal: AbortSignal.abort(reason) });
  expect(await failureOf(byPath)).toBe(reason);
  expect(byPath.sent).toBe('no');
});

test('an abort whose reason is an error of the client adds nothing to it', async () => {
  const reason = new ConfigError('No key is set');
  const before = Reflect.ownKeys(reason);
  const call = clientOf('http://127.0.0.1').crm.users.list({ signal: AbortSignal.abort(reason) });
  expect(await failureOf(call)).toBe(reason);
  expect(Reflect.ownKeys(reason)).toEqual(before);
});

test.each([[null], [0], [''], [false]])('a call aborted with %j rejects with exactly that value', async (reason) => {
  const before = clientOf('http://127.0.0.1').crm.boards.create({ name: 'x' }, { signal: AbortSignal.abort(reason) });
  expect(await failureOf(before)).toBe(reason);
  expect(before.sent).toBe('no');
  const controller = new AbortController();
  const { url } = await serve(() => controller.abort(reason));
  const during = clientOf(url).crm.boards.create({ name: 'x' }, { signal: controller.signal });
  expect(await failureOf(during)).toBe(reason);
  expect(during.sent).toBe('maybe');
});

test('the call and onEnd report sent, however the call ends', async () => {
  const ended: unknown[] = [];
  const middleware = [{ onEnd: (call: object) => void ended.push(call) }];
  const { url } = await serve(reset, done, status(422), status(503));
  const api = clientOf(url, { middleware });
  const first = api.crm.deals.update({ dealId: 501, pipelineId: 1, stepId: 11, name: 'Renewal', price: 1, status: 1 });
  await first;
  const second = api.crm.boards.create({ name: 'Tasks' });
  const refused = await failureOf(second);
  const third = api.crm.boards.create({ name: 'Tasks' });
  await failureOf(third);
  expect([first.sent, second.sent, third.sent]).toEqual(['yes', 'yes', 'yes']);
  expect(ended).toMatchObject([
    { operationId: 'updateDeal', operation: 'PUT /deals/{dealId}', attempts: 2, sent: 'yes' },
    { operationId: 'createBoard', attempts: 1, sent: 'yes', error: { message: String(refused).replace(/^.*?: /, '') } },
    { operationId: 'createBoard', attempts: 1, sent: 'yes', error: { name: 'ServerError' } },
  ]);
});
