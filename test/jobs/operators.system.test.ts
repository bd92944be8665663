import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from 'carillon';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runJobs } from '../../src/jobs/command/command.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { serve } from '../../src/shared/server/serve.ts';
import { changeStore, temporaryFolder } from './store/stores.ts';

const printed: string[] = [];
const complained: string[] = [];
let folder = '';
let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = createSandbox();
  const server = await serve(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  folder = temporaryFolder();
  vi.stubEnv('DATABASE_URL', undefined);
  vi.stubEnv('CARILLON_BASE_URL', server.url);
  vi.stubEnv('CARILLON_API_KEY', 'k3y-of-the-account');
  vi.stubEnv('CARILLON_JOBS_FOLDER', folder);
  complained.length = 0;
  vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
  vi.spyOn(console, 'error').mockImplementation((text: string) => void complained.push(text));
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});

async function run(...args: string[]): Promise<{ code: number; text: string }> {
  printed.length = 0;
  const code = await runJobs('carillon-jobs', args);
  return { code, text: printed.join('\n') };
}

/** Plans emails to the rows of a file, or sends them. */
async function sendEmails(rows: string, ...more: string[]): Promise<{ code: number; text: string }> {
  const [file, message] = [join(folder, 'people.csv'), join(folder, 'message.json')];
  await writeFile(file, rows);
  const content = { subject: 'Hi', from: { name: 'Shop', email: 'sales@example.com' }, html: '<p>Hi</p>', text: 'Hi' };
  await writeFile(message, JSON.stringify(content));
  return run('run', 'send-emails', file, '--message', message, ...more);
}

/** Short, but not too short for a busy machine, on which other requests would be lost, too. */
const shortDeadline = 'UPDATE jobs SET deadline = 1500, lookup_after = 2000';

test('wait, run and status --watch end with 0 if all is done, 1 if problems are left or it was cancelled, 4 if it is paused', async () => {
  expect((await sendEmails('email\nann@example.com\n', '--name', 'done')).code).toBe(0);
  expect((await sendEmails('email\nnone\n', '--name', 'problems')).code).toBe(1);
  for (const [name, ended] of [
    ['paused', 'pause'],
    ['cancelled', 'cancel'],
  ] as const) {
    await sendEmails('email\nbob@example.com\n', '--name', name, '--plan');
    await run(ended, name);
  }
  for (const [name, code] of Object.entries({ done: 0, problems: 1, cancelled: 1, paused: 4, missing: 1 })) {
    expect((await run('wait', name)).code, name).toBe(code);
    if (name !== 'missing') expect((await run('status', name, '--watch')).code, name).toBe(code);
  }
});

test('wait says if no worker lives, and ends when a worker has finished the job', async () => {
  await sendEmails('email\nann@example.com\n', '--plan');
  const waiting = run('wait', 'people');
  await expect
    .poll(() => complained.join())
    .toContain('people: no worker is running. Start a worker: carillon-jobs work');
  expect((await sendEmails('email\nann@example.com\n')).code).toBe(0);
  expect((await waiting).code).toBe(0);
});

test('show finds every row that has an address, in any spelling, and lists them all', async () => {
  await sendEmails('email,name\nAnn@Example.com,A\nann@example.com,B\nbob@example.com,C\n', '--plan');
  const { text } = await run('show', 'people', 'ANN@example.com');
  expect(text.match(/^people, line \d/gm)).toEqual(['people, line 2', 'people, line 3']);
});

test('show never says that there is no row where done rows keep no address: it counts them', async () => {
  await sendEmails('key,email\np-1,ann@example.com\np-2,bob@example.com\n');
  expect((await run('show', 'people', 'ann@example.com')).code).toBe(1);
  expect(complained.join()).toContain(
    'the values of 2 rows are no longer stored, for example because the rows are done. If the row is one of them',
  );
  expect(complained.join()).not.toContain('has no row');
  expect((await run('show', 'people', 'p-1')).text).toContain('people, line 2 (p-1): done');
});

