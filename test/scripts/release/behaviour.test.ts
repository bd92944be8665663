import { expect, test } from 'vitest';
import { compareBehaviour, firstDifference, type Sentences } from '../../../scripts/release/behaviour/compare.ts';
import { type Recorded, type Reply, readReply } from '../../../scripts/release/behaviour/exchange.ts';
import { replay } from '../../../scripts/release/behaviour/replay.ts';
import type { Verdict } from '../../../scripts/release/verdict.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { startAt } from '../../sandbox/support.ts';
import { forEach, type Mutation, testMutations } from './mutations.ts';

const sentences: Sentences = {
  'deal-active': { text: 'A new deal is active.\n' },
  'deal-name-needed': { text: 'A deal needs a name.' },
};

const request = (method: string, path: string) => ({ method, path, headers: {} });

/** Recorded steps of an old release's tests with three sandboxes, with the replies of the judged release. */
const base: Recorded[] = [
  {
    options: { startAt },
    steps: [
      {
        test: 'deals > a new deal is active [deal-active]',
        request: request('POST', '/crm/v1/deals'),
        reply: { status: 200, body: { data: { id: 9001, active: true, tags: ['new'], price: null } } },
      },
      { advance: 1_000 },
      {
        test: 'deals > a new deal is active [deal-active]',
        request: request('GET', '/crm/v1/deals/9001?full=1'),
        reply: { status: 200, body: { data: { id: 9001, active: true } } },
      },
    ],
  },
  {
    options: { startAt },
    steps: [
      {
        test: 'a deal needs a name [deal-name-needed]',
        request: request('POST', '/crm/v1/deals'),
        reply: { status: 422, rule: 'deal-name-needed', body: { code: 3084 } },
      },
    ],
  },
  {
    options: { startAt },
    steps: [
      {
        test: 'a tag is deleted [tag-delete]',
        request: request('DELETE', '/crm/v1/tags/7'),
        reply: { status: 204, body: '' },
      },
      {
        test: 'a tag is deleted [tag-delete]',
        request: request('DELETE', '/crm/v1/tags/7'),
        reply: { status: 404, choice: 'unknown-record', body: {} },
      },
    ],
  },
];

type Change = Mutation<Recorded[]>;

function reply(data: Recorded[], sandbox: number, step: number): Reply {
  const found = data[sandbox]?.steps[step] ?? expect.unreachable();
  return 'reply' in found ? found.reply : expect.unreachable();
}

function dataOf(data: Recorded[], step: number): Record<string, unknown> {
  return Object(Object(reply(data, 0, step).body).data);
}

/** Judges recordings by the replies of changed ones. */
function compare(before: Recorded[], after: Recorded[]): Verdict[] {
  const differences = before.flatMap((one, at) => {
    const replies = after[at]?.steps.map((step) => ('reply' in step ? step.reply : undefined)) ?? [];
    return firstDifference(one, replies) ?? [];
  });
  return compareBehaviour(differences, sentences);
}

const successes = [
  [0, 0],
  [0, 2],
  [2, 0],
] as const;

const breaking: Change[] = [
  ...forEach(successes, 'a rule refuses what succeeded', (data: Recorded[], [sandbox, step]) => {
    Object.assign(reply(data, sandbox, step), { status: 422, rule: 'deal-name-needed', body: {} });
  }),
  ...forEach(successes, 'a choice refuses what succeeded', (data: Recorded[], [sandbox, step]) => {
    Object.assign(reply(data, sandbox, step), { status: 409, choice: 'unknown-record', body: {} });
  }),
  ...forEach(
    [200, 201],
    'a success has another status',
    (data: Recorded[], status) => (reply(data, 2, 0).status = status),
  ),
  ...forEach(
    [400, 409, 500],
    'a refusal has another status',
    (data: Recorded[], status) => (reply(data, 1, 0).status = status),
  ),
  ...forEach([0, 2], 'a value is another', (data: Recorded[], step) => (dataOf(data, step).active = false)),
  ...forEach([0, 2], 'a field is gone', (data: Recorded[], step) => delete dataOf(data, step).active),
  ['an item of a list is gone', (data) => (dataOf(data, 0).tags = [])],
  ['an empty field has a value', (data) => (dataOf(data, 0).price = 7)],
  ['an error code is another', (data) => (reply(data, 1, 0).body = { code: 3085 })],
  ['a reply is empty', (data) => (reply(data, 0, 0).body = '')],
];

