import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { type JobDefinition, type Jobs, openJobs, sendCampaign, sendEmails } from '../../src/jobs/index.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { isNightly } from '../support/amounts.ts';
import { writeSource } from './sources/files.ts';
import { createDatabase } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';
import { all, connect } from './tag-job.ts';

const message = {
  subject: 'Renewal',
  from: { name: 'Shop', email: 'sales@example.com' },
  html: '<p>Hi</p>',
  text: 'Hi',
};
const promo = { message_type: 2, sender_id: 5, message_live_time: 3_600, send_date: 'now', message: 'Hello' } as const;

interface Account {
  jobs: Jobs;
  sandbox: Sandbox;
  database: string;
  /** Lets the rows of all jobs wait for some minutes. */
  wait(minutes: number): Promise<void>;
}

async function open(): Promise<Account> {
  const sandbox = createSandbox();
  const database = await createDatabase(inject('postgresPort'));
  const definitions: JobDefinition[] = [sendEmails, sendCampaign];
  const jobs = await openJobs({
    database,
    definitions,
    client: {
      baseUrl: 'http://127.0.0.1:4012',
      auth: { apiKey: 'any' },
      maxRetries: 0,
      fetch: (url, init) => sandbox.fetch(new Request(url, init)),
    },
    logger: { warn: () => undefined },
    folder: temporaryFolder(),
  });
  onTestFinished(() => jobs.close());
  const sql = await connect(database);
  return {
    jobs,
    sandbox,
    database,
    wait: async (minutes) =>
      void (await sql.query(
        `UPDATE carillon_jobs.jobs SET planned_at = planned_at - $1 * interval '1 minute', checked_at = checked_at - $1 * interval '1 minute'`,
        [minutes],
      )),
  };
}

const addresses = (count: number): string[] => Array.from({ length: count }, (_, index) => `c${index}@example.com`);
const sent = (sandbox: Sandbox): string =>
  JSON.stringify(
    sandbox.requests
      .filter(({ operation }) => /^(?:sendEmailMessage|createCampaign)$/.test(operation ?? ''))
      .map(({ body }) => body),
  );
const lists = (sandbox: Sandbox): number =>
  sandbox.log.count({ operation: 'listUnsubscribedEmails' }) + sandbox.log.count({ operation: 'listBlacklistEntries' });

async function unsubscribe(sandbox: Sandbox, ...emails: string[]): Promise<void> {
  await sandbox.fetch('http://127.0.0.1:4012/smtp/unsubscribe', {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: JSON.stringify({ emails: emails.map((email) => ({ email })) }),
  });
}

async function planEmails({ jobs }: Account, count: number): Promise<void> {
  const file = await writeSource('customers.csv', `email\n${addresses(count).join('\n')}\n`);
  await jobs.plan(sendEmails, { options: { file, message } });
}

test(`who unsubscribed while a row waited for an hour gets nothing, and is listed; one pass serves all rows`, async () => {
  const account = await open();
  const { jobs, sandbox, wait } = account;
  await planEmails(account, 250);
  const before = lists(sandbox);
  await unsubscribe(sandbox, 'C7@example.com', 'c180@example.com');
  await wait(61);
  await jobs.work({ until: 'send-emails' });
  expect(await jobs.status('send-emails')).toMatchObject({ state: 'finished', rows: { done: 248, rejected: 2 } });
  expect((await all(jobs.problems('send-emails'))).map(({ line, state, reason }) => [line, state, reason])).toEqual([
    [
      9,
      'refused',
      expect.stringMatching(/^c7@example\.com is on the list of those who do not want it \(listUnsubscribedEmails\)/),
    ],
    [182, 'refused', expect.stringContaining('c180@example.com')],
  ]);
  expect(sent(sandbox)).not.toContain('"c7@example.com"');
  // A pass reads a list of three entries: one page, as the plan did.
  expect(lists(sandbox) - before).toBe(before);
});

test.runIf(isNightly && !missingPostgres)(
  `rows that waited for less than an hour cause no request, and an hour after a pass there is another`,
  async () => {
    const account = await open();
    const { jobs, sandbox, wait } = account;
    await planEmails(account, 3);
    await jobs.pause('send-emails');
    const before = lists(sandbox);
    await wait(59);
    await jobs.resume('send-emails');
    sandbox.faults.add({ operation: 'sendEmailMessage', status: 401 });
    await jobs.work({ until: 'send-emails', concurrency: 1 });
    expect(lists(sandbox)).toBe(before);
    await wait(2);
    await jobs.resume('send-emails');
    sandbox.faults.add({ operation: 'sendEmailMessage', status: 401 });
    await jobs.work({ until: 'send-emails', concurrency: 1 });
    expect(lists(sandbox)).toBe(2 * before);
    await unsubscribe(sandbox, ...addresses(3));
    await wait(61);
    await jobs.resume('send-emails');
    await jobs.work({ until: 'send-emails' });
    expect(lists(sandbox)).toBe(3 * before);
    expect((await jobs.status('send-emails')).rows.planned).toBe(0);
  },
);

