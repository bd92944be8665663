import { expect, onTestFinished, test } from 'vitest';
import { describePlan } from '../../src/jobs/command/plan-text.ts';
import { importContacts, type JobStatus, type Jobs, openJobs, sendCampaign, sendEmails } from '../../src/jobs/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { writeSource } from './sources/files.ts';
import { temporaryFolder } from './store/stores.ts';
import { all } from './tag-job.ts';

const message = {
  subject: 'Renewal',
  from: { name: 'Shop', email: 'sales@example.com' },
  template: { id: 700, variables: {} },
};

const promo = { message_type: 2, sender_id: 5, message_live_time: 3_600, send_date: 'now', message: 'Hello' } as const;

async function open(): Promise<{ jobs: Jobs; sent: () => string[] }> {
  const sandbox = createSandbox();
  const jobs = await openJobs({
    definitions: [sendEmails, sendCampaign, importContacts],
    client: {
      baseUrl: 'http://127.0.0.1:4012',
      auth: { apiKey: 'any' },
      fetch: (url, init) => sandbox.fetch(new Request(url, init)),
    },
    folder: temporaryFolder(),
  });
  onTestFinished(() => jobs.close());
  return {
    jobs,
    sent: () =>
      sandbox.requests
        .filter(({ operation }) => operation === 'sendEmailMessage')
        .map(({ body }) => JSON.stringify(body)),
  };
}

/** The counts of a plan, after a check that they add up. */
function countsOf({ plan }: JobStatus): object {
  const { rows, planned, leftOut, repeated } = plan ?? { rows: -1, planned: 0, leftOut: {}, repeated: 0 };
  expect(rows).toBe(Object.values(leftOut).reduce((sum, count) => sum + count, planned));
  return { rows, planned, leftOut, repeated };
}

const lines = [
  'email,variable:invoice',
  'ann@example.com,1',
  'ann@example.com,1',
  'Ann@example.com,2',
  'cleo@example.com,3',
  'no address,4',
  'ben.ito@example.com,5',
];

test(`the rows of a file are planned or left out for a reason, and the counts add up`, async () => {
  const { jobs, sent } = await open();
  const file = await writeSource('customers.csv', `${lines.join('\n')}\n`);
  const status = await jobs.plan(sendEmails, { options: { file, message } });
  expect(countsOf(status)).toEqual({
    rows: 6,
    planned: 4,
    leftOut: {
      'equal to an earlier row in every column': 1,
      'an invalid value': 1,
    },
    repeated: 1,
  });
  expect(describePlan(status, false)).toBe(
    [
      'send-emails: of 6 rows, 4 are planned and 2 are invalid.',
      '  1 left out: an invalid value',
      '  1 left out: equal to an earlier row in every column',
      '  1 of the planned rows has the same recipient as an earlier row, but different values. With --one-per-recipient, such rows are invalid.',
    ].join('\n'),
  );
  await jobs.work({ until: 'send-emails' });
  expect(sent()).toHaveLength(3);
  expect((await all(jobs.problems('send-emails'))).map(({ line, reason }) => [line, reason])).toEqual([
    [3, 'the row equals line 2 in every column'],
    [6, '"no address" is not an email address'],
    [
      7,
      'ben.ito@example.com is on the list of people who opted out (listUnsubscribedEmails), which was read before the row was sent',
    ],
  ]);
});

test(`rows that share an address have keys that no lookup by address accepts`, async () => {
  const { jobs } = await open();
  const file = await writeSource('customers.csv', `${lines.join('\n')}\n`);
  await jobs.plan(sendEmails, { options: { file, message } });
  await jobs.work({ until: 'send-emails' });
  expect((await all(jobs.results('send-emails'))).map(({ key }) => key)).toEqual([
    'ann@example.com (line 2)',
    'ann@example.com (line 4)',
    'cleo@example.com',
  ]);
});

