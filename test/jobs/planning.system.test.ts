import { expect, inject, onTestFinished, test } from 'vitest';
import { openJobs } from '../../src/jobs/index.ts';
import { migrate, openDatabase } from '../../src/jobs/journal/database.ts';
import { migrations, schemaVersion } from '../../src/jobs/journal/schema.ts';
import { createDatabase } from './start-postgres.ts';
import { connect, created, open, problems, tagJob } from './tag-job.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);

test(`plans a job once, and rejects a changed definition, source or options with advice`, async () => {
  const { jobs, folder } = await open(tagJob());
  const [first] = [await jobs.plan(tagJob(), { options: names(3) })];
  expect(first).toMatchObject({ state: 'running', total: 3, rows: { planned: 3 } });
  expect((await jobs.plan(tagJob(), { options: names(3) })).plannedAt).toEqual(first.plannedAt);
  await expect(jobs.plan(tagJob(), { options: names(4) })).rejects.toThrow('The source of the job tags has changed');
  await expect(jobs.plan(tagJob({ version: 2 }), { options: names(3) })).rejects.toThrow('tags, version 2 (tag)');
  const other = await open(tagJob({ version: 2 }), { database });
  await expect(other.jobs.work({ until: 'tags' })).rejects.toThrow(
    'Finish it with the program that planned it, or cancel it',
  );
  expect(created(other.sandbox)).toBe(0);
});

test(`rolls back if a source throws or changes while it is read`, async () => {
  let reads = 0;
  const { jobs } = await open(tagJob());
  const broken = tagJob({
    source: () => ({
      checksum: async () => 'same',
      *rows() {
        yield { key: 'a', line: 2, values: { name: 'a' } };
        throw new Error('Line 3: a quote is not closed.');
      },
    }),
  });
  await expect(jobs.plan(broken, { options: [] })).rejects.toThrow('Line 3: a quote is not closed.');
  const checksum = async (): Promise<string> => {
    reads += 1;
    return String(reads);
  };
  const moving = tagJob({ source: () => ({ checksum, rows: () => [] }) });
  await expect(jobs.plan(moving, { options: [] })).rejects.toThrow('changed while it was read');
  expect(await jobs.list()).toEqual([]);
});

test(`a connection lost between two statements rejects the plan, and the program continues`, async () => {
  const { jobs, folder } = await open(tagJob());
  const sql = await connect(database);
  const cut = tagJob({
    source: () => ({
      checksum: async () => 'same',
      async *rows(notes) {
        await notes.add(new Map([['a', 1]]));
        const { rows } = await sql.query(
          `SELECT pg_terminate_backend(pid, 10000) AS ended FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle in transaction'`,
        );
        expect(rows).toEqual([{ ended: true }]);
        // The connection has ended by now. The client notices before this statement's reply.
        await sql.query('SELECT');
        yield { key: 'a', line: 2, values: { name: 'a' } };
      },
    }),
  });
  await expect(jobs.plan(cut, { options: [] })).rejects.toThrow(/connection/i);
  expect(await jobs.list()).toEqual([]);
  expect(await jobs.plan(tagJob(), { options: ['a'] })).toMatchObject({ total: 1 });
});

test(`a row that the database refuses rejects the plan, even if later rows are being read`, async () => {
  const { jobs, folder } = await open(tagJob());
  await (await connect(database)).query(`ALTER TABLE carillon_jobs.rows ADD CHECK (key <> 'refused')`);
  const given = (first: string) =>
    tagJob({
      source: () => ({
        checksum: async () => 'same',
        *rows() {
          for (let line = 2; line < 12_000; line += 1) {
            yield { key: line === 2 ? first : String(line), line, values: { name: `tag ${line}` } };
          }
        },
      }),
    });
  await expect(jobs.plan(given('refused'), { options: [] })).rejects.toThrow('violates check constraint');
  expect(await jobs.list()).toEqual([]);
  expect(await jobs.plan(given('2'), { options: [] })).toMatchObject({ total: 11_998, rows: { planned: 11_998 } });
});

test(`refuses a row with a repeated key, and names both lines`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  await jobs.plan(tagJob(), { options: ['a', 'b', 'a'] });
  await jobs.work({ until: 'tags' });
  expect(await problems(jobs)).toMatchObject([
    { line: 4, state: 'rejected', reason: 'The key a is already used in line 2' },
  ]);
  expect(created(sandbox)).toBe(2);
});

