import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { type Jobs, openJobs } from '../../../src/jobs/index.ts';
import { migrate, openDatabase } from '../../../src/jobs/journal/database.ts';
import { migrations } from '../../../src/jobs/journal/schema.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { isNightly } from '../../support/amounts.ts';
import { attemptsFolder } from '../attempts-folder.ts';
import { createDatabase, missingPostgres } from '../start-postgres.ts';
import { connect, tagJob, withoutLookup } from '../tag-job.ts';
import { useUsualIntervals } from '../usual-intervals.ts';
import { archiveLog, type Cluster, recoverTo, startCluster } from './cluster.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const names = Array.from({ length: 60 }, (_, index) => `tag ${index}`);
// No step can be looked up, so a second request would be an email that is sent twice.
const job = tagJob(withoutLookup);

/** A service that counts the requests for each name. */
function countingService() {
  const sandbox = createSandbox();
  const sent = new Map<string, number>();
  let atRequest = (): void => undefined;
  return {
    sent,
    total: () => [...sent.values()].reduce((sum, count) => sum + count, 0),
    twice: () => [...sent].filter(([, count]) => count > 1).map(([name]) => name),
    onRequest: (act: () => void) => {
      atRequest = act;
    },
    async fetch(url: string, init: RequestInit) {
      const request = new Request(url, init);
      const { name } = await request.clone().json();
      sent.set(name, (sent.get(name) ?? 0) + 1);
      atRequest();
      return sandbox.fetch(request);
    },
  };
}

type Service = ReturnType<typeof countingService>;

async function openAt(database: string, folder: string, service: Service, warn = vi.fn()): Promise<Jobs> {
  const client = {
    baseUrl: 'http://127.0.0.1:4012',
    auth: { apiKey: 'any' },
    fetch: (url: string | URL | Request, init?: RequestInit) => service.fetch(String(url), init ?? {}),
  };
  const jobs = await openJobs({ database, definitions: [job], client, logger: { warn }, folder });
  onTestFinished(() => jobs.close());
  return jobs;
}

/** Works until the service has received some more requests. */
async function workFor(jobs: Jobs, service: Service, requests: number): Promise<void> {
  const stop = new AbortController();
  const until = service.total() + requests;
  service.onRequest(() => service.total() >= until && stop.abort());
  await jobs.work({ signal: stop.signal, concurrency: 2 });
  service.onRequest(() => undefined);
}

/** A way in which data go back. `keep` saves them while no program is connected, and `restore` returns the database to use. */
interface Way {
  keep(cluster: Cluster): Promise<string> | string;
  restore(cluster: Cluster, kept: string): Promise<string> | string;
}

const dump = (cluster: Cluster, ...args: string[]): string => {
  const file = join(cluster.home, 'dump.sql');
  cluster.call('pg_dump', '-d', 'jobs', '-f', file, ...args);
  return file;
};
const now = (cluster: Cluster) => cluster.ask('postgres', 'SELECT clock_timestamp()::text');

/** Ways that the database itself shows. */
const visible: Record<string, Way> = {
  'a copy (createdb -T)': {
    keep: (cluster) => cluster.call('createdb', '-T', 'jobs', 'copy'),
    restore: () => 'copy',
  },
  'a dump restored beside it': {
    keep: (cluster) => dump(cluster),
    async restore(cluster, file) {
      cluster.call('createdb', 'restored');
      await cluster.load('restored', file);
      return 'restored';
    },
  },
  'a dump, restored over the original': {
    keep: (cluster) => dump(cluster),
    async restore(cluster, file) {
      cluster.call('dropdb', '--force', 'jobs');
      cluster.call('createdb', 'jobs');
      await cluster.load('jobs', file);
      return 'jobs';
    },
  },
  'a dump with its tables, restored into the same database': {
    keep: (cluster) => dump(cluster),
    async restore(cluster, file) {
      await cluster.ask('jobs', 'DROP SCHEMA carillon_jobs CASCADE');
      await cluster.ask('jobs', 'DROP SCHEMA carillon_jobs_queue CASCADE');
      await cluster.load('jobs', file);
      return 'jobs';
    },
  },
  'a recovery to a point in time': {
    async keep(cluster) {
      const data = cluster.baseBackup('pitr');
      recoverTo(cluster, data, `recovery_target_time='${await now(cluster)}'`);
      return data;
    },
    async restore(cluster, data) {
      await archiveLog(cluster);
      await cluster.restart(data);
      return 'jobs';
    },
  },
  'a promotion': {
    keep(cluster) {
      const data = cluster.baseBackup('standby');
      recoverTo(cluster, data, `recovery_target='immediate'`);
      return data;
    },
    async restore(cluster, data) {
      await archiveLog(cluster);
      await cluster.restart(data);
      return 'jobs';
    },
  },
  // Its data are current, which nothing in them shows: a backup can be upgraded, too.
  'an upgrade (pg_upgrade)': {
    keep: () => '',
    async restore(cluster) {
      await cluster.upgrade('upgraded');
      return 'jobs';
    },
  },
};

