import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { maxComparisons } from '../../src/sandbox/crm/contacts/contacts.ts';
import { maxReadForText } from '../../src/sandbox/email/messages/messages.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { maxMarks, maxNesting } from '../../src/sandbox/json.ts';
import { maxListed, maxNameLength, maxUnknown } from '../../src/sandbox/limits.ts';
import { maxViolations } from '../../src/sandbox/long-lists.ts';
import { maxSharedBody, maxWaiting, maxWaitingOfOne } from '../../src/sandbox/shared-use.ts';
import { leastProcessorTime } from './processor-time.ts';
import { deal, send } from './raw.ts';
import { start } from './support.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const within = (own: string) => `${JSON.stringify(deal).slice(0, -1)},"own":${own}}`;
const lastTime = Date.UTC(9999, 0) - 1;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heapInMegabytes(): number {
  collect();
  return process.memoryUsage().heapUsed / 1e6;
}

test('large bodies leave no trace in memory: 20 requests of 5 MB', async () => {
  const { sandbox } = start();
  const file = 'QUJD'.repeat(1_250_000);
  const ask = async (index: number): Promise<void> => {
    const body = `{"file":"${index} ${file}"}`;
    expect((await send(sandbox, 'POST /crm/v1/deals/get-list', { body })).status).toBe(200);
  };
  // The first request compiles code, which stays in memory.
  await ask(0);
  const before = heapInMegabytes();
  for (let index = 1; index <= 20; index += 1) await ask(index);
  // A tenth of the bytes sent.
  expect(heapInMegabytes() - before).toBeLessThan(10);
});

