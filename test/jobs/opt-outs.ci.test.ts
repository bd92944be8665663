import { expect, onTestFinished, test } from 'vitest';
import { type JobDefinition, type Jobs, openJobs, sendCampaign, sendEmails } from '../../src/jobs/index.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { writeSource } from './sources/files.ts';
import { changeStore, temporaryFolder } from './store/stores.ts';
import { all } from './tag-job.ts';

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
  /** Lets some hours pass since the list was read. */
  wait(hours: number): void;
}

async function open(): Promise<Account> {
  const sandbox = createSandbox();
  const folder = temporaryFolder();
  const definitions: JobDefinition[] = [sendEmails, sendCampaign];
  const jobs = await openJobs({
    definitions,
    client: {
      baseUrl: 'http://127.0.0.1:4012',
      auth: { apiKey: 'any' },
      maxRetries: 0,
      fetch: (url, init) => sandbox.fetch(new Request(url, init)),
    },
    logger: { warn: () => undefined },
    folder,
  });
  onTestFinished(() => jobs.close());
  return {
    jobs,
    sandbox,
    wait: (hours) => changeStore(folder, `UPDATE jobs SET checked_at = checked_at - ${hours * 3_600_000}`),
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
  sandbox.log.list({ operation: 'listUnsubscribedEmails' }).length +
  sandbox.log.list({ operation: 'listBlacklistEntries' }).length;

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

test('who unsubscribed after the plan gets nothing, and is listed; one pass serves all rows', async () => {
  const account = await open();
  const { jobs, sandbox } = account;
  await planEmails(account, 250);
  expect(lists(sandbox)).toBe(0);
  await unsubscribe(sandbox, 'C7@example.com', 'c180@example.com');
  await jobs.work({ until: 'send-emails' });
  expect(await jobs.status('send-emails')).toMatchObject({ state: 'finished', rows: { done: 248, invalid: 2 } });
  expect((await all(jobs.problems('send-emails'))).map(({ line, state, reason }) => [line, state, reason])).toEqual([
    [
      9,
      'invalid',
      expect.stringMatching(/^c7@example\.com is on the list of people who opted out \(listUnsubscribedEmails\)/),
    ],
    [182, 'invalid', expect.stringContaining('c180@example.com')],
  ]);
  expect(sent(sandbox)).not.toContain('"c7@example.com"');
  // A page of three entries, and the one after it.
  expect(lists(sandbox)).toBe(2);
});

test('the list is read again when a day has passed, and not before', async () => {
  const account = await open();
  const { jobs, sandbox, wait } = account;
  await planEmails(account, 3);
  const workUntilRefused = async (): Promise<void> => {
    sandbox.faults.add({ operation: 'sendEmailMessage', status: 401 });
    await jobs.work({ until: 'send-emails', concurrency: 1 });
    await jobs.resume('send-emails');
  };
  await workUntilRefused();
  expect(lists(sandbox)).toBe(2);
  wait(23);
  await workUntilRefused();
  expect(lists(sandbox)).toBe(2);
  await unsubscribe(sandbox, ...addresses(3));
  wait(2);
  await jobs.work({ until: 'send-emails' });
  expect(lists(sandbox)).toBe(4);
  expect((await jobs.status('send-emails')).rows).toMatchObject({ planned: 0, invalid: 3 });
  expect(sent(sandbox)).not.toContain('c2@example.com');
});

test('rows that are planned again are compared with a new list', async () => {
  const account = await open();
  const { jobs, sandbox } = account;
  await planEmails(account, 3);
  sandbox.faults.add({ operation: 'sendEmailMessage', status: 422, times: 3, body: { message: 'no' } });
  await jobs.work({ until: 'send-emails' });
  await unsubscribe(sandbox, ...addresses(3));
  expect(await jobs.retry('send-emails', { rows: 'all' })).toBe(3);
  await jobs.work({ until: 'send-emails' });
  expect(await jobs.status('send-emails')).toMatchObject({ rows: { done: 0, invalid: 3 } });
});

test(`a pass that fails pauses the job, which sends nothing, and resume tries again`, async () => {
  const account = await open();
  const { jobs, sandbox } = account;
  await planEmails(account, 150);
  sandbox.faults.add({ operation: 'listUnsubscribedEmails', status: 503 });
  await jobs.work({ until: 'send-emails' });
  expect(await jobs.status('send-emails')).toMatchObject({
    state: 'paused',
    rows: { planned: 150 },
    reason: expect.stringContaining(
      'The list of people who opted out of what the job sends (listUnsubscribedEmails) could not be read',
    ),
  });
  expect(sent(sandbox)).toBe('[]');
  await jobs.resume('send-emails');
  await jobs.work({ until: 'send-emails' });
  expect(await jobs.status('send-emails')).toMatchObject({ state: 'finished', rows: { done: 150 } });
});

test(`blacklisted numbers leave their part, and each is listed`, async () => {
  const { jobs, sandbox } = await open();
  const phones = ['15550100100', '15550100124', '15550100126'];
  const file = await writeSource('phones.csv', `phones\n${phones.join('\n')}\n`);
  await jobs.plan(sendCampaign, { options: { file, title: 'Autumn', message: promo } });
  await jobs.work({ until: 'send-campaign' });
  expect(sent(sandbox)).toContain('"recipients":["15550100100","15550100126"]');
  expect(await jobs.status('send-campaign')).toMatchObject({
    state: 'finished',
    total: 2,
    rows: { done: 1, invalid: 1 },
  });
  expect(await all(jobs.problems('send-campaign'))).toMatchObject([
    { line: 2, state: 'invalid', reason: expect.stringMatching(/^15550100124 is on the list .*listBlacklistEntries/) },
  ]);
});

test(`a job to unsubscribed people, too, reads no list`, async () => {
  const { jobs, sandbox } = await open();
  const file = await writeSource('customers.csv', 'email\nben.ito@example.com\n');
  await jobs.plan(sendEmails, { options: { file, message, skipUnsubscribed: false } });
  await jobs.work({ until: 'send-emails' });
  expect(lists(sandbox)).toBe(0);
  expect(await jobs.status('send-emails')).toMatchObject({ rows: { done: 1 } });
});
