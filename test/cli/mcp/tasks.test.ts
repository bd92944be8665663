import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { Programs } from '../../../src/cli/mcp/run/programs.ts';
import { connectAgent, yes } from './connect.ts';

/** Calls a tool, and returns the JSON of its result, or its text if it has none. */
type Call = (tool: string, input: object) => Promise<unknown>;

interface Task {
  /** What a person asks of an agent. */
  asked: string;
  /** Calls of tools, and questions to the person. */
  calls: number;
  questions: number;
  work: (call: Call) => Promise<unknown>;
  /** What is left afterwards. */
  result: unknown;
}

const contacts = (call: Call, fields: string[], params: object = {}) =>
  call('read', { method: 'crm.contacts.list', params, fields });

const tasks: Task[] = [
  {
    asked: "Why did Ben's mail bounce? Send it again to his new address.",
    calls: 4,
    questions: 1,
    async work(call) {
      await call('describe', { methods: ['email.bounces.list', 'email.messages.send'] });
      const bounces = await call('read', {
        method: 'email.bounces.list',
        fields: ['id', 'recipient', 'smtp_answer_data'],
      });
      await call('read', { method: 'email.messages.get', params: { id: Object(bounces)[0].id } });
      const params = {
        subject: 'Your annual plan renewal',
        from: { name: 'Example Sales', email: 'sales@example.com' },
        to: [{ name: 'Ben Ito', email: 'ben.new@example.com' }],
        html: '<p>Hello Ben</p>',
        text: 'Hello Ben',
      };
      const sent = await call('send', { method: 'email.messages.send', params });
      return [Object(bounces)[0].smtp_answer_data, Object(sent).result];
    },
    result: ['Mailbox unavailable', true],
  },
  {
    asked: 'Write to everybody who has the tag VIP.',
    calls: 5,
    questions: 1,
    async work(call) {
      await call('describe', { methods: ['crm.contacts.list', 'messaging.campaigns.create'] });
      const tags = await call('read', { method: 'crm.tags.list' });
      const { id } = Object(tags).find(({ name }: { name: string }) => name === 'VIP');
      const found = await contacts(call, ['phones.phone'], { tagIds: [id] });
      const params = {
        message_type: 2,
        sender_id: 5,
        message_live_time: 3600,
        send_date: 'now',
        recipients: Object(found).flatMap(({ phones }: { phones: { phone: string }[] }) =>
          phones.map(({ phone }) => Number(phone.replace('+', ''))),
        ),
        message: 'Thank you for your loyalty.',
      };
      await call('send', { method: 'messaging.campaigns.create', params, rehearse: 'service' });
      const created = await call('send', { method: 'messaging.campaigns.create', params });
      return [params.recipients, typeof Object(created).task_id];
    },
    result: [[15550100123], 'number'],
  },
  {
    asked: 'Delete all contacts that have the tag Trial.',
    calls: 5,
    questions: 1,
    async work(call) {
      const tag = await call('write', { method: 'crm.tags.create', params: { name: 'Trial' } });
      const { id: tagId } = Object(tag);
      const created = await call('write', {
        method: 'crm.contacts.create',
        calls: Array.from({ length: 26 }, (_, at) => ({ responsibleId: 77, firstName: `Trial ${at}` })),
      });
      const ids = Object(created).map(({ id }: { id: number }) => id);
      await call('write', {
        method: 'crm.tags.assign',
        calls: ids.map((contactId: number) => ({ tagId, contactId })),
      });
      const found = await contacts(call, ['id'], { tagIds: [tagId], limit: 100 });
      return call('delete', {
        method: 'crm.contacts.delete',
        calls: Object(found).map(({ id }: { id: number }) => ({ contactId: id })),
      });
    },
    result: 'crm.contacts.delete: 26 of 26 calls succeeded.',
  },
  {
    asked: 'Move the deals of step 11 to step 12.',
    calls: 3,
    questions: 0,
    async work(call) {
      await call('describe', { methods: ['crm.deals.list', 'crm.deals.update'] });
      const deals = await call('read', { method: 'crm.deals.list', params: { limit: 50 } });
      const moved = Object(deals).filter(({ stepId }: { stepId: number }) => stepId === 11);
      return call('write', {
        method: 'crm.deals.update',
        calls: moved.map(({ id, pipelineId, name, price, status }: Record<string, unknown>) => ({
          ...{ dealId: id, pipelineId, name, price, status },
          stepId: 12,
        })),
      });
    },
    result: [expect.objectContaining({ id: 501, stepId: 12 })],
  },
  {
    asked: 'Unsubscribe these 1,000 addresses.',
    calls: 1,
    questions: 1,
    async work(call) {
      const emails = Array.from({ length: 1_000 }, (_, at) => ({ email: `reader${at}@example.com` }));
      return call('write', { method: 'email.unsubscribes.add', params: { emails } });
    },
    result: { result: true },
  },
  {
    asked: 'Which contacts exist twice?',
    calls: 3,
    questions: 0,
    async work(call) {
      const twice = { responsibleId: 77, firstName: 'Ann', lastName: 'Kowal' };
      await call('describe', { method: 'crm.contacts.list' });
      await call('write', { method: 'crm.contacts.create', params: twice });
      const found = await contacts(call, ['id', 'firstName', 'lastName'], { limit: 100 });
      const names = Object(found).map((contact: typeof twice) => `${contact.firstName} ${contact.lastName}`);
      return names.filter((name: string, at: number) => names.indexOf(name) < at);
    },
    result: ['Ann Kowal'],
  },
  {
    asked: "Set Ann's birthday.",
    calls: 4,
    questions: 0,
    async work(call) {
      await call('describe', { words: 'contact attribute value' });
      const attributes = await call('read', { method: 'crm.contactAttributes.list', fields: ['id', 'name'] });
      const { id } = Object(attributes).find(({ name }: { name: string }) => name === 'Birthday');
      const found = await contacts(call, ['id'], { firstName: 'Ann' });
      return call('write', {
        method: 'crm.contacts.attributes.update',
        params: { contactId: Object(found)[0].id, attributeId: id, value: '1990-05-15 00:00' },
      });
    },
    result: expect.objectContaining({ value: '1990-05-15 00:00' }),
  },
  {
    asked: 'Ben wants no more messages on his phone.',
    calls: 2,
    questions: 0,
    async work(call) {
      await call('describe', { method: 'messaging.blacklist.add' });
      return call('write', { method: 'messaging.blacklist.add', params: { phones: ['15550100777'] } });
    },
    result: expect.anything(),
  },
  {
    asked: 'Note on the renewal that Ann wants a yearly invoice.',
    calls: 2,
    questions: 0,
    async work(call) {
      const deals = await call('read', { method: 'crm.deals.list', fields: ['id', 'name'] });
      const params = { dealId: Object(deals)[0].id, message: 'Ann wants a yearly invoice.' };
      return call('write', { method: 'crm.deals.comments.create', params });
    },
    result: expect.objectContaining({ message: 'Ann wants a yearly invoice.' }),
  },
  {
    asked: 'Announce the sale to the subscribers of the shop.',
    calls: 3,
    questions: 1,
    async work(call) {
      await call('describe', { method: 'messaging.push.campaigns.create' });
      const websites = await call('read', { method: 'messaging.push.websites.list', fields: ['id', 'url'] });
      const params = { title: 'Sale', website_id: Object(websites)[0].id, body: 'Until Sunday.', ttl: 86_400 };
      return call('send', { method: 'messaging.push.campaigns.create', params });
    },
    result: expect.objectContaining({ result: true }),
  },
  {
    asked: 'Take the tag VIP off everybody.',
    calls: 3,
    questions: 0,
    async work(call) {
      const tags = await call('read', { method: 'crm.tags.list' });
      const { id: tagId } = Object(tags).find(({ name }: { name: string }) => name === 'VIP');
      const found = await contacts(call, ['id'], { tagIds: [tagId] });
      const calls = Object(found).map(({ id }: { id: number }) => ({ tagId, contactId: id }));
      return call('delete', { method: 'crm.tags.unassign', calls });
    },
    result: 'crm.tags.unassign: 1 of 1 calls succeeded.',
  },
  {
    asked: 'Delete both contacts, with a program.',
    calls: 1,
    questions: 1,
    async work(call) {
      const program = `const { data } = await call('crm.contacts.list');
        await Promise.all(data.map(({ id }) => call('crm.contacts.delete', { contactId: id })));
        return (await call('crm.contacts.list')).data.length;`;
      return call('run', { program });
    },
    result: 0,
  },
];

describe('everyday tasks of an agent have no dead end, and one question where a person would ask one', () => {
  it.each(tasks.map((task) => [task.asked, task] as const))('%s', async (_, task) => {
    const programs = new Programs(new URL('../../../src/cli/bin/mcp-worker.ts', import.meta.url), ['read', 'delete']);
    let questions = 0;
    const answer: typeof yes = (message) => {
      questions += 1;
      return yes(message);
    };
    const agent = await connectAgent('2026-07-28', { answer, programs });
    let [calls, tokens] = [0, 0];
    const deadEnds: string[] = [];
    const result = await task.work(async (tool, input) => {
      calls += 1;
      const { text, isError } = await agent.call(tool, { ...input });
      tokens += countTokens(JSON.stringify(input)) + countTokens(text);
      if (isError) deadEnds.push(text);
      const [, json] = /<data \w+>\n(.*)\n<\/data/s.exec(text) ?? [];
      return json === undefined ? text : JSON.parse(json);
    });
    if (process.env.CARILLON_TASKS)
      console.log(`${task.asked} ${calls} calls, ${questions} questions, ${tokens} tokens`);
    expect([deadEnds, result, calls, questions]).toEqual([[], task.result, task.calls, task.questions]);
    await agent.close();
  });
});
