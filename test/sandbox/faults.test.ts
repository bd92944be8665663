import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { createClient } from '../../src/client/index.ts';
import { faultFields } from '../../src/sandbox/faults/fault-fields.ts';
import { fitsPattern } from '../../src/sandbox/faults/fault-match.ts';
import { createSandbox, DroppedConnection, type Fault, type Sandbox } from '../../src/sandbox/index.ts';
import { serve } from '../../src/shared/server/serve.ts';
import { deal, origin, send } from './raw.ts';
import { start } from './support.ts';

const deals = 'POST /crm/v1/deals';

test("a status replaces the operation's response the requested number of times", async () => {
  const { sandbox } = start();
  const before = sandbox.state.crm.deals.size;
  sandbox.faults.add({ status: 503, body: { message: 'Later' }, headers: { 'retry-after': '7' }, times: 2 });
  for (const _ of [1, 2]) {
    const response = await send(sandbox, deals, { body: deal });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7']);
    expect(await response.json()).toEqual({ message: 'Later' });
  }
  expect(sandbox.state.crm.deals.size).toBe(before);
  expect((await send(sandbox, deals, { body: deal })).ok).toBe(true);
  expect(sandbox.faults.list()).toEqual([]);
});

test('a body is parsed once for all faults that ask for a part of it', async () => {
  const { sandbox } = start();
  for (let name = 0; name < 100; name += 1)
    sandbox.faults.add({ status: 503, match: { body: { name: String(name) } } });
  const body = JSON.stringify({ ...deal, name: '99' });
  const parse = vi.spyOn(JSON, 'parse');
  expect((await send(sandbox, deals, { body })).status).toBe(503);
  expect(parse.mock.calls.filter(([text]) => text === body)).toHaveLength(1);
});

test('a fault of one operation does not affect others', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ operation: 'createDeal', status: 500 });
  expect((await send(sandbox, 'GET /crm/v1/deals/501')).status).toBe(200);
  expect((await send(sandbox, deals, { body: deal })).status).toBe(500);
});

test.each([
  ['before', 0],
  ['after', 1],
] as const)('a connection that drops %s the request is processed adds %i deals', async (drop, more) => {
  const { sandbox } = start();
  const before = sandbox.state.crm.deals.size;
  sandbox.faults.add({ drop });
  await expect(send(sandbox, deals, { body: deal })).rejects.toThrow(DroppedConnection);
  expect(sandbox.state.crm.deals.size).toBe(before + more);
  expect(sandbox.requests.at(-1)).not.toHaveProperty('status');
});

test('a client reports a dropped connection, and retries a reading call', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { sandbox } = start();
  const api = createClient({ baseUrl: origin, auth: { apiKey: 'any' }, fetch: sandbox.fetch });
  sandbox.faults.add({ drop: 'after' });
  expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject({ id: 501 });
  expect(sandbox.requests.map(({ status }) => status)).toEqual([undefined, 200]);
});

test('a delay postpones the response, and ends on abort', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { sandbox } = start();
  sandbox.faults.add({ delay: 20 });
  let status = 0;
  const call = send(sandbox, 'GET /crm/v1/deals/501').then((response) => ({ status } = response));
  await vi.advanceTimersByTimeAsync(19);
  expect(status).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  await call;
  expect(status).toBe(200);

  sandbox.faults.add({ delay: 3_000_000 });
  const leave = new AbortController();
  const headers = { authorization: 'Bearer any' };
  const left = sandbox.fetch(`${origin}/crm/v1/deals/501`, { headers, signal: leave.signal });
  await vi.advanceTimersByTimeAsync(20);
  leave.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
});

