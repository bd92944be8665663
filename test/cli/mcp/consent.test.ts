import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { reasonToAsk } from '../../../src/cli/catalogue/needs-consent.ts';
import { Consents, consentMilliseconds } from '../../../src/cli/mcp/consent.ts';
import { type Context, createContext } from '../../../src/cli/mcp/context.ts';
import { createHttpHandler } from '../../../src/cli/mcp/http.ts';
import { type Dialogue, invoke } from '../../../src/cli/mcp/invoke.ts';
import type { ToolOutcome } from '../../../src/cli/mcp/outcome.ts';
import { writeQuestion } from '../../../src/cli/mcp/question.ts';
import { createSession } from '../../../src/cli/mcp/session.ts';
import fc, { samples } from '../../fast-check.ts';
import { type Answer, connectAgent, createAgent, no, type Version, versions, yes } from './connect.ts';

const asking = methods.filter((method) => reasonToAsk(method, [method.example]) !== undefined);
/** Changing operations among the requests so far, without campaign rehearsals. */
function changesIn({ sandbox }: Context): string[] {
  const requests =
    sandbox?.requests.filter(({ body }) => !JSON.stringify(body ?? null).includes('"emulate":true')) ?? [];
  const operations = requests.map(({ operation }) => operation ?? '');
  return operations.filter((id) => methods.find((method) => method.id === id)?.effect !== 'read');
}

const deletion = { method: 'crm.contacts.delete', params: { contactId: 3001 } };

describe.each(Object.keys(versions) as Version[])('with a client of %s', (version) => {
  it('shows the person the method, effect and parameters, and calls once after a yes', async () => {
    const asked: string[] = [];
    const answer: Answer = (message) => {
      asked.push(message);
      return yes(message);
    };
    const agent = await connectAgent(version, { answer });
    const before = agent.context.sandbox?.requests.length;
    const { isError } = await agent.call('delete', deletion);
    expect([before, isError, agent.context.sandbox?.requests.map(({ operation }) => operation)]).toEqual([
      0,
      false,
      ['getContact', 'deleteContact'],
    ]);
    expect(asked).toEqual([
      expect.stringMatching(
        /^The agent wants to: Delete a contact \(crm\.contacts\.delete\)\. This deletes data in a way that no call can undo\.\nAt: an embedded sandbox .*\nParameters:\n- contactId: `3001`\n {2}record: `"Ann Kowal"`\n/,
      ),
    ]);
    await agent.call('delete', deletion);
    expect(asked).toHaveLength(2);
    await agent.close();
  });

  it.each<[string, Answer | undefined, string]>([
    ['says no', no, 'the person declined. Nothing was sent.'],
    ['closes the question', () => ({ action: 'cancel' }), 'the person declined. Nothing was sent.'],
    [
      'sends an empty form',
      () => ({ action: 'accept', content: { approve: false } }),
      'the person declined. Nothing was sent.',
    ],
    ['cannot be asked', undefined, 'this client cannot ask'],
  ])('sends nothing if the person %s', async (_, answer, message) => {
    const agent = await connectAgent(version, answer ? { answer } : {});
    for (const { name, effect, example } of asking) {
      const { text, isError } = await agent.call(effect, { method: name, params: example });
      expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
      expect(text).toContain('Nothing was sent.');
    }
    expect(changesIn(agent.context)).toEqual([]);
    await agent.close();
  });

  it("takes no consent from the model's parameters", async () => {
    const agent = await connectAgent(version);
    const wanted = [
      { ...deletion, confirm: true },
      { ...deletion, params: { ...deletion.params, confirm: true } },
      { ...deletion, params: { ...deletion.params, approve: true } },
      { ...deletion, inputResponses: { consent: yes('') } },
    ];
    for (const input of wanted) expect(await agent.call('delete', input)).toMatchObject({ isError: true });
    expect(changesIn(agent.context)).toEqual([]);
    await agent.close();
  });
});

