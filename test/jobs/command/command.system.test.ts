import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { runJobs } from '../../../src/jobs/command/command.ts';
import { openJobs, sendCampaign } from '../../../src/jobs/index.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { readFixtures } from '../../support/snippets.ts';
import { changeStore, readStore } from '../store/stores.ts';

const guide = 'docs/guides/jobs.md';
const printed: string[] = [];
let folder = '';
let sandbox: Sandbox;

/** Runs the command and returns its standard output and exit code. */
async function run(...args: string[]): Promise<{ code: number; text: string }> {
  printed.length = 0;
  const code = await runJobs('carillon-jobs', args);
  return { code, text: printed.join('\n') };
}

const people = (): string => join(folder, 'people.csv');
const importPeople = ['run', 'import-contacts'];

describe('carillon-jobs', () => {
  beforeEach(async () => {
    sandbox = createSandbox();
    const server = await serve(sandbox, { port: 0 });
    folder = await mkdtemp(join(tmpdir(), 'carillon-jobs-'));
    onTestFinished(async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    });
    for (const { name, content } of readFixtures(guide)) await writeFile(join(folder, name), content);
    vi.stubEnv('DATABASE_URL', undefined);
    vi.stubEnv('CARILLON_BASE_URL', server.url);
    vi.stubEnv('CARILLON_API_KEY', 'k3y-of-the-account');
    vi.stubEnv('CARILLON_JOBS_FOLDER', folder);
    vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  });

  test('an import and its problems print the output in the guide', async () => {
    const shown = /```text\n(Jobs: .*?)\n```/s.exec(await readFile(join(repositoryRoot, guide), 'utf8'))?.[1];
    const first = await run(...importPeople, people(), '--responsible', '77');
    const second = await run('problems', 'people');
    expect(`${first.text}\n${second.text}`.replace(folder, '.carillon-jobs')).toBe(shown);
    expect(first.code).toBe(1);
  });

  test('the first line says where the jobs are, and whether they are new, and --data names another folder', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const first = (await run(...importPeople, people(), '--responsible', '77', '--plan')).text;
    expect(first.split('\n')[0]).toBe(`Jobs: ${folder}/jobs.sqlite (new)`);
    const other = join(folder, 'other');
    expect((await run('status', '--data', other)).code).toBe(1);
    expect(errors.mock.calls.flat()).toEqual([
      `carillon-jobs: There are no jobs in ${other}/jobs.sqlite: plan a job first.`,
    ]);
    vi.stubEnv('CARILLON_JOBS_FOLDER', folder);
    const work = (await run(...importPeople, people(), '--responsible', '77')).text;
    expect(work.split('\n')[0]).toBe(`Jobs: ${folder}/jobs.sqlite`);
    const again = await run(...importPeople, people(), '--responsible', '77', '--data', other, '--name', 'new');
    expect(again.text.split('\n')[0]).toBe(`Jobs: ${other}/jobs.sqlite (new)`);
  });

  test('an address of the database that is set, but empty, is invalid', async () => {
    vi.stubEnv('DATABASE_URL', '');
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect((await run(...importPeople, people(), '--responsible', '77')).code).toBe(3);
    expect(errors.mock.calls.join()).toContain('DATABASE_URL is empty');
  });

  test('feeds back repaired rows, and creates each contact once with its details', async () => {
    const repair = join(folder, 'repair.csv');
    sandbox.faults.add({ operation: 'createContactPhone', status: 422, body: { message: 'not a phone' } });
    await run(...importPeople, people(), '--responsible', '77');
    expect((await run('problems', 'people')).text).toMatch(
      /: rejected \(p-\d, step phone 1, contact \d+\): not a phone/,
    );
    expect((await run('problems', 'people', '--rows', repair)).text).toMatch(/repair\.csv: 2 rows\./);
    const written = await readFile(repair, 'utf8');
    await writeFile(repair, `${written}\n`);
    const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect((await run('problems', 'people', '--rows', repair)).code).toBe(2);
    expect(complain).toHaveBeenCalledWith(expect.stringContaining('exists and may contain your edits'));
    expect(await readFile(repair, 'utf8')).toBe(`${written}\n`);
    expect(await readFile(repair, 'utf8')).toMatch(
      /^key,state,line,step,problem,outcome,result,firstName,lastName,phones,emails,tags,attribute:Birthday,?/,
    );
    await writeFile(repair, (await readFile(repair, 'utf8')).replace(',carl.costa', ',carl.costa@example.com'));
    const again = await run(...importPeople, people(), '--responsible', '77', '--repair', repair);
    expect(again).toMatchObject({
      code: 0,
      text: expect.stringContaining('finished. 4 done, 0 rejected, 0 invalid, 0 unknown.'),
    });
    const created = [...sandbox.state.crm.contacts.values()].filter(({ record }) => record.id > 10_000);
    const details = created.map(({ record, phones, emails }) => [record.firstName, phones.length, emails.length]);
    expect(details.sort()).toEqual([
      ['Ada', 2, 1],
      ['Bela', 1, 1],
      ['Carl', 0, 1],
      ['Dana', 1, 1],
    ]);
  });

  test.each([
    ['done', 1],
    ['not done', 2],
  ])('an unknown campaign fed back as %s was sent %i times in all, and the job ends', async (outcome, times) => {
    const phones = join(folder, 'phones.csv');
    const promo = join(folder, 'promo.json');
    const repair = join(folder, 'repair.csv');
    const content = { message_type: 2, sender_id: 5, message_live_time: 3_600, send_date: 'now', message: 'Hello' };
    await writeFile(phones, 'phone\n15550100200\n');
    await writeFile(promo, JSON.stringify(content));
    const send = ['run', 'send-campaign', phones, '--title', 'Autumn', '--message', promo];
    await run(...send, '--plan');
    // The job keeps its deadline of a minute, after which the row would become unknown.
    changeStore(folder, 'UPDATE jobs SET deadline = 200, lookup_after = 300');
    const client = { baseUrl: process.env.CARILLON_BASE_URL ?? '', auth: { apiKey: 'any' } };
    const jobs = await openJobs({ definitions: [sendCampaign], client, folder });
    sandbox.faults.add({ operation: 'createCampaign', drop: outcome === 'done' ? 'after' : 'before' });
    await jobs.work({ until: 'phones' }).finally(() => jobs.close());

    expect((await run('problems', 'phones')).text).toContain('line 2: unknown (part-1, step campaign');
    await run('problems', 'phones', '--rows', repair);
    expect((await run(...send, '--repair', repair, '--plan')).text).toContain(
      '1 is still unknown: the column outcome is empty',
    );
    await writeFile(repair, (await readFile(repair, 'utf8')).replace(/,,,(?=15550100200|Autumn)/, `,${outcome},,`));
    const again = await run(...send, '--repair', repair);
    expect(again.text).toContain(`repair.csv: 1 is ${outcome === 'done' ? 'done' : 'sent again'}.`);
    expect(again).toMatchObject({
      code: 0,
      text: expect.stringContaining('finished. 1 done, 0 rejected, 0 invalid, 0 unknown.'),
    });
    expect(sandbox.requests.filter(({ operation }) => operation === 'createCampaign')).toHaveLength(times);
  });

  test('rejects a file that changed after the plan, and sends nothing', async () => {
    await run(...importPeople, people(), '--responsible', '77', '--plan');
    await writeFile(people(), 'key,lastName\np-9,Other\n');
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect((await run(...importPeople, people(), '--responsible', '77')).code).toBe(1);
    expect(complaint.mock.calls.flat().join()).toMatch(
      /^carillon-jobs: The source of the job people has changed since it was planned/,
    );
    expect(sandbox.requests.filter(({ operation }) => operation === 'createContact')).toEqual([]);
  });

  test('a job continues from its file under another path, but not with other options or another service', async () => {
    const complained: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((text: string) => void complained.push(text));
    await run(...importPeople, people(), '--responsible', '77', '--plan');
    expect((await run(...importPeople, `${folder}/./people.csv`, '--responsible', '77', '--plan')).text).toContain(
      'continues',
    );
    expect((await run(...importPeople, people(), '--responsible', '78', '--plan')).code).toBe(1);
    expect(complained.splice(0).join()).toMatch(
      /^carillon-jobs: The job people was planned with different options: responsibleId\. /,
    );
    const service = process.env.CARILLON_BASE_URL ?? '';
    vi.stubEnv('CARILLON_BASE_URL', 'http://127.0.0.1:1/');
    expect((await run(...importPeople, people(), '--responsible', '77', '--plan')).code).toBe(1);
    expect(complained.splice(0).at(-1)).toMatch(
      `The job people was planned for ${service}, but this program calls http://127.0.0.1:1. Set CARILLON_BASE_URL to ${service}`,
    );
    expect(sandbox.requests.filter(({ operation }) => operation === 'createContact')).toEqual([]);
  });

  test('an export has every contact, in CSV or NDJSON, and the problems are the missing ones', async () => {
    const file = join(folder, 'contacts.csv');
    sandbox.faults.add({ operation: 'getContact', status: 404, body: { message: 'There is no such contact.' } });
    const { code, text } = await run('run', 'export-contacts', file, '--detail', 'deals');
    expect(code).toBe(1);
    expect(text).toMatch(/contacts\.csv: 1 record\nSee the problems with: carillon-jobs problems contacts$/);
    expect(await readFile(file, 'utf8')).toMatch(/^id,/);
    expect((await run('problems', 'contacts')).text).toMatch(
      /rejected \(\d+, step contact\): There is no such contact\./,
    );
  });

  test('an export does not overwrite a file, and writes its records again if that was removed', async () => {
    const file = join(folder, 'contacts.ndjson');
    await run('run', 'export-contacts', file);
    await writeFile(file, 'mine');
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect((await run('run', 'export-contacts', file)).code).toBe(2);
    expect(complaint.mock.calls.flat().join()).toMatch(/^carillon-jobs: .*contacts\.ndjson exists/);
    expect(await readFile(file, 'utf8')).toBe('mine');
    await rm(file);
    expect((await run('run', 'export-contacts', file)).text).toMatch(/the job exists and is finished: .*1 row|2 rows/);
    expect(await readFile(file, 'utf8')).toMatch(/^\{"id":3001/);
  });

  test('after a revoked key, check it, resume, and the same command continue the job', async () => {
    const revoked = sandbox.faults.add({ operation: 'createContactPhone', status: 401, times: 'always' });
    const warnings = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const ended = await run(...importPeople, people(), '--responsible', '77');
    expect(ended.code).toBe(4);
    expect(warnings.mock.calls.join()).toContain('carillon: people: paused:');
    expect(ended.text).toMatch(
      /The service does not accept the key: check the key,.*\nTo continue, run carillon-jobs resume people, then this command again$/m,
    );
    sandbox.faults.remove(revoked);
    expect((await run('resume', 'people')).code).toBe(0);
    expect((await run(...importPeople, people(), '--responsible', '77')).text).toContain(
      'finished. 3 done, 0 rejected, 1 invalid',
    );
    expect(sandbox.log.list({ operation: 'createContact' }).length).toBe(3);
  });

  test('a cancelled job lists the rows in progress, and warns that a new job sends all rows', async () => {
    sandbox.faults.add({ operation: 'createContactPhone', status: 401, times: 'always' });
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await run(...importPeople, people(), '--responsible', '77');
    expect((await run('status', 'people')).text).toMatch(
      /paused\n {2}\S.*401.* The service does not accept the key: check the key, start the workers with the correct key, and resume the job\.$/,
    );
    expect((await run('cancel', 'people')).text).toBe('people: 1 of 4 rows (25%), 1 invalid, cancelled, 3 begun');
    expect((await run('problems', 'people')).text).toMatch(
      /line 2: begun \(p-1, contact \d+\): The job was cancelled after .*contact.*\n0 rejected, 1 invalid, 0 unknown, 3 begun\nA cancelled/s,
    );
    expect((await run('forget', 'people', 'p-1')).text).toBe(
      'people: values, results and reasons of 1 row are removed.',
    );
    expect((await run(...importPeople, people(), '--responsible', '77')).text).toContain(
      'A new job sends all rows of its file. Leave out the rows that this job has already processed; otherwise they are sent again.',
    );
    expect((await run('remove', 'people')).text).toBe('people: the job is removed.');
    expect((await run('status')).text).toBe('There are no jobs.');
  });

  test('results prints the created records or writes them to a file, and workers says that there are none', async () => {
    await run(...importPeople, people(), '--responsible', '77');
    expect((await run('results', 'people')).text).toMatch(/^line 2: p-1: contact \d+.*\n(.*\n)+3 rows done$/);
    const file = join(folder, 'results.csv');
    expect((await run('results', 'people', '--rows', file)).text).toBe(`${file}: 3 rows.`);
    const [header = '', ...rows] = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(header.split(',').slice(0, 3)).toEqual(['key', 'line', 'contact']);
    expect(rows.map((row) => row.split(',')[0])).toEqual(['p-1', 'p-2', 'p-4']);
    expect((await run('workers')).text).toBe('There are no workers.');
    expect((await run('status', 'people', '--watch')).text).toContain('people: 4 of 4 rows (100%)');
  });

  test('a job keeps its limits when it is planned again, and set changes them', async () => {
    await run(...importPeople, people(), '--responsible', '77', '--plan', '--rate', '5');
    await run(...importPeople, people(), '--responsible', '77', '--plan', '--rate', '2.5', '--priority', '3');
    expect((await run('status', 'people')).text).toContain('at most 5 requests/s');
    expect((await run('set', 'people', '--rate', '2.5')).text).toBe('people: rate 2.5, concurrency none, priority 0.');
    expect((await run('set', 'people', '--rate', 'none', '--concurrency', '4', '--priority', '-3')).text).toBe(
      'people: rate none, concurrency 4, priority -3.',
    );
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    for (const wrong of [[], ['--rate', '0'], ['--concurrency', '1.5'], ['--priority', '1.5']])
      expect((await run('set', 'people', ...wrong)).code).toBe(2);
  });

  test('the status shows that a job is paused, continued and cancelled', async () => {
    await run(...importPeople, people(), '--responsible', '77', '--plan');
    expect((await run('pause', 'people')).text).toContain('paused');
    expect(await run(...importPeople, people(), '--responsible', '77')).toMatchObject({
      code: 4,
      text: expect.stringContaining('To continue, run carillon-jobs resume people'),
    });
    expect((await run('resume', 'people')).text).toBe('people: 1 of 4 rows (25%), 1 invalid, 0 workers');
    await run('cancel', 'people');
    expect((await run('status')).text).toBe('people: 1 of 4 rows (25%), 1 invalid, cancelled');
    expect(sandbox.requests.filter(({ operation }) => operation === 'createContact')).toEqual([]);
  });

  describe('after the data of a job went back, resume', () => {
    beforeEach(async () => {
      await run(...importPeople, people(), '--responsible', '77', '--plan');
      changeStore(folder, `UPDATE jobs SET state = 'paused', went_back_at = 1, reason = 'went back'`);
    });
    const suspects = async (): Promise<string[]> => {
      const rows = readStore(folder, `SELECT key FROM rows WHERE state = 'doubt' ORDER BY number`);
      return rows.map(({ key }) => String(key));
    };
    const spyErrors = () => vi.spyOn(console, 'error').mockImplementation(() => undefined);

    test('does not guess, and names the option that answers', async () => {
      const errors = spyErrors();
      expect((await run('resume', 'people')).code).toBe(1);
      expect(errors.mock.calls.join()).toMatch(
        /Specify which planned rows may have been sent: --sent ROWS .*'all' or 'none'/,
      );
      expect((await run('status', 'people')).text).toContain('paused');
    });

    test('takes lines, all or none', async () => {
      expect((await run('resume', 'people', '--sent', '2-3')).code).toBe(0);
      expect(await suspects()).toEqual(['p-1', 'p-2']);
    });

    test.each([
      ['all', ['p-1', 'p-2', 'p-4']],
      ['none', []],
      ['5', ['p-4']],
    ])('takes --sent %s', async (sent, found) => {
      expect((await run('resume', 'people', '--sent', sent)).code).toBe(0);
      expect(await suspects()).toEqual(found);
      expect((await run('status', 'people')).text).not.toContain('paused');
    });

    test.each([
      [['--sent', '2-x'], 2, /Specify rows by line number, such as 2-400,512/],
      [['--sent', '99'], 1, /The job people ends at line 5; there is no row on line 99/],
      [['--sent', '3-2'], 1, /3-2 is not a valid range of lines/],
    ])('%j is invalid, and the job stays paused', async (args, code, reason) => {
      const errors = spyErrors();
      expect((await run('resume', 'people', ...args)).code).toBe(code);
      expect(errors.mock.calls.join()).toMatch(reason);
      expect((await run('status', 'people')).text).toContain('paused');
      expect(await suspects()).toEqual([]);
    });
  });
});