test(`reports another schema's tables and tables of a newer version in a clear sentence`, async () => {
  const { database } = await open(tagJob());
  const sql = await connect(database);
  await sql.query(`COMMENT ON SCHEMA carillon_jobs IS 'carillon-jobs, version 99'; CREATE TABLE public.other ()`);
  const settings = { database, definitions: [], client: { baseUrl: 'http://127.0.0.1:1', auth: null } };
  const newer = await openJobs(settings);
  onTestFinished(() => newer.close());
  const sentence = `have version 99, and this program knows ${schemaVersion}. Update carillon-jobs`;
  await expect(newer.list()).rejects.toThrow(sentence);
  await expect(newer.migrate()).rejects.toThrow(sentence);
  const other = await openJobs({ ...settings, schema: 'public' });
  onTestFinished(() => other.close());
  await expect(other.migrate()).rejects.toThrow('The schema public contains other tables');
});

test(`only plan, work and migrate create tables; other calls say that there are no jobs`, async () => {
  const port = inject('postgresPort');
  const database = await createDatabase(port, { isEmpty: true });
  const sql = await connect(database);
  const { jobs } = await open(tagJob(), { database });
  await expect(jobs.list()).rejects.toThrow('There are no jobs in the schema carillon_jobs: plan one first');
  expect((await sql.query(`SELECT FROM pg_namespace WHERE nspname LIKE 'carillon%'`)).rowCount).toBe(0);
  await jobs.migrate();
  expect(await jobs.list()).toEqual([]);
});

test(`a message left in the queue for done rows is not delivered again`, async () => {
  const { jobs, sandbox, folder } = await open(tagJob());
  await jobs.plan(tagJob(), { options: names(101) });
  const db = await openDatabase({ database });
  onTestFinished(() => db.pool.end());
  await db.pool.query(`UPDATE ${db.schema}.rows SET state = 'done' WHERE number < 100`);
  await db.pool.query(`DELETE FROM ${db.schema}.chunks WHERE number = 0`);
  const waiting = async (): Promise<number | null> =>
    (await db.pool.query(`SELECT FROM ${db.queueSchema}.job WHERE name LIKE 'default/tags/%' AND state <> 'completed'`))
      .rowCount;
  expect(await waiting()).toBe(2);
  await jobs.work({ until: 'tags' });
  expect(await waiting()).toBe(0);
  expect(created(sandbox)).toBe(1);
});

/** A migration of a later version. It fails if it is applied twice. */
const second = (schema: string): string => `
  ALTER TABLE ${schema}.jobs ADD COLUMN added int NOT NULL DEFAULT 7;
  CREATE FUNCTION ${schema}.added() RETURNS int LANGUAGE sql AS $$ SELECT max(added) FROM ${schema}.jobs $$;`;

test(`programs that start together apply a later migration once, to jobs of version 1`, async () => {
  const { jobs, folder } = await open(tagJob());
  await jobs.plan(tagJob(), { options: names(150) });
  const sql = await connect(database);
  await sql.query(`UPDATE carillon_jobs.rows SET state = 'done' WHERE number < 5`);
  const opened = await Promise.all([openDatabase({ database }), openDatabase({ database })]);
  onTestFinished(async () => void (await Promise.all(opened.map((db) => db.close()))));
  await Promise.all(opened.map((db) => migrate(db, [...migrations, second])));
  const { rows } = await sql.query(
    `SELECT j.state, carillon_jobs.added(), obj_description('carillon_jobs'::regnamespace) AS version,
      (SELECT count(*)::int FROM carillon_jobs.rows WHERE state = 'planned') AS planned FROM carillon_jobs.jobs j`,
  );
  expect(rows).toEqual([{ state: 'running', added: 7, version: 'carillon-jobs, version 2', planned: 145 }]);
  const { jobs: older } = await open(tagJob(), { database });
  await expect(older.list()).rejects.toThrow('have version 2, and this program knows 1. Update carillon-jobs');
  await expect(older.plan(tagJob(), { options: names(150) })).rejects.toThrow('have version 2');
});

test(`a migration that fails leaves the version before it, in which jobs finish`, async () => {
  const { jobs, sandbox, folder } = await open(tagJob());
  await jobs.plan(tagJob(), { options: names(12) });
  const db = await openDatabase({ database });
  onTestFinished(() => db.close());
  const broken = (schema: string): string => `${second(schema)} SELECT 1 / 0`;
  await expect(migrate(db, [...migrations, broken])).rejects.toThrow('division by zero');
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 12 } });
  expect(created(sandbox)).toBe(12);
  await migrate(db, [...migrations, second]);
  expect((await db.pool.query('SELECT carillon_jobs.added()')).rows).toEqual([{ added: 7 }]);
});
