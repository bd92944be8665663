import type { Client } from 'carillon';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { connectAgent, yes } from './connect.ts';

/** Calls a tool. Returns the JSON of its result, or its text. */
type Call = (tool: string, input: object) => Promise<unknown>;

/** Returns the text of the last result without its data. */
type Heading = () => string;

interface Task {
  /** A person's request to the agent. */
  asked: string;
  /** Creates records before the task. */
  prepare?: (client: Client) => Promise<unknown>;
  /** Expected number of tool calls, and of questions to the person. */
  calls: number;
  questions: number;
  work: (call: Call, heading: Heading) => Promise<unknown>;
  /** Expected outcome that the agent reports. */
  result: unknown;
}

const describeMethods = (call: Call, ...names: string[]) => call('describe', { methods: names });
const contacts = (call: Call, params: object, ...fields: string[]) =>
  call('read', { method: 'crm.contacts.list', params, ...(fields.length > 0 && { fields }) });

/** Reads all items of a list. `heading` says how to get the next ones. */
async function readAll(
  call: Call,
  heading: Heading,
  input: { params: object; [name: string]: unknown },
): Promise<unknown[]> {
  const found: unknown[] = [];
  let [from, offset]: (number | undefined)[] = [undefined, 0];
  while (from !== undefined || offset !== undefined) {
    const view = from === undefined ? {} : { from };
    const items = await call('read', { ...input, params: { ...input.params, limit: 100, offset }, ...view });
    found.push(...(Array.isArray(items) ? items : []));
    from = numberIn(heading(), /repeat the call with from: (\d+)/);
    if (from === undefined) offset = numberIn(heading(), /Next page: params\.offset = (\d+)/);
  }
  return found;
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const tasks: Task[] = [
  {
    asked: "Why did Ben's mail bounce? Send it again to his new address.",
    calls: 4,
    questions: 1,
    async work(call) {
      await describeMethods(call, 'email.bounces.list', 'email.messages.get', 'email.messages.send');
      const bounces = await call('read', { method: 'email.bounces.list' });
      const bounce = Object(bounces).find(({ recipient }: { recipient: string }) => recipient.startsWith('ben'));
      const before = await call('read', { method: 'email.messages.get', params: { id: bounce.id } });
      const params = {
        subject: Object(before).subject,
        from: { email: Object(before).sender },
        to: [{ name: 'Ben Ito', email: 'ben.new@example.com' }],
        html: '<p>Hello Ben</p>',
        text: 'Hello Ben',
      };
      const sent = await call('send', { method: 'email.messages.send', params });
      return [bounce.smtp_answer_data, Object(sent).result];
    },
    result: ['Mailbox unavailable', true],
  },
  {
    asked: 'Write to everybody who has the tag VIP.',
    calls: 6,
    questions: 1,
    async work(call) {
      await describeMethods(call, 'crm.tags.list', 'crm.contacts.list', 'messaging.senders.list');
      await describeMethods(call, 'messaging.campaigns.create');
      const [tag] = Object(await call('read', { method: 'crm.tags.list', params: { name: 'VIP' } }));
      const [sender] = Object(await call('read', { method: 'messaging.senders.list' }));
      const found = await contacts(call, { tagIds: [tag.id] });
      const params = {
        message_type: 2,
        sender_id: sender.id,
        message_live_time: 3600,
        send_date: 'now',
        recipients: Object(found).flatMap(({ phones }: { phones: { phone: string }[] }) =>
          phones.map(({ phone }) => Number(phone.replace('+', ''))),
        ),
        message: 'Thank you for your loyalty.',
      };
      const created = await call('send', { method: 'messaging.campaigns.create', params });
      return [params.recipients, typeof Object(created).task_id];
    },
    result: [[15550100123], 'number'],
  },
  {
    asked: 'Delete all contacts that have the tag Trial.',
    async prepare(client) {
      const tag = await client.crm.tags.create({ name: 'Trial' });
      for (let at = 0; at < 26; at += 1) {
        const { id } = await client.crm.contacts.create({ responsibleId: 77, firstName: `Trial ${at}` });
        await client.crm.tags.assign({ tagId: tag.id, contactId: id });
      }
    },
    calls: 4,
    questions: 1,
    async work(call) {
      await describeMethods(call, 'crm.tags.list', 'crm.contacts.list', 'crm.contacts.delete');
      const [tag] = Object(await call('read', { method: 'crm.tags.list', params: { name: 'Trial' } }));
      const found = await contacts(call, { tagIds: [tag.id], limit: 100 }, 'id');
      const calls = Object(found).map(({ id }: { id: number }) => ({ contactId: id }));
      return call('delete', { method: 'crm.contacts.delete', calls });
    },
    result: 'crm.contacts.delete: 26 of 26 calls succeeded.',
  },
  {
    asked: 'Move the deals of step 11 to step 12.',
    async prepare(client) {
      for (let at = 0; at < 120; at += 1)
        await client.crm.deals.create({ pipelineId: 1, stepId: at % 4 === 0 ? 11 : 13, name: `Deal ${at}`, price: at });
    },
    calls: 6,
    questions: 1,
    async work(call, heading) {
      await describeMethods(call, 'crm.deals.list', 'crm.deals.update');
      await call('read', { method: 'crm.deals.list', params: { stepId: 11, limit: 5 } });
      // The list's body is undocumented, and this parameter does not filter.
      const isFilter = !heading().includes('records, stepId differs from the parameter');
      const fields = ['id', 'pipelineId', 'name', 'price', 'status', 'stepId'];
      const deals = await readAll(call, heading, { method: 'crm.deals.list', params: {}, fields });
      const moved = deals.filter((deal) => Object(deal).stepId === 11);
      await call('write', {
        method: 'crm.deals.update',
        calls: moved.map((deal) => {
          const { id, ...others } = Object(deal);
          return { ...others, dealId: id, stepId: 12 };
        }),
      });
      return [isFilter, deals.length, moved.length, heading().split('\n')[0]];
    },
    // Every sandbox starts with one deal.
    result: [false, 121, 31, 'crm.deals.update: 31 of 31 calls succeeded.'],
  },
  {
    asked: 'Unsubscribe these 1,000 addresses.',
    calls: 2,
    questions: 1,
    async work(call) {
      await describeMethods(call, 'email.unsubscribes.add');
      const emails = Array.from({ length: 1_000 }, (_, at) => ({ email: `reader${at}@example.com` }));
      return call('write', { method: 'email.unsubscribes.add', params: { emails } });
    },
    result: { result: true },
  },
  {
    asked: 'Which contacts exist twice?',
    prepare: (client) => client.crm.contacts.create({ responsibleId: 77, firstName: 'Ann', lastName: 'Kowal' }),
    calls: 2,
    questions: 0,
    async work(call) {
      await describeMethods(call, 'crm.contacts.list');
      const found = await contacts(call, { limit: 100 }, 'id', 'firstName', 'lastName');
      const names = Object(found).map(({ firstName, lastName }: Record<string, string>) => `${firstName} ${lastName}`);
      return names.filter((name: string, at: number) => names.indexOf(name) < at);
    },
    result: ['Ann Kowal'],
  },
  {
    asked: "Set Ann's birthday.",
    calls: 5,
    questions: 0,
    async work(call) {
      await call('describe', { words: 'contact attribute value' });
      await describeMethods(call, 'crm.contactAttributes.list', 'crm.contacts.list', 'crm.contacts.attributes.update');
      const attributes = await call('read', { method: 'crm.contactAttributes.list' });
      const { id } = Object(attributes).find(({ name }: { name: string }) => name === 'Birthday');
      const [ann] = Object(await contacts(call, { firstName: 'Ann' }, 'id'));
      return call('write', {
        method: 'crm.contacts.attributes.update',
        params: { contactId: ann.id, attributeId: id, value: '1990-05-15 00:00' },
      });
    },
    result: expect.objectContaining({ value: '1990-05-15 00:00' }),
  },
  {
    asked: 'Ben wants no more messages on his phone.',
    calls: 3,
    questions: 0,
    async work(call) {
      await describeMethods(call, 'crm.contacts.list', 'messaging.blacklist.add');
      const [ben] = Object(await contacts(call, { firstName: 'Ben' }));
      const phones = ben.phones.map(({ phone }: { phone: string }) => phone.replace('+', ''));
      return call('write', { method: 'messaging.blacklist.add', params: { phones } });
    },
    result: expect.objectContaining({ result: true }),
  },
  {
    asked: 'Note on the renewal that Ann wants a yearly invoice.',
    calls: 3,
    questions: 0,
    async work(call) {
      await describeMethods(call, 'crm.deals.list', 'crm.deals.comments.create');
      const deals = await call('read', { method: 'crm.deals.list' });
      const { id } = Object(deals).find(({ name }: { name: string }) => name.includes('renewal'));
      const params = { dealId: id, message: 'Ann wants a yearly invoice.' };
      return call('write', { method: 'crm.deals.comments.create', params });
    },
    result: expect.objectContaining({ message: 'Ann wants a yearly invoice.' }),
  },
  {
    asked: 'Announce the sale to the subscribers of the shop.',
    calls: 3,
    questions: 1,
    async work(call) {
      await describeMethods(call, 'messaging.push.websites.list', 'messaging.push.campaigns.create');
      const [website] = Object(await call('read', { method: 'messaging.push.websites.list' }));
      const params = { title: 'Sale', website_id: website.id, body: 'Until Sunday.', ttl: 86_400 };
      return call('send', { method: 'messaging.push.campaigns.create', params });
    },
    result: expect.objectContaining({ result: true }),
  },
  {
    asked: 'Take the tag VIP off everybody.',
    calls: 4,
    questions: 0,
    async work(call) {
      await describeMethods(call, 'crm.tags.list', 'crm.contacts.list', 'crm.tags.unassign');
      const [tag] = Object(await call('read', { method: 'crm.tags.list', params: { name: 'VIP' } }));
      const found = await contacts(call, { tagIds: [tag.id], limit: 100 }, 'id');
      const calls = Object(found).map(({ id }: { id: number }) => ({ tagId: tag.id, contactId: id }));
      return call('delete', { method: 'crm.tags.unassign', calls });
    },
    result: 'crm.tags.unassign: 1 of 1 calls succeeded.',
  },
  {
    asked: 'Delete both contacts.',
    calls: 4,
    questions: 1,
    async work(call) {
      await describeMethods(call, 'crm.contacts.list', 'crm.contacts.delete');
      const found = Object(await contacts(call, { limit: 100 }, 'id'));
      const calls = found.map(({ id }: { id: number }) => ({ contactId: id }));
      await call('delete', { method: 'crm.contacts.delete', calls });
      return contacts(call, { limit: 100 }, 'id');
    },
    result: [],
  },
  {
    asked: 'Merge the two Anns.',
    prepare: (client) => client.crm.contacts.create({ responsibleId: 77, firstName: 'Ann', lastName: 'Kowal' }),
    calls: 6,
    questions: 1,
    async work(call) {
      const found = String(await call('describe', { words: 'merge contacts' }));
      const isAbsent = found.startsWith('Not in the documented API: Merge two contacts or deals.');
      await describeMethods(call, 'crm.contacts.list', 'crm.contacts.listDeals', 'crm.deals.contacts.add');
      await describeMethods(call, 'crm.contacts.delete');
      const anns = Object(await contacts(call, { firstName: 'Ann', limit: 100 }, 'id'));
      const [stays, goes] = anns.map(({ id }: { id: number }) => id);
      const deals = Object(await call('read', { method: 'crm.contacts.listDeals', params: { contactId: goes } }));
      await call('delete', { method: 'crm.contacts.delete', params: { contactId: goes } });
      return [isAbsent, stays, deals.length];
    },
    result: [true, 3001, 0],
  },
  {
    asked: 'Who changed the price of the renewal?',
    calls: 1,
    questions: 0,
    async work(call) {
      const found = String(await call('describe', { words: 'history of a deal' }));
      return /Not in the documented API: Read the history of a deal.* Instead: .*\./.test(found);
    },
    result: true,
  },
  {
    asked: 'Delete these twenty contacts.',
    async prepare(client) {
      for (let at = 0; at < 20; at += 1) await client.crm.contacts.create({ responsibleId: 77, firstName: 'Trial' });
    },
    calls: 3,
    questions: 1,
    async work(call) {
      await describeMethods(call, 'crm.contacts.list', 'crm.contacts.delete');
      const found = Object(await contacts(call, { firstName: 'Trial', limit: 100 }, 'id'));
      const calls = found.map(({ id }: { id: number }) => ({ contactId: id }));
      const text = String(await call('delete', { method: 'crm.contacts.delete', calls }));
      return /(\d+) of 20 calls succeeded/.exec(text)?.[1];
    },
    result: '20',
  },
];

it('there are fifteen everyday tasks', () => {
  expect(tasks).toHaveLength(15);
});

/** Methods that a tool call passes parameters to. */
function methodsCalled(tool: string, input: object): string[] {
  const { method, params, calls } = Object(input);
  return tool !== 'describe' && (params || calls) ? [method] : [];
}

describe("an agent's everyday tasks have no dead ends, and ask only where a person would", () => {
  it.each(tasks.map((task) => [task.asked, task] as const))('%s', async (_, task) => {
    let questions = 0;
    const answer: typeof yes = (message) => {
      questions += 1;
      return yes(message);
    };
    const agent = await connectAgent('2026-07-28', { answer });
    await task.prepare?.(agent.context.client);
    let [calls, tokens] = [0, 0];
    const deadEnds: string[] = [];
    const described = new Set<string>();
    const guessed: string[] = [];
    let heading = '';
    const call: Call = async (tool, input) => {
      calls += 1;
      const { text, isError } = await agent.call(tool, { ...input });
      tokens += countTokens(JSON.stringify(input)) + countTokens(text);
      if (isError) deadEnds.push(text);
      for (const [, name = ''] of tool === 'describe' ? text.matchAll(/^## (\S+)$/gm) : []) described.add(name);
      guessed.push(...methodsCalled(tool, input).filter((name) => !described.has(name)));
      const [, json] = /<data \w+>\n(.*)\n<\/data/s.exec(text) ?? [];
      heading = json === undefined ? text : text.replace(json, '');
      return json === undefined ? text : JSON.parse(json);
    };
    const begun = performance.now();
    const result = await task.work(call, () => heading);
    const seconds = ((performance.now() - begun) / 1000).toFixed(2);
    if (process.env.CARILLON_TASKS)
      console.log(`${task.asked} ${calls} calls, ${questions} questions, ${tokens} tokens, ${seconds} s`);
    expect([deadEnds, guessed, result, calls, questions]).toEqual([[], [], task.result, task.calls, task.questions]);
    await agent.close();
  });
});