/** Ways that only the file of a worker shows. */
const hidden: Record<string, Way> = {
  'a base backup, started unchanged': {
    keep: (cluster) => cluster.baseBackup('backup'),
    async restore(cluster, data) {
      await cluster.restart(data);
      return 'jobs';
    },
  },
  'a snapshot of the disk': {
    keep: (cluster) => cluster.snapshot('snapshot'),
    async restore(cluster, data) {
      await cluster.restart(data);
      return 'jobs';
    },
  },
  'a standby started without standby.signal': {
    keep(cluster) {
      const data = cluster.baseBackup('standby');
      writeFileSync(join(data, 'standby.signal'), '');
      return data;
    },
    async restore(cluster, data) {
      rmSync(join(data, 'standby.signal'));
      await cluster.restart(data);
      return 'jobs';
    },
  },
  'a dump restored as data only': {
    keep: (cluster) => dump(cluster, '--data-only', '--schema=carillon_jobs'),
    async restore(cluster, file) {
      const truncate = `DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg('carillon_jobs.' || tablename, ', ') FROM pg_tables WHERE schemaname = 'carillon_jobs'); END $$;`;
      // In one transaction, as a person would do it while workers run.
      writeFileSync(file, `${truncate}\n${readFileSync(file, 'utf8')}`);
      await cluster.load('jobs', file);
      return 'jobs';
    },
  },
};

/** By day, one way of each kind. */
const sample = ['a dump, restored over the original', 'a base backup, started unchanged'];
const waysOf = (all: Record<string, Way>): [name: string, way: Way][] =>
  Object.entries(all).filter(([name]) => isNightly || sample.includes(name));
const atNight = test.runIf(isNightly && !missingPostgres);

/** Plans a job, sends 12 rows, keeps the data, sends 20 more, and restores the data. */
async function goBack(way: Way, { sent = 12 } = {}) {
  const cluster = await startCluster();
  cluster.call('createdb', 'jobs');
  const service = countingService();
  const folder = await attemptsFolder();
  const first = await openAt(cluster.address('jobs'), folder, service);
  await first.plan(job, { options: names });
  if (sent > 0) await workFor(first, service, sent);
  await first.close();
  const kept = await way.keep(cluster);
  const second = await openAt(cluster.address('jobs'), folder, service);
  await workFor(second, service, 20);
  await second.close();
  const database = cluster.address(await way.restore(cluster, kept));
  const before = service.total();
  expect(before).toBeGreaterThanOrEqual(20);
  return { cluster, service, folder, database, before };
}

test.skipIf(missingPostgres).each(waysOf({ ...visible, ...hidden }))(
  `after %s, a worker with its file pauses the job, and resume sends no row twice${skipped}`,
  { timeout: 90_000 },
  async (_, way) => {
    const { service, folder, database, before } = await goBack(way);
    const warn = vi.fn();
    const jobs = await openAt(database, folder, service, warn);
    await jobs.work({ until: 'tags' });
    expect(service.total()).toBe(before);
    expect(await jobs.status('tags')).toMatchObject({ state: 'paused', rows: { done: before } });
    await jobs.resume('tags');
    await jobs.work({ until: 'tags' });
    expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 60 } });
    expect(service.twice()).toEqual([]);
    expect(service.sent.size).toBe(60);
  },
);

