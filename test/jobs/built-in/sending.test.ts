import { expect, test, vi } from 'vitest';
import { CampaignsCreateMaxItems } from '../../../generated/messaging/methods.ts';
import { campaignSource, formatPart } from '../../../src/jobs/built-in/campaign-source.ts';
import { formatRecipient, recipientsOf } from '../../../src/jobs/built-in/email-source.ts';
import { assertCampaignContent, assertEmailContent } from '../../../src/jobs/built-in/message-content.ts';
import { sendCampaign } from '../../../src/jobs/built-in/send-campaign.ts';
import { sendEmails } from '../../../src/jobs/built-in/send-emails.ts';
import { JobsError } from '../../../src/jobs/jobs-error.ts';
import { readOptOuts } from '../../../src/jobs/work/opt-out-list.ts';
import { readFixtures } from '../../support/snippets.ts';
import { collect, writeSource } from '../sources/files.ts';
import { notesInMemory, openAccount, rowsOf, runRow } from './in-process.ts';

const promo = { message_type: 2, sender_id: 5, message_live_time: 3_600, send_date: 'now', message: 'Hello' } as const;
const title = 'Autumn';

test('splits a campaign into parts of the most numbers that a request takes', async () => {
  const most = CampaignsCreateMaxItems.recipients;
  const phones = Array.from({ length: 2 * most + 1 }, (_, index) => String(15550100000 + index));
  const options = { file: await writeSource('phones.csv', `phone\n${phones.join('\n')}\n`), title, message: promo };
  const { api, sandbox } = openAccount();
  const rows = await rowsOf(sendCampaign, options, api);
  expect(rows.map(({ key, line, values }) => [key, line, values.task_name, values.recipients.length])).toEqual([
    ['part-1', 2, 'Autumn, part 1', most],
    ['part-2', most + 2, 'Autumn, part 2', most],
    ['part-3', 2 * most + 2, 'Autumn, part 3', 1],
  ]);
  expect(rows.flatMap(({ values }) => values.recipients)).toEqual(phones);
  for (const row of rows) await runRow(sendCampaign, row, options, api);
  const sent = sandbox.requests.filter(({ operation }) => operation === 'createCampaign');
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await api.messaging.campaigns.list()).data.map(({ name }) => name)).toContain('Autumn, part 3');
});

test('a cell of another type than text makes only its row invalid', async () => {
  const options = {
    file: await writeSource('people.ndjson', '{"key":"a","email":{"a":1}}\n{"email":"ann@example.com"}\n'),
    message: { subject: 'Hi', from: { name: 'Shop', email: 'sales@example.com' }, html: '<p>Hi</p>', text: 'Hi' },
  };
  const { api } = openAccount();
  expect(await rowsOf(sendEmails, options, api)).toMatchObject([
    { line: 1, key: 'a', problem: 'email must be a string' },
    { line: 2, values: { email: 'ann@example.com' } },
  ]);
});

test('one address in two spellings of its letters is one person, and an invisible character is invalid', async () => {
  const [composed, decomposed] = ['jos\u00e9@example.com', 'jose\u0301@example.com'];
  const hidden = ['ann\u200b@example.com', 'ann\u00ad@example.com', '\u202eann@example.com'];
  const options = {
    file: await writeSource('people.csv', `email\n${[composed, decomposed, ...hidden].join('\n')}\n`),
    message: { subject: 'Hi', from: { name: 'Shop', email: 'sales@example.com' }, html: '<p>Hi</p>', text: 'Hi' },
  };
  const { api } = openAccount();
  expect(await rowsOf(sendEmails, options, api)).toMatchObject([
    { line: 2, key: composed, values: { email: composed } },
    { line: 3, problem: 'the row equals line 2 in every column' },
    { line: 4, problem: `"${hidden[0]}" contains an invisible character (U+200B)` },
    { line: 5, problem: expect.stringContaining('(U+00AD)') },
    { line: 6, problem: expect.stringContaining('(U+202E)') },
  ]);
  await api.email.unsubscribes.add({ emails: [{ email: decomposed, comment: 'asked' }] });
  const [first] = await rowsOf(sendEmails, options, api);
  expect((await collect(readOptOuts(api, 'sendEmailMessage'))).flat()).toEqual(
    expect.arrayContaining(recipientsOf(first?.values ?? { email: '', variables: {} })),
  );
  const phones = { file: await writeSource('phones.csv', 'phone\n1555\u200b0100\n'), title, message: promo };
  expect(await rowsOf(sendCampaign, phones, api)).toMatchObject([
    { problem: expect.stringContaining('is not a phone') },
  ]);
});