/** Sends a creation whose caller leaves during the delay of a fault. */
async function leaveDuring(sandbox: Sandbox, fault: Fault): Promise<void> {
  sandbox.faults.add({ delay: 3_000_000, ...fault });
  const leave = new AbortController();
  const creating = sandbox.fetch(`${origin}/crm/v1/deals`, {
    method: 'POST',
    headers: { authorization: 'Bearer any' },
    body: JSON.stringify(deal),
    signal: leave.signal,
  });
  await vi.waitUntil(() => sandbox.faults.list().length === 0, { interval: 1 });
  leave.abort(new Error('left'));
  await expect(creating).rejects.toThrow('left');
}

test.each<[Fault, number]>([
  [{}, 1],
  [{ delayAt: 'after' }, 1],
  [{ delayAt: 'before' }, 0],
  [{ drop: 'after' }, 1],
  [{ drop: 'before' }, 0],
  [{ status: 503 }, 0],
])('a caller who leaves during the delay of %j leaves %i deals', async (fault, more) => {
  const { sandbox } = start();
  const before = sandbox.state.crm.deals.size;
  await leaveDuring(sandbox, fault);
  expect(sandbox.state.crm.deals.size).toBe(before + more);
});

test('lists faults as copies, and clears them', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ status: 500, times: 3 });
  const [listed] = sandbox.faults.list();
  if (listed) listed.times = 100;
  expect(sandbox.faults.list()).toEqual([{ id: 1, status: 500, times: 3, seen: 0 }]);
  sandbox.faults.clear();
  expect((await send(sandbox, 'GET /crm/v1/deals/501')).status).toBe(200);
});

test.each<[string, object]>([
  ['There is no operation', { operation: 'createDeals', status: 500 }],
  [
    '{contactId} is not in the path of getDeal',
    { operation: 'getDeal', match: { parameters: { contactId: 1 } }, status: 500 },
  ],
  ['{id_} is not in the path of any operation', { match: { parameters: { id_: 1 } }, status: 500 }],
  ['nth', { status: 500, nth: 0 }],
  ['probability', { status: 500, probability: 0 }],
  ['probability', { status: 500, probability: 1.1 }],
  ['randomSeed', { status: 500, randomSeed: 0.5 }],
  ['A fault must have status, delay, slowBody or drop', { operation: 'createDeal' }],
  ['headers require status', { delay: 1, headers: { 'retry-after': '1' } }],
  ['not both', { status: 500, body: {}, text: '{' }],
  ['min must not be larger than max', { delay: { min: 2, max: 1 } }],
  ['slowBody', { slowBody: 3_600_001 }],
  ['there is no property oprtation. Did you mean operation?', { oprtation: 'getDeal', status: 500 }],
  ['Unrecognized key: "header"', { match: { header: {} }, status: 500 }],
  [
    'Content-Length cannot be set, because the server derives it from the body',
    { status: 500, text: 'x', headers: { 'Content-Length': '5' } },
  ],
  ['transfer-encoding cannot be set', { status: 500, headers: { 'transfer-encoding': 'chunked' } }],
  ['headers: ', { status: 500, headers: { 'a b': '1' } }],
  ['headers: ', { status: 500, headers: { a: 'line\nbreak' } }],
  ['expected object', null as never],
  ['times', { status: 500, times: 0 }],
  ['times', { status: 500, times: 1.5 }],
  ['status', { status: 42 }],
  ['body', { status: 204, body: {} }],
  ['body', { delay: 1, body: {} }],
  ['delay', { delay: -1 }],
  ['delayAt requires delay', { status: 500, delayAt: 'before' }],
  ['delayAt', { delay: 1, delayAt: 'during' }],
  ['delay', { delay: 3_600_001 }],
])('a fault that could never happen is invalid: %s', (reason, fault) => {
  const { sandbox } = start();
  // Untyped callers can pass anything.
  const add = () => sandbox.faults.add(fault as Fault);
  expect(add).toThrow(RangeError);
  expect(add).toThrow(reason);
  expect(sandbox.faults.list()).toEqual([]);
});