test.skipIf(missingPostgres).each(waysOf(visible))(
  `after %s, the job is paused without any file, and a person must say which rows were sent${skipped}`,
  { timeout: 90_000 },
  async (_, way) => {
    const { service, database, before } = await goBack(way);
    const jobs = await openAt(database, await attemptsFolder(), service);
    await jobs.work({ until: 'tags' });
    expect((await jobs.status('tags')).state).toBe('paused');
    await expect(jobs.resume('tags')).rejects.toThrow(/did not come back: .*--sent/s);
    expect(service.total()).toBe(before);
    // In the order of the file, so that these are the rows that the database does not show.
    await jobs.resume('tags', { sent: [...service.sent.keys()] });
    await jobs.work({ until: 'tags' });
    const { state, rows } = await jobs.status('tags');
    expect({ state, all: rows.done + rows.unknown }).toEqual({ state: 'finished', all: 60 });
    expect(service.twice()).toEqual([]);
    expect(service.sent.size).toBe(60);
  },
);

atNight(
  `after an upgrade, a person who says that no row was lost has no doubtful rows${skipped}`,
  { timeout: 90_000 },
  async () => {
    const { service, database } = await goBack(visible['an upgrade (pg_upgrade)'] ?? missing());
    const jobs = await openAt(database, await attemptsFolder(), service);
    expect((await jobs.status('tags')).state).toBe('paused');
    await jobs.resume('tags', { sent: 'none' });
    await jobs.work({ until: 'tags' });
    expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 60 } });
    expect(service.twice()).toEqual([]);
  },
);

atNight(`a copy of a job without workers yet runs only after an answer${skipped}`, { timeout: 90_000 }, async () => {
  const { service, database, before } = await goBack(visible['a copy (createdb -T)'] ?? missing(), { sent: 0 });
  const jobs = await openAt(database, await attemptsFolder(), service);
  await jobs.work({ until: 'tags' });
  await expect(jobs.resume('tags')).rejects.toThrow('--sent');
  await jobs.resume('tags', { sent: 'all' });
  await jobs.work({ until: 'tags' });
  expect(service.total()).toBe(before);
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { unknown: 60 } });
});

atNight(
  `the pause in a copy names the last commit, also if no worker was active${skipped}`,
  { timeout: 90_000 },
  async () => {
    const { cluster, service, database } = await goBack(visible['a copy (createdb -T)'] ?? missing());
    const jobs = await openAt(database, await attemptsFolder(), service);
    const { reason } = await jobs.status('tags');
    const last = await cluster.ask(
      'copy',
      `SELECT to_char(max(sent_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM carillon_jobs.rows`,
    );
    expect(reason).toContain(`Its last commit of a worker was at ${last}: `);
  },
);

atNight(
  `a finished job in a copy needs no answer, until one of its rows is planned again${skipped}`,
  { timeout: 90_000 },
  async () => {
    const cluster = await startCluster();
    cluster.call('createdb', 'jobs');
    const service = countingService();
    const first = await openAt(cluster.address('jobs'), await attemptsFolder(), service);
    await first.plan(job, { options: names });
    await first.work({ until: 'tags' });
    const refuse = `UPDATE carillon_jobs.rows SET state = 'refused', step = 'tag', "values" = '{"name": "tag 7"}' WHERE number = 7`;
    await cluster.ask('jobs', refuse);
    await first.close();
    cluster.call('createdb', '-T', 'jobs', 'copy');
    const jobs = await openAt(cluster.address('copy'), await attemptsFolder(), service);
    const finished = await jobs.status('tags');
    expect(finished).toMatchObject({ state: 'finished', rows: { done: 59, refused: 1 } });
    expect(finished).not.toHaveProperty('reason');
    await jobs.retry('tags', { rows: 'all' });
    expect(await jobs.status('tags')).toMatchObject({
      state: 'paused',
      reason: expect.stringContaining('not the database in which the job ran last'),
    });
  },
);

