import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runJobs } from '../../../src/jobs/command/command.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { changeStore } from '../store/stores.ts';

const printed: string[] = [];
const complained: string[] = [];
let folder = '';
let sandbox: Sandbox;

async function run(...args: string[]): Promise<{ code: number; text: string }> {
  printed.length = 0;
  const code = await runJobs('carillon-jobs', args);
  return { code, text: printed.join('\n') };
}

const people = `key,lastName,phones
p-1,Adler,15550100
p-2,Boros,15550101
p-3,Costa,15550102
p-4,Duda,none
`;

async function importPeople(...more: string[]): Promise<{ code: number; text: string }> {
  const file = join(folder, 'people.csv');
  await writeFile(file, people);
  return run('run', 'import-contacts', file, '--responsible', '77', ...more);
}

async function sendPromo(...more: string[]): Promise<{ code: number; text: string }> {
  const [file, message] = [join(folder, 'phones.csv'), join(folder, 'promo.json')];
  await writeFile(file, 'phones\n15550100200\n15550100201;15550100202\n15550100203\n');
  const content = { message_type: 2, sender_id: 5, message_live_time: 3_600, send_date: 'now', message: 'Hello' };
  await writeFile(message, JSON.stringify(content));
  return run('run', 'send-campaign', file, '--title', 'Autumn', '--message', message, ...more);
}

const created = (operation: string): number => sandbox.log.list({ operation }).length;