test.each([
  ['arrays', nested(5_000)],
  ['objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ['101 levels', nested(100)],
])('refuses a body that is nested too deeply, and stores nothing: %s', async (_, own) => {
  const { sandbox } = start();
  const before = sandbox.snapshot().state;
  const response = await send(sandbox, 'POST /crm/v1/deals', { body: within(own) });
  expect([response.status, response.headers.get('x-sandbox-choice')]).toEqual([400, 'body-nesting']);
  expect((await response.json()).message).toContain('100 levels');
  expect(sandbox.snapshot().state).toEqual(before);
  expect(() => JSON.stringify(sandbox.requests)).not.toThrow();
});

test('ignores brackets in strings when it measures nesting', async () => {
  const { sandbox } = start();
  const own = JSON.stringify([`${'['.repeat(300)}"\\`, '\\"[', `${'{'.repeat(300)}\\`]);
  expect((await send(sandbox, 'POST /crm/v1/deals', { body: within(own) })).status).toBe(200);
  expect((await send(sandbox, 'POST /crm/v1/deals', { body: within(nested(99)) })).status).toBe(200);
});

test.each([1e300, 8.64e15, lastTime + 1, -1, Number.NaN, Number.POSITIVE_INFINITY])(
  'refuses an invalid date as start, and in freeze and advance: %d',
  async (time) => {
    expect(() => createSandbox({ startAt: time })).toThrow(RangeError);
    const { sandbox } = start({ control: true });
    const now = sandbox.clock.now();
    expect(() => sandbox.clock.freeze(time)).toThrow(RangeError);
    expect(() => sandbox.clock.advance(time)).toThrow(RangeError);
    expect((await send(sandbox, 'POST /__sandbox/clock/freeze', { body: { at: time } })).status).toBe(400);
    expect((await send(sandbox, 'POST /__sandbox/clock/advance', { body: { milliseconds: time } })).status).toBe(400);
    expect(sandbox.clock.now()).toBe(now);
  },
);

test('at the last time of the clock, every year still has four digits', async () => {
  const sandbox = createSandbox({ startAt: lastTime - 60_000 });
  sandbox.clock.freeze();
  const replies = await Promise.all(
    ['GET /smtp/emails', 'GET /crm/v1/pipelines', 'GET /push/tasks'].map((request) => send(sandbox, request)),
  );
  for (const reply of replies) {
    expect(reply.status).toBe(200);
    expect(await reply.text()).not.toMatch(/[+-]\d{6}-/);
  }
});

test('refuses a seed that is too large at once, and resets nothing', async () => {
  const { sandbox } = start({ control: true });
  const { state } = sandbox;
  for (const seed of [9e15, 1_000_001, 1e300, -1, 0.5]) {
    expect(() => createSandbox({ seed })).toThrow(RangeError);
    expect((await send(sandbox, 'POST /__sandbox/reset', { body: { seed } })).status).toBe(400);
  }
  expect(sandbox.state).toBe(state);
});

const wrong = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
const lists: [string, (items: string) => string, string[]][] = [
  ['POST /smtp/unsubscribe', (items) => `{"emails":${items}}`, ['emails', '0']],
  ['POST /crm/v1/contacts', (items) => `{"responsibleId":77,"attributes":${items}}`, ['attributes', '0']],
  ['POST /crm/v1/deals', (items) => `{"pipelineId":1,"attributes":${items}}`, ['attributes', '0']],
];

test.each(lists)('as many wrong items as a body may have get a small reply: %s', async (request, bodyOf, place) => {
  const { sandbox } = start();
  const response = await send(sandbox, request, { body: bodyOf(wrong(maxMarks - 10)) });
  const text = await response.text();
  expect([response.status, text.length < 10_000]).toEqual([422, true]);
  const { violations, violationCount } = JSON.parse(text);
  expect(violations).toHaveLength(20);
  expect(violations[0].location).toEqual(['body', ...place]);
  expect(violationCount).toBeGreaterThanOrEqual(1_000);
});

test.each(lists)('more items are refused before they are parsed, with the limit: %s', async (request, bodyOf) => {
  const { sandbox } = start();
  const before = sandbox.snapshot().state;
  const body = bodyOf(wrong(5_000_000));
  let reply: Response | undefined;
  expect(await leastProcessorTime(async () => (reply = await send(sandbox, request, { body })))).toBeLessThan(150);
  expect([reply?.status, reply?.headers.get('x-sandbox-choice')]).toEqual([413, 'body-items']);
  expect((await reply?.json())?.message).toContain(`more than ${maxMarks} commas, colons`);
  expect(sandbox.snapshot().state).toEqual(before);
});

test.each(['POST /__sandbox/faults', 'POST /__sandbox/scenario', 'POST /__sandbox/reset'])(
  'a control request with too many items is refused, too: %s',
  async (request) => {
    const { sandbox } = start({ control: true });
    const reply = await send(sandbox, request, { body: `{"body":${wrong(maxMarks)}}` });
    expect(reply.status).toBe(413);
  },
);

test('JSON inside a text has the same limit', async () => {
  const { sandbox } = start();
  const body = { title: 't', website_id: 42, body: 'b', ttl: 60, buttons: `[${'[],'.repeat(2_000_000)}1]` };
  let status = 0;
  const ask = async () => ({ status } = await send(sandbox, 'POST /push/tasks', { body }));
  expect(await leastProcessorTime(ask)).toBeLessThan(300);
  expect(status).toBe(422);
});

test('commas and brackets in texts are no items', async () => {
  const { sandbox } = start();
  const own = JSON.stringify('[{,:'.repeat(maxMarks));
  expect((await send(sandbox, 'POST /crm/v1/deals', { body: within(own) })).status).toBe(200);
});

test.each([
  ['html', (text: string) => ({ text: 't', html: text })],
  ['attachments_binary', (text: string) => ({ text: 't', html: 'QUJD', attachments_binary: { a: text } })],
])('12 million characters of Base64 take little processor time: %s', async (_, more) => {
  const { sandbox } = start();
  const given = { subject: 's', from: { email: 'sales@example.com' }, to: [{ email: 'ann@example.com' }] };
  const body = JSON.stringify({ email: { ...given, ...more('QUJD'.repeat(3_000_000)) } });
  let status = 0;
  const ask = async () => ({ status } = await send(sandbox, 'POST /smtp/emails', { body }));
  expect(await leastProcessorTime(ask)).toBeLessThan(500);
  expect(status).toBe(200);
});

test('variables of a template cannot fill the memory', async () => {
  const { sandbox } = start({ control: true });
  const html = '{{a}}'.repeat(100_000);
  const template = { id: '9', realId: '9', html, text: null };
  await send(sandbox, 'PUT /__sandbox/state', { body: { state: { email: { templates: [template] } } } });
  const given = { subject: 's', from: { email: 'sales@example.com' }, to: [{ email: 'ann@example.com' }] };
  const of = (a: string) => ({ email: { ...given, template: { id: '9', variables: { a } } } });
  expect((await send(sandbox, 'POST /smtp/emails', { body: of('x') })).status).toBe(200);
  expect((await send(sandbox, 'POST /smtp/emails', { body: of('x'.repeat(100_000)) })).status).toBe(413);
});

test('finds a wrong item far back in a long list, and violations beside the list', async () => {
  const { sandbox } = start();
  const emails = [...Array.from({ length: 5_000 }, (_, index) => ({ email: `${index}@example.com` })), { email: 7 }];
  const response = await send(sandbox, 'POST /smtp/unsubscribe', { body: { emails } });
  expect(await response.json()).toMatchObject({
    message:
      'The request does not match the specification: body.emails.5000.email: Invalid input: expected string, received number',
    violations: [{ location: ['body', 'emails', '5000', 'email'] }],
    violationCount: 1,
  });
  const variables = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`name${index}`, index]));
  const campaign = await send(sandbox, 'POST /msgr', { body: { variables } });
  const { violations, violationCount } = await campaign.json();
  expect(violations[0].location).toEqual(['body', 'variables', 'name0']);
  expect(violationCount).toBeGreaterThan(1_000);
});