atNight(
  `a worker that sent its first rows after the backup, and did not come back, needs an answer${skipped}`,
  { timeout: 90_000 },
  async () => {
    const cluster = await startCluster();
    cluster.call('createdb', 'jobs');
    const service = countingService();
    const [own, lost] = [await attemptsFolder(), await attemptsFolder()];
    const first = await openAt(cluster.address('jobs'), own, service);
    await first.plan(job, { options: names });
    await workFor(first, service, 10);
    await first.pause('tags');
    // It waits for work when the backup is made.
    const other = await openAt(cluster.address('jobs'), lost, service);
    const stop = new AbortController();
    const work = other.work({ signal: stop.signal });
    await vi.waitFor(async () => expect(await first.workers()).toHaveLength(1), { timeout: 30_000 });
    const kept = dump(cluster);
    const before = service.total();
    service.onRequest(() => service.total() >= before + 10 && stop.abort());
    await first.resume('tags');
    await work;
    await other.close();
    await first.close();
    await visible['a dump, restored over the original']?.restore(cluster, kept);
    const sent = service.total();
    const jobs = await openAt(cluster.address('jobs'), own, service);
    await jobs.work({ until: 'tags' });
    expect(service.total()).toBe(sent);
    await expect(jobs.resume('tags')).rejects.toThrow(`did not come back: process ${process.pid} on `);
    expect(await jobs.workers()).toMatchObject([{ state: 'missing' }]);
    await jobs.resume('tags', { sent: [...service.sent.keys()] });
    await jobs.work({ until: 'tags' });
    expect(service.twice()).toEqual([]);
    expect(service.sent.size).toBe(60);
    expect(await jobs.workers()).toEqual([]);
  },
);

atNight(
  `resume waits for a worker that began after the backup, which no file knows, and sends none of its rows again${skipped}`,
  { timeout: 90_000 },
  async () => {
    useUsualIntervals();
    const cluster = await startCluster();
    cluster.call('createdb', 'jobs');
    const service = countingService();
    const [own, later] = [await attemptsFolder(), await attemptsFolder()];
    const first = await openAt(cluster.address('jobs'), own, service);
    await first.plan(job, { options: names });
    await workFor(first, service, 10);
    await first.close();
    const kept = dump(cluster);
    const second = await openAt(cluster.address('jobs'), later, service);
    await workFor(second, service, 10);
    await second.close();
    await visible['a dump, restored over the original']?.restore(cluster, kept);
    const warn = vi.fn();
    const jobs = await openAt(cluster.address('jobs'), own, service, warn);
    await jobs.work({ until: 'tags' });
    const worked = jobs.resume('tags').then(() => jobs.work({ until: 'tags' }));
    // It comes back a moment later than the others, which would have sent its rows by then.
    await Promise.race([worked, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    const back = await openAt(cluster.address('jobs'), later, service);
    await Promise.all([back.work({ until: 'tags' }), worked]);
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^carillon: tags: waits (9|10) s, /));
    expect(service.twice()).toEqual([]);
    expect(service.sent.size).toBe(60);
  },
);

function missing(): never {
  throw new Error('there is no such way');
}

atNight(
  `a file that comes back names a lost one that worked after the backup${skipped}`,
  { timeout: 90_000 },
  async () => {
    const cluster = await startCluster();
    cluster.call('createdb', 'jobs');
    const service = countingService();
    const [own, lost] = [await attemptsFolder(), await attemptsFolder()];
    const first = await openAt(cluster.address('jobs'), own, service);
    await first.plan(job, { options: names });
    await first.close();
    const data = cluster.baseBackup('backup');
    for (const folder of [lost, own]) {
      const jobs = await openAt(cluster.address('jobs'), folder, service);
      await workFor(jobs, service, 10);
      await jobs.close();
    }
    await cluster.restart(data);
    const sent = service.total();
    const jobs = await openAt(cluster.address('jobs'), own, service);
    await jobs.work({ until: 'tags' });
    expect(service.total()).toBe(sent);
    await expect(jobs.resume('tags')).rejects.toThrow(`did not come back: ${lost} on `);
    // Its time is after the last request that the database shows.
    await expect(jobs.resume('tags', { sentBefore: new Date() })).rejects.toThrow('are missing: say which rows');
    const other = await openAt(cluster.address('jobs'), lost, service);
    await other.work({ until: 'tags' });
    await jobs.resume('tags');
    await jobs.work({ until: 'tags' });
    expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 60 } });
    expect(service.twice()).toEqual([]);
  },
);

