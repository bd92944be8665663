import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Ended, runProgram } from '../built.ts';
import type { Release } from '../verdict.ts';
import type { Kept, Opened } from './compare.ts';
import { startPostgres } from './postgres.ts';
import { finishedRows, tablesOf } from './program.ts';
import { StartError, serveData } from './served-data.ts';

/** The folders of user data from each release in a checkout: `test/releases/<version>/data/`. */
export function dataFolders(release: string): { version: string; folder: string }[] {
  const releases = join(release, 'test', 'releases');
  if (!existsSync(releases)) return [];
  return readdirSync(releases)
    .map((version) => ({ version, folder: join(releases, version, 'data') }))
    .filter(({ folder }) => existsSync(folder));
}

const program = join(import.meta.dirname, 'program.ts');
const contents = z.record(z.string(), z.record(z.string(), z.unknown()));
const result = z.union([z.object({ contents }), z.object({ refusal: z.string() })]);
/** Data of a release that is not in files. */
const written = z.object({ journal: contents, jobs: z.object({ dumpedAt: z.string(), system: z.string() }) });

/** Requests that change the data beyond the example story. */
const changes: [request: string, body?: object][] = [
  ['POST /crm/v1/contact-tags', { name: 'Łódź 🔔' }],
  ['POST /crm/v1/contacts/create', { firstName: 'Ada', lastName: 'Adler', responsibleId: 77 }],
  ['DELETE /crm/v1/deals/501'],
];

/** Writes user data with a release's built packages. */
export async function writeData(release: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const data = join(folder, 'sandbox');
  const state = await serveData(
    release,
    data,
    async (ask) => {
      for (const [request, body] of changes) await ask(request, body);
      await ask('PUT /__sandbox/snapshots/before');
      return ask('GET /__sandbox/state');
    },
    ['--start', '2026-11-04'],
  );
  writeFileSync(join(folder, 'sandbox.json'), state);
  // Not needed after a clean exit.
  rmSync(join(data, 'sandbox.sqlite-journal'), { force: true });
  const journal = await visit('writeJournal', release, folder);
  if ('refusal' in journal) throw new Error(`The journal could not be written: ${journal.refusal}`);
  const jobs = await writeJobs(release, join(folder, 'jobs'));
  writeFileSync(join(folder, 'written.json'), `${JSON.stringify({ journal: journal.contents, jobs }, null, 2)}\n`);
}