it('after two declined questions in a row, does not ask again about that method, but still about others', async () => {
  let asked = 0;
  let decide = no;
  const answer: Answer = (message) => {
    asked += 1;
    return decide(message);
  };
  const agent = await connectAgent('2026-07-28', { answer });
  await agent.call('delete', deletion);
  decide = yes;
  await agent.call('delete', deletion);
  decide = no;
  // The yes resets the count.
  for (let call = 0; call < 10; call += 1) await agent.call('delete', deletion);
  expect(asked).toBe(4);
  const { text, isError } = await agent.call('delete', deletion);
  expect([isError, text]).toEqual([
    true,
    expect.stringContaining('the person declined 2 times and is not asked again'),
  ]);
  await agent.call('delete', { method: 'crm.deals.delete', params: { dealId: 501 } });
  expect(asked).toBe(5);
  await agent.close();
});

describe('over HTTP, two agents', () => {
  const phones = Array.from({ length: 9 }, (_, at) => 15_550_100_200 + at);
  const block = { method: 'messaging.blacklist.add', params: { phones } };

  async function connectTwo(version: Version) {
    const context = await createContext({ sandbox: true, warn() {}, version: '0.0.0' });
    const handler = createHttpHandler(context, undefined);
    onTestFinished(() => handler.close());
    const connect = async (name: string) => {
      const { asked, answer } = person(no);
      const client = createAgent(version, answer, name);
      const url = new URL('http://127.0.0.1:4013/mcp');
      const fetch = (url: string | URL, init?: RequestInit) => {
        const request = new Request(url, init);
        request.headers.set('host', '127.0.0.1:4013');
        return handler.fetch(request);
      };
      await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
      onTestFinished(() => client.close());
      return { asked, call: (name: string, input: object) => client.callTool({ name, arguments: { ...input } }) };
    };
    return [await connect('one'), await connect('other')] as const;
  }

  it('of 2025-11-25 have declined questions and people of their own', async () => {
    const [one, other] = await connectTwo('2025-11-25');
    for (let call = 0; call < 4; call += 1) await one.call('delete', deletion);
    await other.call('delete', deletion);
    expect([one.asked.length, other.asked.length]).toEqual([2, 1]);
    for (const { call } of [one, other]) await call('write', block);
    expect([one.asked.length, other.asked.length]).toEqual([2, 1]);
    await one.call('write', block);
    expect([one.asked.length, other.asked.length]).toEqual([3, 1]);
  });

  it('of 2026-07-28 have no session: each deletion is asked about, and people count together', async () => {
    const [one, other] = await connectTwo('2026-07-28');
    for (let call = 0; call < 4; call += 1) await one.call('delete', deletion);
    await other.call('delete', deletion);
    expect([one.asked.length, other.asked.length]).toEqual([4, 1]);
    await one.call('write', block);
    expect([one.asked.length, other.asked.length]).toEqual([4, 1]);
    await other.call('write', block);
    expect([one.asked.length, other.asked.length]).toEqual([4, 2]);
  });
});

it('a method can only be called with the tool for its effect', async () => {
  const agent = await connectAgent('2026-07-28', { answer: yes });
  for (const tool of ['read', 'write', 'send'])
    expect((await agent.call(tool, deletion)).text).toBe(
      'Call crm.contacts.delete with the tool "delete". Nothing was sent.',
    );
  expect(changesIn(agent.context)).toEqual([]);
  await agent.close();
});

it('a read-only server does not mention effects that it does not permit', async () => {
  const agent = await connectAgent('2026-07-28', { policy: { readOnly: true } });
  expect(agent.client.getInstructions()).not.toMatch(/\b(write|delete|send|sent|rehearse)\b/);
  expect((await agent.call('read', deletion)).text).toBe(
    'This server does not permit crm.contacts.delete. The person who started the server decides which methods it permits. Nothing was sent.',
  );
  await agent.close();
});