test('a number that appears twice gets one message, and an invalid number gets no message', async () => {
  const text = 'phone\n+1 555 0100\nabc\n15550100\n15550101\n';
  const options = { file: await writeSource('phones.csv', text), title, message: promo };
  expect(await rowsOf(sendCampaign, options, openAccount().api)).toMatchObject([
    { key: 'line-3', line: 3, problem: '"abc" is not a phone number', values: { row: { phones: 'abc' } } },
    { key: 'line-4', line: 4, problem: '15550100 is also on line 2' },
    { key: 'part-1', line: 2, values: { recipients: ['15550100', '15550101'] } },
  ]);
});

test('a number repeated in its row or many lines later gets one message, and the reason names both lines', async () => {
  const phones = Array.from({ length: 2_500 }, (_, index) => String(15550100000 + index));
  const others = ['15550100000', '+1 555 0900;15550102400', '15550900', '15550901;+1 555 0901'];
  const text = `phones\n${[...phones, ...others].join('\n')}\n`;
  const options = { file: await writeSource('phones.csv', text), title, message: promo };
  const rows = await rowsOf(sendCampaign, options, openAccount().api);
  expect(rows.filter(({ problem }) => problem !== undefined)).toMatchObject([
    { line: 2_502, problem: '15550100000 is also on line 2' },
    { line: 2_503, problem: '15550102400 is also on line 2402', values: { row: { phones: others[1] } } },
  ]);
  // The other number of an invalid row is free, so a later line can send to it.
  const sent = rows.flatMap(({ values }) => values.recipients);
  expect(sent).toEqual([...phones, '15550900', '15550901']);
});

test("a system message goes to one number, with its row's variables", async () => {
  const text = 'phone,variable:code\n15550100,1234\n15550101,5678\n';
  const message = { ...promo, message_type: 3, message: null, template_id: 41, variables: { name: 'Shop' } } as const;
  const options = { file: await writeSource('phones.csv', text), title, message };
  const { api, sandbox } = openAccount();
  const rows = await rowsOf(sendCampaign, options, api);
  expect(rows.map(({ values }) => [values.recipients, values.variables])).toEqual([
    [['15550100'], { code: '1234' }],
    [['15550101'], { code: '5678' }],
  ]);
  const [row] = rows;
  if (!row) throw new Error('no row');
  await runRow(sendCampaign, row, options, api).catch(() => undefined);
  expect(sandbox.requests.map(({ body }) => body)).toMatchObject([
    { variables: { name: 'Shop', code: '1234' }, recipients: ['15550100'], task_name: 'Autumn, part 1' },
  ]);
});

test('a part written for repair reads back as the same part', async () => {
  const values = { task_name: 'Autumn, part-7', recipients: ['15550100', '15550101'], variables: {} };
  const file = await writeSource('repair.ndjson', JSON.stringify({ key: 'part-7', ...formatPart(values) }));
  const { rows } = campaignSource({ file, title, message: promo }, { isRepair: true });
  expect(
    await collect(
      (async function* () {
        yield* rows(notesInMemory());
      })(),
    ),
  ).toEqual([{ key: 'part-7', line: 1, values }]);
});

const from = { name: 'Shop', email: 'sales@example.com' };
const template = { subject: 'Renewal', from, template: { id: 700, variables: { plan: 'Basic' } } };