async function writeJobs(release: string, folder: string): Promise<z.infer<typeof written>['jobs']> {
  mkdirSync(folder);
  const postgres = startPostgres();
  try {
    const ended = await runTask('beginJob', release, folder, JSON.stringify(postgres.settings));
    if (!existsSync(join(folder, 'snapshot.json')))
      throw new Error(`The job could not be started: ${ended.stdout || ended.stderr}`);
    const dumpedAt = postgres.run('SELECT clock_timestamp()').trim();
    writeFileSync(join(folder, 'dump.sql'), readable(postgres.dump()).replaceAll(`\t${hostname()}\t`, '\tworker\t'));
    return { dumpedAt, system: postgres.system };
  } finally {
    postgres.stop();
    for (const name of ['attempts', 'contacts.csv']) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Removes comments and statements that only the dump's Postgres version understands. */
function readable(dump: string): string {
  return dump.replace(/^(?:--.*|\\(?:un)?restrict .*|SET transaction_timeout.*)\n/gm, '').replace(/\n{2,}/g, '\n');
}

/** Opens copies of the data of the base or an earlier release with the next one. */
export async function openData(folder: string, version: string, base: Release, next: Release): Promise<Kept[]> {
  const copy = mkdtempSync(join(tmpdir(), 'carillon-data-'));
  try {
    cpSync(folder, copy, { recursive: true });
    const { journal, jobs } = written.parse(JSON.parse(readFileSync(join(copy, 'written.json'), 'utf8')));
    const state = tablesOf(JSON.parse(readFileSync(join(copy, 'sandbox.json'), 'utf8')));
    const jobsFolder = join(copy, 'jobs');
    const snapshot = tablesOf(JSON.parse(readFileSync(join(jobsFolder, 'snapshot.json'), 'utf8')));
    const opened = await visit('readSnapshot', next.folder, jobsFolder);
    // A worker does not depend on whether the next sandbox accepts the snapshot.
    const service = 'contents' in opened ? next.folder : base.folder;
    const kept: Kept[] = [
      {
        version,
        what: 'a data folder of carillon-sandbox',
        written: { ...state, snapshots: { before: state } },
        opened: await openSandbox(next.folder, copy),
      },
      { version, what: 'a snapshot', written: snapshot, opened },
      { version, what: 'a journal', written: journal, opened: await visit('readJournal', next.folder, copy) },
      {
        version,
        what: 'a database of jobs',
        written: finishedRows,
        opened: await openJobs(next.folder, jobsFolder, jobs, service),
      },
    ];
    // The changelog has the same sentence, so it must not name a temporary folder.
    return kept.map((one) =>
      'refusal' in one.opened ? { ...one, opened: { refusal: one.opened.refusal.replaceAll(`${copy}/`, '') } } : one,
    );
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function openSandbox(release: string, folder: string): Promise<Opened> {
  try {
    return await serveData(release, join(folder, 'sandbox'), async (ask) => ({
      contents: {
        ...tablesOf(JSON.parse(await ask('GET /__sandbox/state'))),
        snapshots: { before: tablesOf(JSON.parse(await ask('GET /__sandbox/snapshots/before'))) },
      },
    }));
  } catch (error) {
    if (error instanceof StartError) return { refusal: error.message };
    throw error;
  }
}

/** Restores the dump on the same server, as if the worker had been killed five minutes ago. */
async function openJobs(
  release: string,
  folder: string,
  { dumpedAt, system }: z.infer<typeof written>['jobs'],
  service: string,
): Promise<Opened> {
  const postgres = startPostgres();
  try {
    postgres.run(readFileSync(join(folder, 'dump.sql'), 'utf8').replaceAll(system, postgres.system));
    // The jobs belong to this server and its tables. Otherwise they pause, as after any restore.
    postgres.run('UPDATE carillon_jobs.jobs SET place = carillon_jobs.place()');
    postgres.run(shiftTimes(dumpedAt));
    return await visit('endJob', release, folder, JSON.stringify(postgres.settings), service);
  } finally {
    postgres.stop();
  }
}

/** Shifts all times to the present, because pg-boss removes old messages, and quotas count old requests. */
function shiftTimes(dumpedAt: string): string {
  return `
    SET session_replication_role = replica;
    DO $$ DECLARE found record; BEGIN
      FOR found IN
        SELECT c.table_schema, c.table_name, string_agg(format('%1$I = %1$I + (clock_timestamp() - ''5 minutes''::interval - %2$L::timestamptz)', c.column_name, '${dumpedAt}'), ', ') AS changes
        FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE t.table_type = 'BASE TABLE' AND t.table_schema NOT IN ('pg_catalog', 'information_schema')
          AND c.data_type LIKE 'timestamp%' AND c.is_generated = 'NEVER'
          AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = format('%I.%I', c.table_schema, c.table_name)::regclass)
        GROUP BY 1, 2
      LOOP
        EXECUTE format('UPDATE %I.%I SET %s', found.table_schema, found.table_name, found.changes);
      END LOOP;
    END $$;`;
}

/** Runs a task of the program, and returns the data that it read or wrote. */
async function visit(task: string, release: string, folder: string, ...rest: string[]): Promise<Opened> {
  const { code, stdout, stderr } = await runTask(task, release, folder, ...rest);
  if (code === null) return { refusal: 'It did not end in time.' };
  if (code !== 0 || stdout === '') return { refusal: stderr || `It ended with ${code}.` };
  return result.parse(JSON.parse(stdout));
}

function runTask(task: string, release: string, folder: string, ...rest: string[]): Promise<Ended> {
  return runProgram(program, [task, release, folder, ...rest], { cwd: folder, timeout: 120_000 });
}