test(`rows that wait in a worker for their rate are checked again, and sent at their next turn`, async () => {
  const { jobs, sandbox } = await open();
  const file = await writeSource('customers.csv', `email\n${addresses(4).join('\n')}\n`);
  // Each row waits for its turn for longer than a list is valid.
  await jobs.plan(sendEmails, { options: { file, message }, rate: 0.25, recheckAfter: 3_500 });
  const work = jobs.work({ until: 'send-emails' });
  await vi.waitFor(() => expect(sent(sandbox)).toContain('c0@example.com'), { timeout: 30_000, interval: 5 });
  await unsubscribe(sandbox, 'c1@example.com', 'c3@example.com');
  await work;
  expect(await jobs.status('send-emails')).toMatchObject({ state: 'finished', rows: { done: 2, rejected: 2 } });
  expect(sent(sandbox)).not.toMatch(/c[13]@example/);
});

test(`a time to check again that ends before a list is read is refused`, async () => {
  const { jobs } = await open();
  const file = await writeSource('customers.csv', `email\n${addresses(1).join('\n')}\n`);
  const plan = async (recheckAfter: number): Promise<unknown> =>
    jobs.plan(sendEmails, { options: { file, message }, recheckAfter });
  const sentence = 'send-emails: recheckAfter must be at least 3000 ms';
  for (const recheckAfter of [1, 2_999, -1, Number.NaN]) await expect(plan(recheckAfter)).rejects.toThrow(sentence);
  await plan(3_000);
});

test(`a pass that fails pauses the job, which sends nothing, and resume tries again`, async () => {
  const account = await open();
  const { jobs, sandbox, wait } = account;
  await planEmails(account, 150);
  await wait(61);
  sandbox.faults.add({ operation: 'listUnsubscribedEmails', status: 503 });
  await jobs.work({ until: 'send-emails' });
  expect(await jobs.status('send-emails')).toMatchObject({
    state: 'paused',
    rows: { planned: 150 },
    reason: expect.stringContaining(
      'the list of those who do not want them (listUnsubscribedEmails) could not be read',
    ),
  });
  expect(sent(sandbox)).toBe('[]');
  await jobs.resume('send-emails');
  await jobs.work({ until: 'send-emails' });
  expect(await jobs.status('send-emails')).toMatchObject({ state: 'finished', rows: { done: 150 } });
});

test(`blacklisted numbers leave their part, and each is listed`, async () => {
  const { jobs, sandbox, wait } = await open();
  const phones = ['15550100100', '15550100124', '15550100126'];
  const file = await writeSource('phones.csv', `phones\n${phones.join('\n')}\n`);
  await jobs.plan(sendCampaign, { options: { file, title: 'Autumn', message: promo } });
  await wait(61);
  await jobs.work({ until: 'send-campaign' });
  expect(sent(sandbox)).toContain('"recipients":["15550100100","15550100126"]');
  expect(await jobs.status('send-campaign')).toMatchObject({
    state: 'finished',
    total: 2,
    rows: { done: 1, rejected: 1 },
  });
  expect(await all(jobs.problems('send-campaign'))).toMatchObject([
    { line: 2, state: 'rejected', reason: expect.stringMatching(/^15550100124 is on the list .*listBlacklistEntries/) },
  ]);
});

test(`a job to unsubscribed people, too, reads no list`, async () => {
  const { jobs, sandbox, wait } = await open();
  const file = await writeSource('customers.csv', 'email\nben.ito@example.com\n');
  await jobs.plan(sendEmails, { options: { file, message, skipUnsubscribed: false } });
  await wait(61);
  await jobs.work({ until: 'send-emails' });
  expect(lists(sandbox)).toBe(0);
  expect(await jobs.status('send-emails')).toMatchObject({ rows: { done: 1 } });
});

test(`an ended job keeps no list`, async () => {
  const account = await open();
  const { jobs, wait, database } = account;
  await planEmails(account, 2);
  await wait(61);
  await jobs.work({ until: 'send-emails' });
  await jobs.work({ until: 'send-emails' });
  const sql = await connect(database);
  await expect.poll(async () => (await sql.query('SELECT FROM carillon_jobs.opt_outs')).rowCount).toBe(0);
});