const statuses = async (sandbox: Sandbox, requests: readonly string[]): Promise<number[]> => {
  const found: number[] = [];
  for (const request of requests) found.push((await send(sandbox, request)).status);
  return found;
};
const getDeal = 'GET /crm/v1/deals/501';

test('a fault can wait for the nth matching request', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ operation: 'getDeal', nth: 3, times: 2, status: 503 });
  const requests = [getDeal, 'GET /crm/v1/users', getDeal, getDeal, getDeal, getDeal];
  expect(await statuses(sandbox, requests)).toEqual([200, 200, 200, 503, 503, 200]);
});

test('a fault can last until removed, while others stay', async () => {
  const { sandbox } = start();
  const id = sandbox.faults.add({ operation: 'getDeal', times: 'always', status: 503 });
  const other = sandbox.faults.add({ operation: 'listUsers', status: 500 });
  expect(await statuses(sandbox, Array(5).fill(getDeal))).toEqual(Array(5).fill(503));
  expect(sandbox.faults.list()).toMatchObject([{ id, times: 'always', seen: 5 }, { id: other }]);
  expect([sandbox.faults.remove(id), sandbox.faults.remove(id)]).toEqual([true, false]);
  expect(await statuses(sandbox, [getDeal, 'GET /crm/v1/users'])).toEqual([200, 500]);
});

test('a fault matches a path value', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ operation: 'getDeal', match: { parameters: { dealId: 501 } }, status: 503 });
  expect(await statuses(sandbox, ['GET /crm/v1/deals/502', getDeal])).toEqual([404, 503]);
  sandbox.faults.add({ match: { parameters: { contactId: '3001' } }, status: 503 });
  expect(await statuses(sandbox, [getDeal, 'GET /crm/v1/contacts/3001'])).toEqual([200, 503]);
});

test.each<[unknown, number]>([
  [{ name: deal.name }, 503],
  [{ name: 'Other' }, 200],
  [{ contact: [3001] }, 503],
  [{ contact: [3002] }, 200],
  [{ contact: [3001, 3002, 3003] }, 200],
  [{ contact: {} }, 200],
  [{ attributes: [{ value: 'a' }] }, 503],
  [{ toString: {} }, 200],
  [null, 200],
  [{}, 503],
])('a fault matches a part of the body: %j → %i', async (part, status) => {
  const { sandbox } = start();
  sandbox.faults.add({ match: { body: part }, status: 503 });
  const body = { ...deal, contact: [3001, 3002], attributes: [{ attributeId: 61, value: 'a' }] };
  const response = await send(sandbox, deals, { body });
  expect(response.status === 503 ? 503 : 200).toBe(status);
});

test('the same seed gives the same random sequence', async () => {
  const draw = async (randomSeed: number): Promise<number[]> => {
    const { sandbox } = start();
    sandbox.faults.add({ probability: 0.3, randomSeed, status: 503, times: 'always' });
    return statuses(sandbox, Array(200).fill(getDeal));
  };
  const first = await draw(7);
  expect(await draw(7)).toEqual(first);
  expect(await draw(8)).not.toEqual(first);
  const failed = first.filter((status) => status === 503).length;
  expect(failed).toBeGreaterThan(40);
  expect(failed).toBeLessThan(80);
});

test.each<[string, (faults: Fault[]) => Sandbox]>([
  [
    'added ones',
    (faults) => {
      const sandbox = createSandbox();
      for (const fault of faults) sandbox.faults.add(fault);
      return sandbox;
    },
  ],
  ['those of the options', (faults) => createSandbox({ faults })],
])('two faults with a probability and no seed do not strike together: %s', async (_, begin) => {
  const one = { operation: 'getDeal', probability: 0.5, times: 'always', status: 503 } as const;
  const sandbox = begin([one, { ...one, operation: 'listUsers' }]);
  const pairs = [];
  for (let count = 0; count < 100; count += 1)
    pairs.push((await statuses(sandbox, [getDeal, 'GET /crm/v1/users'])).map((status) => status === 503));
  const same = pairs.filter(([first, second]) => first === second).length;
  expect(same).toBeGreaterThan(25);
  expect(same).toBeLessThan(75);
});

