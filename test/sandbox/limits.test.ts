import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { maxComparisons } from '../../src/sandbox/crm/contacts/contacts.ts';
import { maxReadForText } from '../../src/sandbox/email/messages/messages.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { maxMarks, maxNesting } from '../../src/sandbox/json.ts';
import { maxListed, maxNameLength, maxUnknown } from '../../src/sandbox/limits.ts';
import { maxViolations } from '../../src/sandbox/long-lists.ts';
import { maxSharedBody, maxWaiting, maxWaitingOfOne } from '../../src/sandbox/shared-use.ts';
import { deal, send } from './raw.ts';
import { start } from './support.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const within = (own: string) => `${JSON.stringify(deal).slice(0, -1)},"own":${own}}`;
const lastTime = Date.UTC(9999, 0) - 1;

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
  const parse = vi.spyOn(JSON, 'parse');
  const reply = await send(sandbox, request, { body: bodyOf(wrong(maxMarks)) });
  expect(parse).not.toHaveBeenCalled();
  expect([reply.status, reply.headers.get('x-sandbox-choice')]).toEqual([413, 'body-items']);
  expect((await reply.json()).message).toContain(`more than ${maxMarks} commas, colons`);
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
  const buttons = `[${'[],'.repeat(maxMarks)}1]`;
  const parse = vi.spyOn(JSON, 'parse');
  const body = { title: 't', website_id: 42, body: 'b', ttl: 60, buttons };
  expect((await send(sandbox, 'POST /push/tasks', { body })).status).toBe(422);
  expect(parse).not.toHaveBeenCalledWith(buttons);
});

test('commas and brackets in texts are no items', async () => {
  const { sandbox } = start();
  const own = JSON.stringify('[{,:'.repeat(maxMarks));
  expect((await send(sandbox, 'POST /crm/v1/deals', { body: within(own) })).status).toBe(200);
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
      'The request does not match the specification: body.emails.5000.email: Invalid input: expected string, received number (an assumption: its type is not documented)',
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

test.each([
  [maxUnknown, 201],
  [maxUnknown + 1, 422],
])('of %d own fields, ten thousand are stored, and more refused: status %d', async (length, status) => {
  const own = Object.fromEntries(Array.from({ length }, (_, index) => [`field${index}`, 1]));
  const reply = await send(start().sandbox, 'POST /crm/v1/pipelines', { body: own });
  expect([reply.status, reply.headers.get('x-sandbox-choice') === 'unknown-field-count']).toEqual([
    status,
    status === 422,
  ]);
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