it('describe accepts a single method under the name that other tools use', async () => {
  const agent = await connectAgent('2026-07-28');
  expect((await agent.call('describe', { method: 'crm.deals.get' })).text).toMatch(/^## crm\.deals\.get\n/);
  await agent.close();
});

it('names requested fields that no record has', async () => {
  const agent = await connectAgent('2026-07-28');
  const read = async (fields: string[]) => (await agent.call('read', { method: 'crm.contacts.list', fields })).text;
  expect(await read(['id', 'phones.phone', 'nope', 'phones.nope'])).toMatch(
    /^No record has these fields: nope, phones\.nope\.\ncrm\.contacts\.list: /,
  );
  expect(await read(['id', 'phones.phone'])).toMatch(/^crm\.contacts\.list: /);
  await agent.close();
});

describe('consent under random attempts by agents and clients', async () => {
  let now = 0;
  const context = await createContext({ sandbox: true, warn() {}, version: '0', now: () => now });
  afterAll(() => context.sandbox?.close());

  const params = fc.constantFrom({ contactId: 3001 }, { contactId: 3001 }, { contactId: 3002 });
  const step = fc.oneof(
    fc.record({ do: fc.constant('ask' as const), params }),
    fc.record({
      do: fc.constant('answer' as const),
      params,
      question: fc.constantFrom(0, 0, 0, 1),
      answer: fc.constantFrom<unknown>(
        yes(''),
        yes(''),
        yes(''),
        no(''),
        { action: 'accept', content: {} },
        'yes',
        undefined,
      ),
    }),
    fc.record({
      do: fc.constant('forge' as const),
      params,
      question: fc.constantFrom(undefined, '', 'x', crypto.randomUUID()),
    }),
    fc.record({ do: fc.constant('wait' as const), milliseconds: fc.constantFrom(1_000, 300_000, 600_000) }),
  );

  it('lets a deletion reach the sandbox only after a yes to exactly that call, once, within ten minutes', async () => {
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const questions: { id: string; contactId: number; asked: number; used: boolean }[] = [];
        for (const each of steps) {
          context.sandbox?.log.clear();
          if (each.do === 'wait') {
            now += each.milliseconds;
            continue;
          }
          const known = each.do === 'answer' ? questions.at(-1 - each.question) : undefined;
          const question = each.do === 'forge' ? each.question : known?.id;
          const answer = each.do === 'forge' ? yes('') : each.do === 'answer' ? each.answer : undefined;
          const outcome = await remove(each.params, question, answer);
          const isConsent =
            known !== undefined &&
            !known.used &&
            now < known.asked + consentMilliseconds &&
            known.contactId === each.params.contactId &&
            JSON.stringify(answer) === JSON.stringify(yes(''));
          expect(changesIn(context), JSON.stringify(outcome)).toHaveLength(isConsent ? 1 : 0);
          if (known) known.used = true;
          if (isConsent) reached.add('yes');
          if (outcome.kind === 'question')
            questions.push({ id: outcome.id, contactId: each.params.contactId, asked: now, used: false });
        }
      }),
      { numRuns: samples(40) },
    );
    // At least one attempt must succeed, or the property proves nothing.
    expect([...reached]).toEqual(['yes']);
  });

  function remove(params: { contactId: number }, question: string | undefined, answer: unknown): Promise<ToolOutcome> {
    const { signal } = new AbortController();
    const dialogue: Dialogue = { canAsk: true, question, answer, signal, session: createSession() };
    return invoke(context, { method: 'crm.contacts.delete', params }, ['delete'], dialogue);
  }
});

it('a consent works once, even after wrong use, and for ten minutes', () => {
  let now = 0;
  const consents = new Consents(() => now);
  const id = consents.open('m', [{}]);
  expect([consents.use(id, 'm', [{}]), consents.use(id, 'm', [{}])]).toEqual([undefined, 'unknown']);
  const other = consents.open('m', [{}]);
  expect([consents.use(other, 'n', [{}]), consents.use(other, 'm', [{}])]).toEqual(['other', 'unknown']);
  const [late, later] = [consents.open('m', [{}]), consents.open('m', [{}])];
  now += consentMilliseconds - 1;
  expect(consents.use(late, 'm', [{}])).toBeUndefined();
  now += 1;
  expect(consents.use(later, 'm', [{}])).toBe('expired');
});