test('after a reset or a clear, the same faults strike the same requests', async () => {
  const { sandbox } = start();
  const draw = (): Promise<number[]> => {
    sandbox.faults.add({ probability: 0.5, times: 'always', status: 503 });
    return statuses(sandbox, Array(50).fill(getDeal));
  };
  const first = await draw();
  sandbox.reset();
  expect(await draw()).toEqual(first);
  sandbox.faults.clear();
  expect(await draw()).toEqual(first);
});

test('the log names the fault of a request', async () => {
  const { sandbox } = start();
  const id = sandbox.faults.add({ status: 503 });
  await statuses(sandbox, [getDeal, getDeal]);
  expect(sandbox.requests.map(({ fault }) => fault)).toEqual([id, undefined]);
});

test('limits the number of faults to 100, and copies their definitions', () => {
  const { sandbox } = start();
  const body = { message: 'Later' };
  for (let index = 0; index < 100; index += 1) sandbox.faults.add({ status: 500, body });
  expect(() => sandbox.faults.add({ status: 500 })).toThrow(/100 faults/);
  body.message = 'Changed';
  expect(sandbox.faults.list()[0]?.body).toEqual({ message: 'Later' });
  sandbox.faults.remove(1);
  expect(sandbox.faults.add({ status: 500 })).toBe(101);
  const faults = Array.from({ length: 101 }, () => ({ status: 500 }));
  expect(() => start({ faults })).toThrow('There are 101 faults, but at most 100 are permitted');
});

test('a fault matches method and path pattern', async () => {
  const { sandbox } = start();
  const status = async (request: string) => (await send(sandbox, request)).status;
  sandbox.faults.add({ match: { method: 'get', path: '/crm/*/deals/5*1' }, status: 503, times: 'always' });
  expect(await status('GET /crm/v1/deals/501')).toBe(503);
  expect(await status('DELETE /crm/v1/deals/502')).toBe(404);
  expect(await status('GET /crm/v1/contacts/3001')).toBe(200);
  expect(sandbox.faults.list().map(({ seen }) => seen)).toEqual([1]);
});

test.each([
  ['abc', 'abc', true],
  ['abc', 'ab', false],
  ['abc', 'a*', true],
  ['abc', '*', true],
  ['abc', 'a*b*c', true],
  ['abc', 'a*c*b', false],
  ['aba', 'ab*ba', false],
  ['a'.repeat(5_000), `${'*a'.repeat(2_000)}*b`, false],
])('text %s matches pattern %s: %s', (text, pattern, expected) => {
  expect(fitsPattern(text, pattern)).toBe(expected);
});

test("sends a text body unchanged, such as a gateway's HTML or truncated JSON", async () => {
  const { sandbox } = start();
  sandbox.faults.add({ status: 502, text: ' <html>Bad gateway</html>' });
  sandbox.faults.add({ status: 200, text: '{"data": {"id"' });
  sandbox.faults.add({ status: 503, text: 'later', headers: { 'Content-Type': 'text/plain' } });
  const responses = await Promise.all([1, 2, 3].map(() => send(sandbox, 'GET /crm/v1/deals/501')));
  expect(
    await Promise.all(responses.map(async (response) => [response.headers.get('content-type'), await response.text()])),
  ).toEqual([
    ['text/html; charset=utf-8', ' <html>Bad gateway</html>'],
    ['application/json', '{"data": {"id"'],
    ['text/plain', 'later'],
  ]);
});