const harmless: Change[] = [
  ...forEach([0, 2], 'a new field', (data: Recorded[], step) => (dataOf(data, step).currency = 'EUR')),
  ...forEach([0, 2], 'fields have another order', (data: Recorded[], step) => {
    const body = Object(reply(data, 0, step).body);
    body.data = { first: 1, ...Object.fromEntries(Object.entries(Object(body.data)).reverse()) };
  }),
  ['a new item at the end of a list', (data) => (dataOf(data, 0).tags = ['new', 'VIP'])],
  ...forEach([1, 2], 'what was refused succeeds', (data: Recorded[], sandbox) => {
    const steps = data[sandbox]?.steps ?? [];
    Object.assign(reply(data, sandbox, steps.length - 1), {
      status: 200,
      rule: undefined,
      choice: undefined,
      body: {},
    });
  }),
  ...forEach(
    ['deal-active', 'deal-pipeline-needed'],
    'another rule refuses',
    (data: Recorded[], rule) => (reply(data, 1, 0).rule = rule),
  ),
  ['another choice refuses', (data) => (reply(data, 2, 1).choice = 'record-gone')],
  ['a rule names a refusal that was a choice', (data) => Object.assign(reply(data, 2, 1), { rule: 'tag-gone' })],
  ['a refusal has more to say', (data) => (reply(data, 1, 0).body = { code: 3084, field: 'name' })],
  ['a success names a choice', (data) => (reply(data, 0, 0).choice = 'deal-order')],
];

testMutations(base, compare, { breaking, harmless });

function linesOf(change: (data: Recorded[]) => void) {
  const next = structuredClone(base);
  change(next);
  return compare(base, next).map(({ impact, sentence }) => [impact, sentence]);
}

test('a new refusal names its rule with its sentence', () => {
  expect(linesOf((data) => Object.assign(reply(data, 0, 0), { status: 422, rule: 'deal-name-needed' }))).toEqual([
    [
      'break',
      'The sandbox now refuses POST /crm/v1/deals with 422 in a case that it accepted. Rule deal-name-needed: A deal needs a name.',
    ],
  ]);
});

test('a new success names the rule that refused', () => {
  expect(linesOf((data) => Object.assign(reply(data, 1, 0), { status: 200, rule: undefined }))).toEqual([
    [
      'addition',
      'The sandbox now accepts POST /crm/v1/deals in a case that it refused. Rule deal-name-needed: A deal needs a name.',
    ],
  ]);
});

test('a changed value names the rule of the test, and its consequences add no line', () => {
  expect(
    linesOf((data) => {
      dataOf(data, 0).active = false;
      dataOf(data, 2).active = false;
    }),
  ).toEqual([
    [
      'break',
      'The sandbox now replies to POST /crm/v1/deals with data.active false (before: true). Rule deal-active: A new deal is active.',
    ],
  ]);
});

test('a recording is replayed on another sandbox, with its clock', async () => {
  const sent = {
    method: 'POST',
    path: '/crm/v1/contact-tags',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: '{"name":"New"}',
  };
  const recorded: Recorded = {
    options: { startAt },
    steps: [{ freeze: startAt }, { advance: 5 }, { test: '[a-b]', request: sent, reply: { status: 200, body: {} } }],
  };
  const times: number[] = [];
  const replies = await replay(recorded, {
    createSandbox(options) {
      const sandbox = createSandbox(options);
      return new Proxy(sandbox, {
        get(target, name) {
          if (name === 'fetch') times.push(target.clock.now());
          return Reflect.get(target, name);
        },
      });
    },
  });
  expect(times).toEqual([startAt + 5]);
  expect(replies).toMatchObject([undefined, undefined, { status: 200, body: { data: { name: 'New' } } }]);
});

test('a sandbox that throws is a break, and the comparison continues', async () => {
  const [one] = base;
  if (!one) return expect.unreachable();
  const replies = await replay(one, {
    createSandbox: (options) =>
      Object.assign(createSandbox(options), { fetch: () => Promise.reject(new TypeError('x is undefined')) }),
  });
  const difference = firstDifference(one, replies);
  expect(compareBehaviour(difference ? [difference] : [], sentences)).toEqual([
    {
      surface: 'behaviour',
      impact: 'break',
      place: 'POST /crm/v1/deals fails',
      sentence: 'The sandbox now fails at POST /crm/v1/deals with 500. Rule deal-active: A new deal is active.',
    },
  ]);
});

test('a step without a replay stops the comparison', () => {
  expect(() => firstDifference(base[0] ?? expect.unreachable(), [])).toThrow('POST /crm/v1/deals was not repeated.');
});

test('a reply is read without human-readable texts', () => {
  const headers = new Headers({ 'x-sandbox-rule': 'deal-active; CRM document, section 2', 'x-sandbox-choice': 'one' });
  expect(readReply(422, headers, '{"message":"No.","code":7}')).toEqual({
    ...{ status: 422, rule: 'deal-active', choice: 'one', body: { code: 7 } },
  });
  expect(readReply(200, new Headers(), '{"message":"kept"}')).toEqual({ status: 200, body: { message: 'kept' } });
});