describe('what a person asks', () => {
  beforeEach(async () => {
    sandbox = createSandbox();
    const server = await serve(sandbox, { port: 0 });
    folder = await mkdtemp(join(tmpdir(), 'carillon-jobs-'));
    onTestFinished(async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    });
    vi.stubEnv('DATABASE_URL', undefined);
    vi.stubEnv('CARILLON_BASE_URL', server.url);
    vi.stubEnv('CARILLON_API_KEY', 'k3y-of-the-account');
    vi.stubEnv('CARILLON_JOBS_FOLDER', join(folder, 'record'));
    complained.length = 0;
    vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
    vi.spyOn(console, 'error').mockImplementation((text: string) => void complained.push(text));
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
    vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  });

  test('shows a row by line, key, or number, without its values', async () => {
    sandbox.faults.add({
      operation: 'createContactPhone',
      status: 422,
      times: 'always',
      body: { message: 'not a phone' },
    });
    await importPeople();
    const shown = (await run('show', 'people', 'p-2')).text;
    expect(shown).toMatch(
      /^people, line 3 \(p-2\): rejected\n {2}step: phone 1\n {2}reason: not a phone\n {2}attempts: 1\n {2}last sent: 2\S+\n {2}ended: 2\S+\n {2}results: contact \d+$/,
    );
    expect(shown).not.toContain('Boros');
    expect((await run('show', 'people', '3')).text).toBe(shown);
    expect((await run('show', 'people', '5')).text).toContain(
      'people, line 5 (p-4): invalid\n  reason: "none" is not a phone',
    );
    expect(printed.join()).toMatch(/attempts: none\n {2}ended: 2\S+$/);
    expect((await run('show', 'people', '9')).code).toBe(1);
    expect(complained.join()).toContain('The job people has no row 9. Specify a source line, a key, or');
  });

  test('shows the time of an outcome, until the row is planned again', async () => {
    sandbox.faults.add({ operation: 'createContactPhone', status: 422, times: 1, body: { message: 'not a phone' } });
    await importPeople();
    const shown = async (row: string): Promise<Record<string, string>> =>
      JSON.parse((await run('show', 'people', row, '--json')).text);
    const { plannedAt, endedAt } = JSON.parse((await run('status', 'people', '--json')).text);
    const rows = [await shown('p-1'), await shown('p-2'), await shown('p-3')];
    expect(rows.map(({ state }) => state).toSorted()).toEqual(['done', 'done', 'rejected']);
    for (const row of rows) {
      const times = [plannedAt, row.sentAt, row.endedAt, endedAt].map(String);
      expect(times.toSorted()).toEqual(times);
    }
    const bySource = await shown('p-4');
    expect(bySource).not.toHaveProperty('sentAt');
    // The row is inserted before its job is complete.
    expect(Math.abs(Date.parse(bySource.endedAt ?? '') - Date.parse(plannedAt))).toBeLessThan(5_000);
    await run('retry', 'people', 'all');
    const { key = '' } = rows.find(({ state }) => state === 'rejected') ?? {};
    expect(await shown(key)).toMatchObject({ state: 'planned', sentAt: expect.any(String) });
    expect(await shown(key)).not.toHaveProperty('endedAt');
  });

  test('shows the part of a campaign that has a line or a number', async () => {
    await sendPromo('--plan');
    for (const row of ['2', '3', '4', '15550100202', 'part-1'])
      expect((await run('show', 'phones', row)).text).toMatch(/^phones, line 2 \(part-1\): planned\n/);
    expect((await run('show', 'phones', '1')).code).toBe(1);
  });

  test('sends chosen rejected rows again, but not invalid ones', async () => {
    sandbox.faults.add({ operation: 'createContactPhone', status: 422, times: 3, body: { message: 'busy', code: 9 } });
    await importPeople();
    expect((await run('retry', 'people', '5')).code).toBe(1);
    expect(complained.join()).toContain('The rows are invalid, or their values were removed: correct the rows');
    expect((await run('retry', 'people', '2,p-3')).text).toBe('people: 2 rows planned again. A worker sends them.');
    expect((await importPeople()).text).toContain('finished. 2 done, 1 rejected, 1 invalid, 0 unknown.');
    expect((await run('retry', 'people', 'all')).text).toContain('1 row planned again');
    expect((await importPeople()).text).toContain('finished. 3 done, 0 rejected, 1 invalid, 0 unknown.');
    expect(created('createContact')).toBe(3);
  });

  test('the unsent rows of a cancelled job are the file of a new job', async () => {
    await sendPromo('--plan');
    const file = join(folder, 'left.csv');
    expect((await run('unsent', 'phones', '--rows', file)).code).toBe(1);
    expect(complained.join()).toContain('The job phones is running: cancel it first');
    await run('cancel', 'phones');
    expect((await run('unsent', 'phones', '--rows', file)).text).toMatch(/left\.csv: 4 rows\./);
    expect(await readFile(file, 'utf8')).toBe('phones\n15550100200\n15550100201\n15550100202\n15550100203\n');

    await importPeople('--plan');
    changeStore(join(folder, 'record'), `UPDATE rows SET results = '{"contact": 1}' WHERE key = 'p-1'`);
    await run('cancel', 'people');
    const rest = join(folder, 'rest.csv');
    const told = (await run('unsent', 'people', '--rows', rest)).text;
    expect(told).toContain('rest.csv: 2 rows.');
    expect((await run('run', 'import-contacts', rest, '--responsible', '77')).text).toContain('2 done, 0 rejected');
    expect(created('createContact')).toBe(2);
  });

  test('every command prints JSON and nothing else with --json', async () => {
    const file = join(folder, 'out.csv');
    const jsonOf = (text: string): unknown[] =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    expect(jsonOf((await importPeople('--plan', '--json')).text)).toMatchObject([
      { name: 'people', plan: { rows: 4, planned: 3 } },
    ]);
    expect(jsonOf((await run('pause', 'people', '--json')).text)).toMatchObject([{ state: 'paused' }]);
    expect(jsonOf((await run('resume', 'people', '--json')).text)).toMatchObject([{ state: 'running' }]);
    expect(jsonOf((await run('set', 'people', '--rate', '99', '--json')).text)).toEqual([
      { job: 'people', rate: 99, concurrency: null, priority: 0 },
    ]);
    expect(jsonOf((await importPeople('--json')).text)).toMatchObject([
      { state: 'finished', rows: { done: 3, invalid: 1 } },
    ]);
    expect(jsonOf((await run('status', '--json')).text)).toMatchObject([{ name: 'people' }]);
    expect(jsonOf((await run('status', 'people', '--watch', '--json')).text)).toMatchObject([{ name: 'people' }]);
    expect(jsonOf((await run('workers', '--json')).text)).toEqual([]);
    expect(jsonOf((await run('problems', 'people', '--json')).text)).toMatchObject([{ key: 'p-4', state: 'invalid' }]);
    expect((await run('problems', 'people', '--json')).text).not.toContain('Duda');
    expect(jsonOf((await run('results', 'people', '--json')).text)).toHaveLength(3);
    expect(jsonOf((await run('results', 'people', '--rows', file, '--json')).text)).toEqual([{ file, rows: 3 }]);
    expect(jsonOf((await run('show', 'people', 'p-1', '--json')).text)).toMatchObject([{ key: 'p-1', state: 'done' }]);
    expect(jsonOf((await run('forget', 'people', 'p-1', '--json')).text)).toEqual([{ job: 'people', rows: 1 }]);
    await sendPromo('--plan');
    expect(jsonOf((await run('cancel', 'phones', '--json')).text)).toMatchObject([{ state: 'cancelled' }]);
    expect(jsonOf((await run('unsent', 'phones', '--json')).text)).toEqual([{ line: 2, key: 'part-1' }]);
    expect(jsonOf((await run('remove', 'people', '--json')).text)).toEqual([{ job: 'people', removed: true }]);
  });
});