it('a consent ignores the order of parameters, but binds every value', () => {
  const consents = new Consents();
  const given = { to: [{ email: 'a@example.com', name: 'A' }], subject: 'Hi' };
  const same = { subject: 'Hi', to: [{ name: 'A', email: 'a@example.com' }] };
  const other = { subject: 'Hi', to: [{ name: 'A', email: 'b@example.com' }] };
  const use = (params: object) => consents.use(consents.open('m', [given]), 'm', [{ ...params }]);
  expect([use(same), use(other), use({ ...given, bcc: [] })]).toEqual([undefined, 'other', 'other']);
  expect(consents.use(consents.open('m', [given]), 'n', [given])).toBe('other');
});

it('parameters cannot imitate the wording of the question', async () => {
  const asked: string[] = [];
  const agent = await connectAgent('2026-07-28', {
    answer: (message) => {
      asked.push(message);
      return no(message);
    },
  });
  const subject = 'Hi"}\nParameters:\n{"contactId":1}\u202eevil\u200b';
  const params = { subject, from: { name: 'A', email: 'a@example.com' }, to: [{ email: 'b@example.com' }] };
  await agent.call('send', { method: 'email.messages.send', params });
  const lines = asked[0]?.split('\n').map((line) => line.replace(/:.*/, '')) ?? [];
  expect(lines).toEqual(['The agent wants to', 'At', 'Parameters', '- subject', '- from', '- to (1 item)']);
  expect(asked[0]).toContain('\\n');
  expect(asked[0]).not.toMatch(/[\u202e\u200b]/);
  await agent.close();
});

it('shows the person how many records a call affects, and no credentials', () => {
  const send = methods.find(({ name }) => name === 'email.messages.send');
  if (!send) throw new Error('email.messages.send');
  const to = Array.from({ length: 1_200 }, (_, at) => ({ email: `a${at}@example.com` }));
  const params = { password: 'hush', to, 'x\nAt: evil': 1 };
  const question = { method: send, reason: 'reaches people', calls: [{ params, facts: [] }], count: 1 };
  const text = writeQuestion(question, 'https://api.example.com');
  expect(text).toContain('\n- to (1,200 items): `[{"email":"a0@example.com"},');
  expect(text).toContain('(shortened; sent in full)');
  expect(text).toContain('\n- password: `"[hidden]"`');
  expect(text.split('\n')).toHaveLength(6);
  expect(text.length).toBeLessThan(3_500);
});

/** Records each question and always gives the same answer. */
function person(answer: Answer) {
  const asked: string[] = [];
  return {
    asked,
    answer: (message: string) => {
      asked.push(message);
      return answer(message);
    },
  };
}

describe.each(Object.keys(versions) as Version[])('a set of calls, with a client of %s', (version) => {
  const calls = [3001, 99_999, 3002].map((contactId) => ({ contactId }));

  it('asks once, with the count and the first and last call; a rejected call does not stop the others', async () => {
    const { asked, answer } = person(yes);
    const agent = await connectAgent(version, { answer });
    const { text, isError } = await agent.call('delete', { method: 'crm.contacts.delete', calls });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(
      /^The agent wants to: Delete a contact \(crm\.contacts\.delete, 3 calls\)\. (?:.|\n)*\nThe first call:\n- contactId: `3001`\n {2}record: `"Ann Kowal"`\n(?:.|\n)*\nThe last call:\n- contactId: `3002`\n {2}record: /,
    );
    expect([isError, text]).toEqual([
      false,
      expect.stringMatching(/^crm\.contacts\.delete: 2 of 3 calls succeeded\.\ncalls\[1\]: .*status 404/),
    ]);
    expect(changesIn(agent.context)).toEqual(['deleteContact', 'deleteContact', 'deleteContact']);
    await agent.close();
  });

  it('makes no call if the person declines or one call is invalid', async () => {
    const { asked, answer } = person(no);
    const agent = await connectAgent(version, { answer });
    const declined = await agent.call('delete', { method: 'crm.contacts.delete', calls });
    const wrong = [...calls, { contactId: 'x' }];
    const mistaken = await agent.call('delete', { method: 'crm.contacts.delete', calls: wrong });
    expect([declined.isError, mistaken.text]).toEqual([
      true,
      expect.stringMatching(/^calls\[3\]: contactId: expected/),
    ]);
    expect([asked.length, changesIn(agent.context)]).toEqual([1, []]);
    await agent.close();
  });
});