test(`with onePerRecipient, a row with the recipient of an earlier row is a problem`, async () => {
  const { jobs, sent } = await open();
  const file = await writeSource('customers.csv', `${lines.join('\n')}\n`);
  const status = await jobs.plan(sendEmails, { options: { file, message, onePerRecipient: true } });
  expect(countsOf(status)).toMatchObject({
    planned: 3,
    leftOut: { 'the recipient of an earlier row': 1 },
    repeated: 0,
  });
  await jobs.work({ until: 'send-emails' });
  expect(sent()).toHaveLength(2);
});

test(`the parts of a campaign count the rows of their file`, async () => {
  const { jobs } = await open();
  const promo = {
    message_type: 2,
    sender_id: 5,
    message_live_time: 3_600,
    send_date: 'now',
    message: 'Hello',
  } as const;
  const rows = ['15550100;15550101', '15550102', '15550101', 'none', '15550103'];
  const file = await writeSource('phones.csv', `phones\n${rows.join('\n')}\n`);
  const status = await jobs.plan(sendCampaign, { options: { file, title: 'Autumn', message: promo } });
  expect(status.total).toBe(3);
  expect(countsOf(status)).toEqual({
    rows: 5,
    planned: 3,
    leftOut: { 'a phone number of an earlier row': 1, 'an invalid value': 1 },
    repeated: 0,
  });
  expect(describePlan(status, false)).toContain('of 5 rows, 3 are planned in 1 part and 2 are invalid.');
});

test(`a system message to one number with other variables is counted, or invalid if it is to be one`, async () => {
  const { jobs } = await open();
  const system = { ...promo, message_type: 3, message: null, template_id: 41 } as const;
  const file = await writeSource('phones.csv', 'phone,variable:code\n15550100,1\n15550100,2\n+1 5550100,1\n');
  const options = { file, title: 'Codes', message: system };
  expect(countsOf(await jobs.plan(sendCampaign, { name: 'all', options }))).toMatchObject({
    planned: 2,
    leftOut: { 'a phone number of an earlier row': 1 },
    repeated: 1,
  });
  const one = await jobs.plan(sendCampaign, { name: 'one', options: { ...options, onePerRecipient: true } });
  expect(countsOf(one)).toMatchObject({ planned: 1, repeated: 0 });
});

test(`a file that was planned before under another name is said, and a changed one is not`, async () => {
  const { jobs } = await open();
  const file = await writeSource('customers.csv', 'email\nann@example.com\n');
  const options = { message };
  expect((await jobs.plan(sendEmails, { name: 'first', options: { ...options, file } })).plan?.sameSource).toEqual([]);
  const copy = await writeSource('copy.csv', 'email\nann@example.com\n');
  const second = await jobs.plan(sendEmails, { name: 'second', options: { ...options, file: copy } });
  expect(second.plan?.sameSource).toEqual(['first']);
  expect(describePlan(second, false)).toContain(
    '  The same file was planned before, as first. Its rows are sent again unless you cancel this job: carillon-jobs cancel second',
  );
  const other = await writeSource('customers.csv', 'email\ncleo@example.com\n');
  expect(
    (await jobs.plan(sendEmails, { name: 'third', options: { ...options, file: other } })).plan?.sameSource,
  ).toEqual([]);
});

test(`contacts with the phone or email of an earlier row are counted`, async () => {
  const { jobs } = await open();
  const text =
    'key,lastName,phones,emails\n1,Adler,+1 5550100,\n2,Boros,15550100,a@example.com\n3,Costa,,A@example.com\n3,Costa,,A@example.com\n';
  const file = await writeSource('people.csv', text);
  const status = await jobs.plan(importContacts, { options: { file, responsibleId: 77 } });
  expect(countsOf(status)).toEqual({
    rows: 4,
    planned: 3,
    leftOut: { 'equal to an earlier row in every column': 1 },
    repeated: 1,
  });
});
