import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openJobs } from '../../src/jobs/index.ts';
import { lifetimes, openPostgres } from '../../src/jobs/store/postgres.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';
import { all, connect, created, open, tagJob } from './tag-job.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const aTest = test.skipIf(missingPostgres);
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);

/** Opens the jobs of a database. */
async function openIn(database: string) {
  const sandbox = createSandbox();
  const warn = vi.fn();
  const jobs = await openJobs({
    database,
    definitions: [tagJob()],
    client: {
      baseUrl: 'http://127.0.0.1:4012',
      auth: { apiKey: 'any' },
      fetch: (url, init) => sandbox.fetch(new Request(url, init)),
    },
    logger: { warn },
    folder: temporaryFolder(),
  });
  onTestFinished(() => jobs.close());
  return { jobs, sandbox, warn };
}

aTest(
  `a role that may not create schemas works in the schema that an administrator made for it${skipped}`,
  async () => {
    const database = await createDatabase(inject('postgresPort'));
    const sql = await connect(database);
    const { pathname } = new URL(database);
    const role = `role_${pathname.slice(6, 20)}`;
    await sql.query(`CREATE ROLE ${role} LOGIN; REVOKE CREATE ON DATABASE ${pathname.slice(1)} FROM PUBLIC`);
    const own = new URL(database);
    own.username = role;
    const { jobs } = await openIn(own.href);
    await expect(jobs.plan(tagJob(), { options: names(3) })).rejects.toThrow(
      /grant the user CREATE .* or create the schema/,
    );
    await sql.query(`CREATE SCHEMA carillon_jobs AUTHORIZATION ${role}`);
    const { jobs: again, sandbox } = await openIn(own.href);
    await again.plan(tagJob(), { options: names(3) });
    await again.work({ until: 'tags' });
    expect(await again.status('tags')).toMatchObject({ state: 'finished', rows: { done: 3 } });
    expect(created(sandbox)).toBe(3);
  },
);

aTest(`a process that stops within a transaction holds up others for a moment only${skipped}`, async () => {
  const { idle } = lifetimes;
  onTestFinished(() => void Object.assign(lifetimes, { idle }));
  lifetimes.idle = 300;
  const database = await createDatabase(inject('postgresPort'));
  const { jobs } = await openIn(database);
  await jobs.plan(tagJob(), { options: names(3) });
  const other = await openPostgres(database);
  onTestFinished(() => other.close());
  const stopped = other.transaction(async (run) => {
    await run('UPDATE carillon_jobs.jobs SET rate = rate');
    await jobs.work({ until: 'tags' });
  });
  await expect(stopped).rejects.toThrow();
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 3 } });
});

aTest.each(['serializable', 'repeatable read'])(
  `two workers work in a database whose transactions are %s by default${skipped}`,
  async (level) => {
    const database = await createDatabase(inject('postgresPort'));
    const sql = await connect(database);
    const name = new URL(database).pathname.slice(1);
    await sql.query(`ALTER DATABASE ${name} SET default_transaction_isolation = '${level}'`);
    await sql.query(`ALTER DATABASE ${name} SET DateStyle = 'SQL, DMY'`);
    const [one, other] = [await openIn(database), await openIn(database)];
    await other.jobs.plan(tagJob(), { options: names(150), concurrency: 3 });
    await Promise.all([one, other].map(({ jobs }) => jobs.work({ until: 'tags' })));
    expect(await other.jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 150 } });
    expect(created(one.sandbox) + created(other.sandbox)).toBe(150);
  },
);

aTest.each(['synchronous_commit'])(
  `a claim fails in a database that may lose a commit (%s), and sets nothing${skipped}`,
  async (setting) => {
    const database = await createDatabase(inject('postgresPort'));
    const sql = await connect(database);
    const { jobs, sandbox } = await openIn(database);
    await jobs.plan(tagJob(), { options: names(3) });
    await jobs.close();
    await sql.query(`ALTER DATABASE ${new URL(database).pathname.slice(1)} SET ${setting} = off`);
    const again = await openIn(database);
    await expect(again.jobs.work({ until: 'tags' })).rejects.toThrow(
      /may lose a commit.*set fsync and synchronous_commit/,
    );
    expect(created(sandbox) + created(again.sandbox)).toBe(0);
  },
);

aTest(`reports tables of others, of an earlier form and of a newer one in a clear sentence${skipped}`, async () => {
  const database = await createDatabase(inject('postgresPort'));
  const sql = await connect(database);
  const { jobs } = await openIn(database);
  await sql.query('CREATE SCHEMA carillon_jobs; CREATE TABLE carillon_jobs.other ()');
  await expect(jobs.plan(tagJob(), { options: [] })).rejects.toThrow('The schema carillon_jobs contains other tables');
  await sql.query(`COMMENT ON SCHEMA carillon_jobs IS 'carillon-jobs, version 1'`);
  await expect(jobs.plan(tagJob(), { options: [] })).rejects.toThrow(
    'were created by an earlier version of carillon-jobs',
  );
  await sql.query(`COMMENT ON SCHEMA carillon_jobs IS 'carillon-jobs, form 99'`);
  for (const call of [jobs.list(), jobs.plan(tagJob(), { options: [] })])
    await expect(call).rejects.toThrow('have format 99, but this program supports format 1. Update carillon-jobs');
});

test.each([
  ['postgres://u:p#w@localhost/jobs', /contains a #.*write the character as %23/],
  ['postgres://u:p@one,two/jobs', /has several hosts/],
  ['postgres://one:5432,two:5433/jobs', /has several hosts/],
  ['postgres:///jobs?host=one,two', /has several hosts/],
])('the address %s is invalid, with a sentence, and without its password', async (database, reason) => {
  const message = await openPostgres(database).then(
    () => 'no error',
    (error: Error) => error.message,
  );
  expect(message).toMatch(reason);
  expect(message).not.toContain('p#w');
});

aTest(`a database that is not UTF-8 is invalid, with a sentence${skipped}`, async () => {
  const { hostname, port } = new URL(await createDatabase(inject('postgresPort')));
  const root = `postgres://test@${hostname}:${port}`;
  const sql = await connect(`${root}/postgres`);
  const name = `latin_${Date.now()}`;
  await sql.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
  const { jobs } = await openIn(`${root}/${name}`);
  await expect(jobs.plan(tagJob(), { options: names(1) })).rejects.toThrow(
    /^The database has the encoding LATIN1, .*createdb --encoding UTF8/,
  );
});

aTest.each(['', '  ', 'a\nb', 'a\u0007', 'a\u200bb', ' a', 'x'.repeat(201)])(
  `%j is invalid as the name of a job, with a sentence${skipped}`,
  async (name) => {
    const { jobs } = await open(tagJob());
    await expect(jobs.plan(tagJob(), { name, options: names(1) })).rejects.toThrow(
      /is not a valid job name: use 1 to 200 characters/,
    );
    expect(await jobs.list()).toEqual([]);
  },
);

aTest(`says that the service gave no reason, in place of "failed with HTTP status 200"${skipped}`, async () => {
  const { jobs, sandbox } = await open(tagJob({ steps: tagJob().steps.map(({ name, send }) => ({ name, send })) }));
  await jobs.plan(tagJob(), { options: ['a'] });
  sandbox.faults.add({ operation: 'createTag', status: 200, body: { result: false }, times: 'always' });
  await jobs.work({ until: 'tags' });
  const [problem] = await all(jobs.problems('tags'));
  expect(problem?.reason).toContain('The service responded that the request failed, but gave no reason');
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