test('refuses a list that is too long but otherwise valid for its length', async () => {
  const { sandbox } = start();
  const emails = Array.from({ length: 2_000 }, (_, index) => String(index));
  const response = await send(sandbox, 'POST /smtp/emails/info', { body: { emails } });
  expect(await response.json()).toMatchObject({ violations: [{ location: ['body', 'emails'] }], violationCount: 1 });
});

test('long names do not make a long reply', async () => {
  const { sandbox } = start();
  const body = `{"variables":{"${'x'.repeat(1_000_000)}":1}}`;
  const response = await send(sandbox, 'POST /msgr', { body });
  expect((await response.text()).length).toBeLessThan(5_000);
});

test("the client's error shows the first violation", async () => {
  const { api } = start();
  // @ts-expect-error: JavaScript can send a name that is not text
  const call = api.crm.deals.create({ ...deal, name: 7 });
  await expect(call).rejects.toThrow(/body\.name: Invalid input: expected string, received number/);
});

test('logs a long query in linear time', async () => {
  const { sandbox } = start();
  for (const text of ['?', '&', '=', '%'])
    expect(await leastProcessorTime(() => send(sandbox, `GET /x?${text.repeat(100_000)}`))).toBeLessThan(500);
});

test.each<[string, number[]]>([
  ['a request body', [maxSharedBody / 1e6]],
  ['nesting of arrays and objects', [maxNesting]],
  ['violations in a reply', [maxListed, maxViolations]],
  ['requests that wait', [maxWaiting, maxWaitingOfOne]],
  ['conditions and attributes', [maxComparisons]],
  ['fields of a body that the spec does not describe', [maxUnknown]],
  ['commas, colons and opening brackets', [maxMarks]],
  ['HTML from which a text is generated', [maxReadForText]],
  ['name of a world in a header', [maxNameLength]],
])('the guide names the limit of the sandbox for: %s', (what, limits) => {
  const guide = readFileSync(join(repositoryRoot, 'docs/guides/sandbox-reference.md'), 'utf8');
  const [row = '', ...more] = guide.split('\n').filter((line) => line.startsWith(`| ${what}`));
  expect(more).toEqual([]);
  const numbers = row.match(/\d+(?:,\d{3})*/g) ?? [];
  for (const limit of limits) expect(numbers).toContain(limit.toLocaleString('en-US'));
});