test('random delays stay in range, and repeat for the same seed', async () => {
  const waits = async (fault: Fault): Promise<number[]> => {
    const { sandbox } = start();
    sandbox.faults.add({ ...fault, status: 503, times: 'always' });
    const found: number[] = [];
    const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementation((act, milliseconds) => {
      found.push(milliseconds ?? 0);
      queueMicrotask(act as () => void);
      return 0 as never;
    });
    for (let count = 0; count < 400; count += 1) await send(sandbox, 'GET /crm/v1/deals/501');
    timer.mockRestore();
    return found;
  };
  const uniform = await waits({ delay: { min: 100, max: 200 } });
  expect([Math.min(...uniform) >= 100, Math.max(...uniform) <= 200, new Set(uniform).size > 390]).toEqual([
    true,
    true,
    true,
  ]);
  expect(await waits({ delay: { min: 100, max: 200 } })).toEqual(uniform);
  expect(await waits({ delay: { min: 100, max: 200 }, randomSeed: 2 })).not.toEqual(uniform);
});

test('a slow body arrives in parts, and a dropped one is incomplete', async () => {
  const { sandbox } = start();
  const whole = await (await send(sandbox, 'GET /crm/v1/deals/501')).text();
  sandbox.faults.add({ slowBody: 20 });
  const slow = await send(sandbox, 'GET /crm/v1/deals/501');
  const parts: number[] = [];
  let text = '';
  for await (const part of slow.body as AsyncIterable<Uint8Array>) {
    parts.push(part.length);
    text += new TextDecoder().decode(part);
  }
  expect([text, parts.length]).toEqual([whole, 10]);
  sandbox.faults.add({ drop: 'during-body' });
  const cut = await send(sandbox, 'GET /crm/v1/deals/501');
  expect(cut.status).toBe(200);
  await expect(cut.text()).rejects.toThrow(DroppedConnection);
});

test('over a socket, resets the connection after half a body or at its next request', async () => {
  const { sandbox } = start();
  const server = await serve(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  let text = '';
  const read = () =>
    new Promise<string>((resolve, reject) => {
      text = '';
      const headers = { authorization: 'Bearer any' };
      get(`${server.url}/crm/v1/deals/501`, { agent, headers }, (response) => {
        response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
      }).on('error', reject);
    });
  const whole = await read();
  sandbox.faults.add({ drop: 'during-body' });
  await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(text).toBe(whole.slice(0, Math.floor(whole.length / 2)));
  sandbox.faults.add({ drop: 'after-body' });
  expect(await read()).toBe(whole);
  await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await read()).toBe(whole);
});

test('a request without a valid credential does not use up a fault', async () => {
  const sandbox = createSandbox({ apiKeys: ['good'] });
  sandbox.faults.add({ status: 503 });
  for (const token of [null, 'bad']) expect((await send(sandbox, 'GET /crm/v1/deals/501', { token })).status).toBe(401);
  expect(sandbox.faults.list()).toMatchObject([{ times: 1, seen: 0 }]);
  expect((await send(sandbox, 'GET /crm/v1/deals/501', { token: 'good' })).status).toBe(503);
});

test('each world starts with the faults of the options, and a reset restores them', async () => {
  const sandbox = createSandbox({ worlds: 'credential', control: true, faults: [{ status: 503 }] });
  for (const token of ['ann', 'ben']) {
    const statuses = [
      await send(sandbox, 'GET /crm/v1/deals/501', { token }),
      await send(sandbox, 'GET /crm/v1/deals/501', { token }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([503, 200]);
  }
  // @ts-expect-error: untyped callers can pass it
  expect(() => createSandbox({ faults: [{ staus: 503 }] })).toThrow('staus');
});

test("the reference's table is generated from the list of properties", () => {
  const guide = readFileSync(join(repositoryRoot, 'docs/guides/sandbox-reference.md'), 'utf8');
  const rows = Object.entries(faultFields).map(
    ([name, { about, without }]) => `| \`${name}\` | ${about} | ${without} |`,
  );
  expect(guide).toContain(`| property | meaning | default |\n|---|---|---|\n${rows.join('\n')}\n\n`);
});