atNight.each([
  ['restarts on older data', 'a base backup, started unchanged'],
  ['gets older data below its sessions', 'a dump restored as data only'],
])(
  `a worker that runs while its database %s pauses the job and sends no row twice${skipped}`,
  { timeout: 90_000 },
  async (_, name) => {
    const way = hidden[name] ?? missing();
    const cluster = await startCluster();
    cluster.call('createdb', 'jobs');
    const service = countingService();
    const warn = vi.fn();
    const jobs = await openAt(cluster.address('jobs'), await attemptsFolder(), service, warn);
    await jobs.plan(job, { options: names, rate: 20 });
    await workFor(jobs, service, 8);
    const kept = await way.keep(cluster);
    const work = jobs.work({ until: 'tags' });
    await vi.waitFor(() => expect(service.total()).toBeGreaterThan(20), { timeout: 20_000 });
    await way.restore(cluster, kept);
    await vi.waitFor(async () => expect((await jobs.status('tags')).state).toBe('paused'), { timeout: 30_000 });
    await work;
    expect(service.twice()).toEqual([]);
    await jobs.resume('tags');
    await jobs.work({ until: 'tags' });
    const { state, rows } = await jobs.status('tags');
    expect({ state, all: rows.done + rows.unknown }).toEqual({ state: 'finished', all: 60 });
    expect(service.twice()).toEqual([]);
    expect(service.sent.size).toBe(60);
  },
);

test.skipIf(missingPostgres)(
  `a migration that creates tables again does not pause jobs, and other changes of tables do${skipped}`,
  { timeout: 90_000 },
  async () => {
    const database = await createDatabase(inject('postgresPort'));
    const jobs = await openAt(database, await attemptsFolder(), countingService());
    await jobs.plan(job, { options: names });
    await jobs.close();
    const again = (schema: string): string =>
      `CREATE TABLE ${schema}.copied AS TABLE ${schema}.workers; DROP TABLE ${schema}.workers CASCADE; ALTER TABLE ${schema}.copied RENAME TO workers`;
    const state = async (): Promise<string> => {
      const db = await openDatabase({ database });
      onTestFinished(() => db.close());
      return (await db.pool.query('SELECT state FROM carillon_jobs.jobs')).rows[0].state;
    };
    const db = await openDatabase({ database });
    await migrate(db, [...migrations, again]);
    await db.close();
    expect(await state()).toBe('running');
    await (await connect(database)).query(again('carillon_jobs'));
    expect(await state()).toBe('paused');
  },
);

atNight(
  `vacuum, changes of tables and names of the database change nothing${skipped}`,
  { timeout: 90_000 },
  async () => {
    const cluster = await startCluster();
    cluster.call('createdb', 'jobs');
    const service = countingService();
    const folder = await attemptsFolder();
    const first = await openAt(cluster.address('jobs'), folder, service);
    await first.plan(job, { options: names });
    await workFor(first, service, 12);
    await first.close();
    await cluster.ask('jobs', 'VACUUM FULL');
    await cluster.ask('jobs', 'ALTER TABLE carillon_jobs.rows SET (fillfactor = 70)');
    await cluster.ask('jobs', 'ALTER TABLE carillon_jobs.rows ADD COLUMN own text');
    await cluster.ask('postgres', 'ALTER DATABASE jobs RENAME TO renamed');
    await cluster.ask('postgres', 'ALTER ROLE test RENAME TO other').catch(() => undefined);
    await cluster.restart();
    const jobs = await openAt(cluster.address('renamed'), folder, service);
    await jobs.work({ until: 'tags' });
    expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 60 } });
    expect(service.twice()).toEqual([]);
  },
);