it('a consent to one set does not cover another', () => {
  const consents = new Consents();
  const set = [{ id: 1 }, { id: 2 }];
  const use = (other: { id: number }[]) => consents.use(consents.open('m', set), 'm', other);
  expect([use([...set]), use([...set, { id: 3 }]), use([{ id: 2 }, { id: 1 }]), use([{ id: 1 }])]).toEqual([
    undefined,
    'other',
    'other',
    'other',
  ]);
});

describe('people that a call affects', () => {
  const emails = (count: number, from = 0) => ({
    emails: Array.from({ length: count }, (_, at) => ({ email: `p${from + at}@example.com`, comment: '' })),
  });

  it('up to ten need no question, and small calls add up', async () => {
    const { asked, answer } = person(yes);
    const agent = await connectAgent('2026-07-28', { answer });
    const add = (params: object) => agent.call('write', { method: 'email.unsubscribes.add', params });
    for (const count of [6, 4]) expect(await add(emails(count))).toMatchObject({ isError: false });
    expect(asked).toEqual([]);
    await add(emails(1));
    expect(asked).toEqual([expect.stringContaining('This affects 1 person, after 10 in earlier calls.')]);
    await add(emails(10));
    await add(emails(11));
    expect(asked).toEqual(
      [expect.anything(), expect.anything(), expect.stringContaining('11 people')].slice(0, asked.length),
    );
    expect(asked.length).toBe(2);
    await agent.close();
  });

  it('have a limit that the person who starts the server can set', async () => {
    const { asked, answer } = person(no);
    const agent = await connectAgent('2026-07-28', { answer, policy: { maxPeople: 0 } });
    await agent.call('write', { method: 'messaging.blacklist.add', params: { phones: [15550100123] } });
    expect(asked).toEqual([expect.stringContaining('This affects 1 person.')]);
    await agent.close();
  });
});

describe('records that a set of calls affects', () => {
  const note = (at: number) => ({ dealId: 501, message: `Note ${at}` });
  const comment = 'crm.deals.comments.create';

  it('up to ten need no question, and single calls do not add up', async () => {
    const { asked, answer } = person(yes);
    const agent = await connectAgent('2026-07-28', { answer });
    const add = (count: number) =>
      agent.call('write', { method: comment, calls: Array.from({ length: count }, (_, at) => note(at)) });
    await add(10);
    for (let at = 0; at < 12; at += 1) await agent.call('write', { method: comment, params: note(at) });
    expect(asked).toEqual([]);
    await add(11);
    expect(asked).toEqual([expect.stringContaining('11 calls). This affects 11 records.')]);
    await agent.close();
  });
});

it('deactivates a subscriber without a question, and asks before activating one', async () => {
  const { asked, answer } = person(no);
  const agent = await connectAgent('2026-07-28', { answer });
  const set = (tool: string, state: number) =>
    agent.call(tool, { method: 'messaging.push.subscribers.setState', params: { id: 9001, state } });
  for (const tool of ['write', 'send']) expect((await set(tool, 0)).text).not.toContain('belongs to');
  expect([asked, changesIn(agent.context)]).toEqual([[], ['setSubscriberState', 'setSubscriberState']]);
  expect((await set('write', 1)).text).toContain('with the tool "send"');
  await set('send', 1);
  expect(asked).toHaveLength(1);
  await agent.close();
});

/** Returns the question that a call raises, and declines it. */
async function questionAbout(name: string, params?: object): Promise<string> {
  const method = methods.find((one) => one.name === name);
  if (!method) throw new Error(name);
  const { asked, answer } = person(no);
  const agent = await connectAgent('2026-07-28', { answer });
  await agent.call(method.effect, { method: name, params: params ?? method.example });
  expect(changesIn(agent.context)).toEqual([]);
  await agent.close();
  return asked.join('\n');
}