test('sends an email per row, with the variables of the template and of the row', async () => {
  const text = 'email,name,variable:first_name\nann.kowal@example.com,Ann,Ann\ncleo@example.com,,Cleo\n';
  const options = { file: await writeSource('people.csv', text), message: template };
  const { api, sandbox } = openAccount();
  const rows = await rowsOf(sendEmails, options, api);
  for (const row of rows)
    expect((await runRow(sendEmails, row, options, api)).results.email).toEqual(expect.any(String));
  expect(
    sandbox.requests.filter(({ operation }) => operation === 'sendEmailMessage').map(({ body }) => body),
  ).toMatchObject([
    {
      email: {
        to: [{ name: 'Ann', email: 'ann.kowal@example.com' }],
        template: { id: 700, variables: { plan: 'Basic', first_name: 'Ann' } },
      },
    },
    {
      email: {
        to: [{ email: 'cleo@example.com' }],
        template: { variables: { plan: 'Basic', first_name: 'Cleo' } },
      },
    },
  ]);
});

test('reads no list of unsubscribed addresses that may be incomplete', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  // The service ignores the offset.
  const { api, sandbox } = openAccount((url) => url.searchParams.delete('offset'));
  await api.email.unsubscribes.add({ emails: [{ email: 'ann@example.com' }] });
  await expect(collect(readOptOuts(api, 'sendEmailMessage'))).rejects.toThrow(
    'GET /smtp/unsubscribe repeats a page; the list ends here',
  );
  expect(sandbox.requests.filter(({ operation }) => operation === 'listUnsubscribedEmails')).toHaveLength(2);
});

test.each([
  ['after', 'done'],
  ['before', 'unknown'],
] as const)(
  'an email lost %s it was sent is %s according to the message list, and not sent again',
  async (drop, outcome) => {
    const options = { file: await writeSource('people.csv', 'email\nann@example.com\n'), message: template };
    const { api, sandbox } = openAccount();
    const [row] = await rowsOf(sendEmails, options, api);
    if (!row) throw new Error('no row');
    sandbox.faults.add({ operation: 'sendEmailMessage', drop });
    if (outcome === 'done') {
      const { results, found } = await runRow(sendEmails, row, options, api);
      const [sent] = await api.email.messages
        .list({ recipient: 'ann@example.com' })
        .pages()
        .next()
        .then(({ value }) => value?.data ?? []);
      expect(found.email).toEqual({ outcome: 'done', result: sent?.id });
      expect(results.email).toBe(sent?.id);
    } else {
      await expect(runRow(sendEmails, row, options, api)).rejects.toThrow(
        'the list of messages does not contain the email',
      );
    }
    expect(sandbox.requests.filter(({ operation }) => operation === 'sendEmailMessage')).toHaveLength(1);
  },
);

test('an email is unknown if the list shows a different time, sender or subject, or two that match', async () => {
  const options = { file: await writeSource('people.csv', 'email\nann@example.com\n'), message: template };
  const [step] = sendEmails.steps;
  const [row] = await rowsOf(sendEmails, options, openAccount().api);
  if (!row || !step?.find) throw new Error('no row');
  const sentAt = new Date('2026-11-03T10:00:00.500Z');
  const mail = { id: 'm-1', sender: template.from.email, subject: template.subject, recipient: 'ann@example.com' };
  const look = async (...messages: object[]): Promise<string> => {
    const { api } = openAccount();
    const list = async function* () {
      yield* messages;
    };
    const given = { ...api, email: { ...api.email, messages: { ...api.email.messages, list } } };
    const context = { options, key: row.key, line: 2, marker: '', index: 0, results: {}, sentAt };
    const signal = new AbortController().signal;
    // @ts-expect-error: only what the lookup calls
    return (await step.find(row.values, { ...context, signal, api: given })).outcome;
  };
  expect(await look({ ...mail, send_date: '2026-11-03 10:00:07' })).toBe('done');
  // The list may use another time zone.
  expect(await look({ ...mail, send_date: '2026-11-03 15:30:00' })).toBe('done');
  expect(await look({ ...mail, send_date: '2026-11-03 09:59:00' })).toBe('unknown');
  expect(await look({ ...mail, send_date: '2026-11-03 10:04:00' })).toBe('unknown');
  expect(await look({ ...mail, send_date: '2026-11-03 10:00:07', subject: 'Other' })).toBe('unknown');
  expect(await look({ ...mail, send_date: '2026-11-03 10:00:07', sender: 'other@example.com' })).toBe('unknown');
  expect(await look({ ...mail, send_date: '2026-11-03 10:00:07' }, { ...mail, send_date: '2026-11-03 10:00:09' })).toBe(
    'unknown',
  );
  expect(await look(mail)).toBe('unknown');
  expect(await look()).toBe('unknown');
});