test('a key column does not turn off the lookup of lost emails', async () => {
  const rows = Array.from({ length: 15 }, (_, index) => `k-${index},c${index}@example.com`);
  await sendEmails(`key,email\n${rows.join('\n')}\n`, '--plan');
  changeStore(folder, shortDeadline);
  sandbox.faults.add({ operation: 'sendEmailMessage', drop: 'after', times: 3 });
  expect(await sendEmails(`key,email\n${rows.join('\n')}\n`)).toMatchObject({
    code: 0,
    text: expect.stringContaining('15 done, 0 rejected, 0 invalid, 0 unknown'),
  });
  expect(sandbox.log.list({ operation: 'sendEmailMessage' }).length).toBe(15);
});

test("a row does not count as done by another row's email: an address that repeats is not looked up", async () => {
  const rows = 'key,email,name\na,ann@example.com,A\nb,Ann@example.com,B\n';
  await sendEmails(rows, '--plan');
  changeStore(folder, shortDeadline);
  sandbox.faults.add({ operation: 'sendEmailMessage', drop: 'before', times: 1 });
  expect((await sendEmails(rows)).text).toContain('1 done, 0 rejected, 0 invalid, 1 unknown');
  expect((await run('problems', 'people')).text).toContain('other rows of the job have the same address');
});

test('after a repair, no lost email is looked up by an address that another row may have taken', async () => {
  const rows = 'key,email\na,ann@example.com\nb,none\nc,ben@example.com\n';
  await sendEmails(rows, '--plan');
  changeStore(folder, shortDeadline);
  await sendEmails(rows);
  const repair = join(folder, 'repair.csv');
  await writeFile(repair, 'key,state,line,step,problem,outcome,result,email\nb,invalid,3,,x,,,ann@example.com\n');
  sandbox.faults.add({ operation: 'sendEmailMessage', drop: 'before', times: 1 });
  // The email of the other row is no proof, although that row keeps no address any more.
  expect((await sendEmails(rows, '--repair', repair)).text).toContain('1 is sent again with the values from the file');
  expect((await run('problems', 'people')).text).toContain(
    'rows of the job were repaired, and one of them may have the same address as this row',
  );
});

test('an unknown column is invalid, with the way out, and a variable without a template says that', async () => {
  const rows = 'email,plan,notes\nann@example.com,gold,\n';
  expect((await sendEmails(rows)).code).toBe(1);
  expect(complained.join()).toContain(
    'unknown columns: "plan", "notes". Rename or remove the columns, or skip them with --skip-columns plan,notes.',
  );
  expect((await sendEmails(rows, '--skip-columns', 'plan,notes')).code).toBe(0);
  complained.length = 0;
  expect((await sendEmails('email,variable:x\nann@example.com,1\n', '--name', 'other')).code).toBe(1);
  expect(complained.join()).toContain(
    'the column "variable:x" is for a template variable, but the message has no template',
  );
});

test('rows whose cells are all empty are skipped', async () => {
  expect((await sendEmails('email,name\nann@example.com,A\n,\n ,\n')).text).toContain('people: 1 row is planned.');
});

test('names of tags are compared in one Unicode form', async () => {
  const api = createClient({ baseUrl: process.env.CARILLON_BASE_URL ?? '', auth: { apiKey: 'any' } });
  await api.crm.tags.create({ name: 'Caf\u00e9' });
  const file = join(folder, 'contacts.csv');
  await writeFile(file, 'key,lastName,tags\nc-1,Adler,Cafe\u0301\n');
  const { code } = await run('run', 'import-contacts', file, '--responsible', '77');
  expect(complained).toEqual([]);
  expect(code).toBe(0);
});

test('retry all and --repair count what the store says', async () => {
  sandbox.faults.add({ operation: 'sendEmailMessage', status: 422, times: 2, body: { message: 'no' } });
  const rows = 'email\nann@example.com\nbob@example.com\nnone\n';
  await sendEmails(rows);
  expect((await run('retry', 'people', 'all')).text).toContain('people: 2 rows planned again');
});
