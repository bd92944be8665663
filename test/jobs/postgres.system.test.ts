import type pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openJobs } from '../../src/jobs/index.ts';
import { openDatabase } from '../../src/jobs/journal/database.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';
import { all, connect, created, open, tagJob } from './tag-job.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const aTest = test.skipIf(missingPostgres);
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);

/** Opens the jobs of a database in a schema. */
async function openIn(database: string, schema: string) {
  const sandbox = createSandbox();
  const jobs = await openJobs({
    database,
    schema,
    definitions: [tagJob()],
    client: {
      baseUrl: 'http://127.0.0.1:4012',
      auth: { apiKey: 'any' },
      fetch: (url, init) => sandbox.fetch(new Request(url, init)),
    },
    logger: { warn: () => undefined },
    folder: temporaryFolder(),
  });
  onTestFinished(() => jobs.close());
  return { jobs, sandbox };
}

aTest(`a role that may not create schemas works in schemas that an administrator made for it${skipped}`, async () => {
  const database = await createDatabase(inject('postgresPort'), { isEmpty: true });
  const sql = await connect(database);
  const { pathname } = new URL(database);
  const role = `role_${pathname.slice(6, 20)}`;
  await sql.query(`CREATE ROLE ${role} LOGIN; REVOKE CREATE ON DATABASE ${pathname.slice(1)} FROM PUBLIC`);
  const own = new URL(database);
  own.username = role;
  const { jobs } = await openIn(own.href, 'own');
  await expect(jobs.plan(tagJob(), { options: names(3) })).rejects.toThrow(/grant it CREATE .* or create the schemas/);
  await sql.query(`CREATE SCHEMA own AUTHORIZATION ${role}; CREATE SCHEMA own_queue AUTHORIZATION ${role}`);
  const { jobs: again, sandbox } = await openIn(own.href, 'own');
  await again.plan(tagJob(), { options: names(3) });
  await again.work({ until: 'tags' });
  expect(await again.status('tags')).toMatchObject({ state: 'finished', rows: { done: 3 } });
  expect(created(sandbox)).toBe(3);
});

aTest(`two schemas of one database have jobs of their own${skipped}`, async () => {
  const database = await createDatabase(inject('postgresPort'), { isEmpty: true });
  const [one, two] = [await openIn(database, 'one'), await openIn(database, 'two')];
  await one.jobs.plan(tagJob(), { options: names(3) });
  await two.jobs.plan(tagJob(), { options: names(5) });
  await one.jobs.work({ until: 'tags' });
  expect([created(one.sandbox), created(two.sandbox)]).toEqual([3, 0]);
  expect((await two.jobs.list()).map(({ total }) => total)).toEqual([5]);
});

aTest.each(['serializable', 'repeatable read'])(
  `two workers work in a database whose transactions are %s by default${skipped}`,
  async (level) => {
    const { database, jobs, sandbox } = await open(tagJob());
    const sql = await connect(database);
    await sql.query(
      `ALTER DATABASE ${new URL(database).pathname.slice(1)} SET default_transaction_isolation = '${level}'`,
    );
    await sql.query(`ALTER DATABASE ${new URL(database).pathname.slice(1)} SET DateStyle = 'SQL, DMY'`);
    const { jobs: other, warn } = await open(tagJob(), { database });
    await other.plan(tagJob(), { options: names(150), concurrency: 3 });
    await Promise.all([jobs, other].map((each) => each.work({ until: 'tags' })));
    expect(await other.status('tags')).toMatchObject({ state: 'finished', rows: { done: 150 } });
    expect(created(sandbox)).toBeLessThanOrEqual(150);
    expect(warn).not.toHaveBeenCalled();
  },
);

test.each([
  ['postgres://u:p#w@localhost/jobs', /contains a #.*write it as %23/],
  ['postgres://u:p@one,two/jobs', /has several hosts/],
  ['postgres://one:5432,two:5433/jobs', /has several hosts/],
  ['postgres:///jobs?host=one,two', /has several hosts/],
])('refuses the address %s with a sentence, and without its password', async (database, reason) => {
  const message = await openDatabase({ database }).then(
    () => 'no error',
    (error: Error) => error.message,
  );
  expect(message).toMatch(reason);
  expect(message).not.toContain('p#w');
});

aTest(`refuses a database that is not UTF-8 with a sentence${skipped}`, async () => {
  const { hostname, port } = new URL(await createDatabase(inject('postgresPort')));
  const root = `postgres://test@${hostname}:${port}`;
  const sql = await connect(`${root}/postgres`);
  const name = `latin_${Date.now()}`;
  await sql.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
  const { jobs } = await openIn(`${root}/${name}`, 'carillon_jobs');
  await expect(jobs.plan(tagJob(), { options: names(1) })).rejects.toThrow(
    /^The database has the encoding LATIN1, .*createdb --encoding UTF8/,
  );
  await expect(jobs.list()).rejects.toThrow(/encoding LATIN1/);
});

aTest.each(['', '  ', 'a\nb', 'a\u0007', 'a\u200bb', ' a', 'x'.repeat(201)])(
  `refuses %j as the name of a job with a sentence${skipped}`,
  async (name) => {
    const { jobs } = await open(tagJob());
    await expect(jobs.plan(tagJob(), { name, options: names(1) })).rejects.toThrow(
      /is not a name of a job: use 1 to 200 characters/,
    );
    expect(await jobs.list()).toEqual([]);
  },
);

aTest(`says what to do if the database does not answer in time${skipped}`, async () => {
  const db = await openDatabase({ database: await createDatabase(inject('postgresPort')) });
  onTestFinished(() => db.close());
  const { explain } = await import('../../src/jobs/store/explain.ts');
  const error = await db.pool.query({ text: 'SELECT pg_sleep(1)', query_timeout: 50 } as pg.QueryConfig).catch(explain);
  expect(String(error)).toMatch(/The database did not answer in time: check its load, .* \(Query read timeout\)/);
});

aTest(`says that the service gave no reason, in place of "failed with HTTP status 200"${skipped}`, async () => {
  const { jobs, sandbox } = await open(tagJob({ steps: tagJob().steps.map(({ name, send }) => ({ name, send })) }));
  await jobs.plan(tagJob(), { options: ['a'] });
  sandbox.faults.add({ operation: 'createTag', status: 200, body: { result: false }, times: 'always' });
  await jobs.work({ until: 'tags' });
  const [problem] = await all(jobs.problems('tags'));
  expect(problem?.reason).toContain('The service answered that the request failed, but not why');
  expect(problem?.reason).not.toContain('HTTP status 200');
});

aTest(
  `a program that closes right after its job ended logs nothing, and no promise is rejected${skipped}`,
  async () => {
    const rejected = vi.fn();
    process.on('unhandledRejection', rejected);
    onTestFinished(() => void process.off('unhandledRejection', rejected));
    for (let count = 0; count < 5; count += 1) {
      const { jobs, warn } = await open(tagJob());
      await jobs.plan(tagJob(), { options: names(30) });
      await jobs.work({ until: 'tags' });
      await jobs.close();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(warn.mock.calls).toEqual([]);
    }
    expect(rejected).not.toHaveBeenCalled();
  },
);