it.each([
  ['crm.deals.attributes.delete', /\n {2}value: `"AC-2026-17"`\n/],
  ['crm.contacts.phones.delete', /\n {2}record: `"\+15550100123"`\n {2}of: `"Ann Kowal"`$/],
  ['crm.contacts.emails.delete', /\n {2}record: `"ann\.kowal@example\.com"`\n(?:.|\n)* {2}of: `"Ann Kowal"`$/],
  ['crm.contacts.comments.delete', /- commentId: `811`\n {2}of: `"Ann Kowal"`$/],
])('the question about %s shows the record or its parent', async (name, shown) => {
  expect(await questionAbout(name)).toMatch(shown);
});

it('the question says that a record does not exist, except for one to be added', async () => {
  expect(await questionAbout('crm.tags.delete', { tagId: 9_999 })).toMatch(/\n {2}not found: `null`$/);
  expect(await questionAbout('email.domains.add')).not.toContain('not found');
});

describe('the question about a campaign', () => {
  const campaign = 'messaging.campaigns.create';
  const { emulate: _, ...params } = { ...methods.find(({ name }) => name === campaign)?.example };

  it('shows that the service accepts it in test mode', async () => {
    const text = await questionAbout(campaign, params);
    expect(text).toMatch(/- recipients \(1 item\): (?:.|\n)*\n {2}a rehearsal by the service: `"accepted"`/);
  });

  it.each<[string, object, RegExp]>([
    ['a rule', { message_type: 3, template_id: 999, message: null }, /code 3091: .*\nnext: /],
    ['an assumed limit', { recipients: ['+15552000004'] }, /\nrecipients\[0\]: expected .*\^.*, such as .*assumed/],
  ])(
    'is skipped if the service rejects it in test mode because of %s, and the agent reads why',
    async (_, own, why) => {
      const { asked, answer } = person(yes);
      const agent = await connectAgent('2026-07-28', { answer });
      const { text, isError } = await agent.call('send', { method: campaign, params: { ...params, ...own } });
      expect([asked, changesIn(agent.context), isError]).toEqual([[], [], true]);
      expect(text).toMatch(
        /^The person was not asked, because the service rejected the call in its test mode\. Nothing was sent\.\n/,
      );
      expect(text).toMatch(why);
      await agent.close();
    },
  );

  it('shows the number of people in a mailing list, if known', async () => {
    const { recipients: __, ...others } = params;
    const text = await questionAbout(campaign, { ...others, address_book: 4400 });
    expect(text).toMatch(/\n {2}people in the mailing list: `"unknown: the service does not report the number"`/);
  });

  it('shows the number of subscribers of its website', async () => {
    const text = await questionAbout('messaging.push.campaigns.create');
    expect(text).toMatch(/\n {2}subscribers of the website: `\d+`$/);
  });
});

it('shows text behind blanks, the end of long texts, and Markdown as code', async () => {
  const { asked, answer } = person(no);
  const agent = await connectAgent('2026-07-28', { answer });
  const blanks = [' ', '\t', '\u00a0', '\u2800', '\u3164', ' \u200b'];
  const params = {
    subject: `Hi${' '.repeat(1_500)}EVIL${blanks.map((blank) => `${blank.repeat(1_500)}EVIL`).join('')}`,
    html: `<p>${'x'.repeat(9_000)}THE END</p>`,
    text: '`](https://evil.example)',
    from: { name: 'A', email: 'a@example.com' },
    to: [{ email: 'b@example.com' }],
  };
  await agent.call('send', { method: 'email.messages.send', params });
  const hidden = blanks
    .map(({ length }) => ` [${(1_500 * length).toLocaleString('en-GB')} blank characters] EVIL`)
    .join('');
  expect(asked[0]).toContain(`\`"Hi [1,500 blank characters] EVIL${hidden}"\``);
  expect(asked[0]).toMatch(/- html: `"<p>x+ \[… [\d,]+ characters …\] x+THE END<\/p>"` \(shortened; sent in full\)/);
  expect(asked[0]).toContain('`"\\u0060](https://evil.example)"`');
  await agent.close();
});