test("sends an attachment's text as bytes", async () => {
  const { api, sandbox } = openAccount();
  const attached = { ...template, attachments_binary: { 'offer.txt': 'Zażółć' } };
  const options = { file: await writeSource('people.csv', 'email\nann@example.com\n'), message: attached };
  for (const row of await rowsOf(sendEmails, options, api)) await runRow(sendEmails, row, options, api);
  const [request] = sandbox.requests.filter(({ operation }) => operation === 'sendEmailMessage');
  const content = Buffer.from('Zażółć').toString('base64');
  expect(request?.body).toMatchObject({ email: { attachments_binary: { 'offer.txt': content } } });
});

test('an email without content is invalid before the plan', () => {
  const message = { subject: 'Renewal', from, html: '', text: '' };
  expect(() => sendEmails.source({ file: 'x.csv', message }, openAccount())).toThrow(
    "The message needs 'html' or 'template'.",
  );
});

test.each([
  ['a type in words', { ...promo, message_type: 'promo' }, 'message_type must be a number'],
  ['no sender', { ...promo, sender_id: undefined }, 'sender_id must be a number'],
  ['no text', { ...promo, message: undefined }, 'message must be a string'],
  [
    'recipients',
    { ...promo, recipients: [15550100] },
    'remove recipients: the recipients come from the file with the rows',
  ],
  [
    'a mailing list',
    { ...promo, address_book: 4400 },
    'remove address_book: the recipients come from the file with the rows',
  ],
  ['no object', [promo], 'the message must be a JSON object'],
])("a campaign's content with %s is invalid, and the error names the field", (_, content, problem) => {
  const check: (value: unknown, file: string) => void = assertCampaignContent;
  expect(() => check(content, 'promo.json')).toThrow(new JobsError(`promo.json: ${problem}.`));
});

test('the sandbox sends the messages in the guide', async () => {
  const files = Object.fromEntries(readFixtures('docs/guides/jobs.md').map(({ name, content }) => [name, content]));
  const [campaign, email]: unknown[] = ['promo.json', 'renewal.json'].map((name) => JSON.parse(files[name] ?? ''));
  assertCampaignContent(campaign, 'promo.json');
  assertEmailContent(email, 'renewal.json');
  const { api, sandbox } = openAccount();
  const phones = { file: await writeSource('phones.csv', 'phone\n15550100\n'), title, message: campaign };
  for (const row of await rowsOf(sendCampaign, phones, api)) await runRow(sendCampaign, row, phones, api);
  const people = { file: await writeSource('people.csv', 'email\nann@example.com\n'), message: email };
  for (const row of await rowsOf(sendEmails, people, api)) await runRow(sendEmails, row, people, api);
  const sent = sandbox.requests.filter(({ operation }) => /^(createCampaign|sendEmailMessage)$/.test(operation ?? ''));
  expect(sent.map(({ status }) => status)).toEqual([200, 200]);
});

test('a recipient written for repair reads back as the same recipient', async () => {
  const values = { email: 'ann@example.com', name: 'Ann', variables: { first_name: 'Ann' } };
  const file = await writeSource('repair.ndjson', JSON.stringify({ key: 'k', ...formatRecipient(values) }));
  expect(await rowsOf(sendEmails, { file, message: template }, openAccount().api)).toEqual([
    { key: 'k', line: 1, values },
  ]);
});
