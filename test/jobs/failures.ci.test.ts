import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createDatabase } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';
import { created, open, tagJob } from './tag-job.ts';

const patience = { timeout: 20_000, interval: 50 };
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);

async function connect(database: string): Promise<pg.Client> {
  const sql = new pg.Client(database);
  await sql.connect();
  onTestFinished(() => sql.end());
  return sql;
}

/** Mounts a disk of 20 MB. */
function mountDisk(): { folder: string; problem: string | undefined } {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-disk-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m,uid=postgres', 'tmpfs', folder], {
    encoding: 'utf8',
  });
  onTestFinished(() => {
    if (status === 0) spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, problem: status === 0 ? undefined : (stderr ?? 'there is no mount') };
}

test(`rejects a plan that does not fit on the disk, and accepts it once there is space`, async ({ skip }) => {
  const { folder, problem } = mountDisk();
  if (problem) skip(`it needs root, and the right to mount: ${problem}`);
  const port = inject('postgresPort');
  const postgres = await connect(`postgres://test@127.0.0.1:${port}/postgres`);
  const name = `disk_${process.pid}`;
  await postgres.query(`CREATE TABLESPACE ${name} LOCATION '${folder}'`);
  await postgres.query(`CREATE DATABASE ${name} TABLESPACE ${name}`);
  const database = `postgres://test@127.0.0.1:${port}/${name}`;
  const { jobs } = await open(tagJob(), { database });
  // Creates the queue, so that later only the rows need space.
  await jobs.plan(tagJob(), { options: [] });
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(join(folder, 'fill'), Buffer.alloc(Math.max(0, bavail * bsize - 100_000)));
  const big = { name: 'big', options: names(5_000) };
  await expect(jobs.plan(tagJob(), big)).rejects.toThrow(
    /^The disk of the database server is full. The jobs continue when space is available again \(.*No space left on device\)\.$/,
  );
  expect((await jobs.list()).map((job) => job.name)).toEqual(['tags']);
  rmSync(join(folder, 'fill'));
  expect(await jobs.plan(tagJob(), big)).toMatchObject({ total: 5_000 });
  await jobs.close();
  await postgres.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await postgres.query(`DROP TABLESPACE ${name}`);
});

test(`stops sending if the disk fills up during the work, and continues once there is space`, async () => {
  const database = await createDatabase(inject('postgresPort'));
  const { jobs, sandbox } = await open(tagJob(), { database });
  await jobs.plan(tagJob(), { options: names(5) });
  const sql = await connect(database);
  // Raises a disk-full error at the third row.
  await sql.query(`
      CREATE SEQUENCE tries;
      CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.state = 'claimed' AND NEW.number = 2 THEN
          PERFORM nextval('tries');
          RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER no_space BEFORE UPDATE ON carillon_jobs.rows FOR EACH ROW EXECUTE FUNCTION fill()`);
  const work = jobs.work({ until: 'tags', concurrency: 1 });
  await vi.waitFor(
    async () => expect((await sql.query('SELECT last_value::int FROM tries')).rows[0].last_value).toBeGreaterThan(1),
    patience,
  );
  const sent = sandbox.requests.flatMap(({ body }) => (body ? [JSON.stringify(body)] : []));
  expect(sent.filter((body) => body.includes('tag 2'))).toEqual([]);
  await sql.query('DROP TRIGGER no_space ON carillon_jobs.rows');
  await work;
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 5 } });
  expect(created(sandbox)).toBe(5);
});

test(`reports in a sentence that a worker's folder cannot be created, and takes no rows`, async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const { jobs } = await open(tagJob(), { folder: join(file, 'inside') });
  await expect(jobs.plan(tagJob(), { options: names(1) })).rejects.toThrow(
    /^The folder .*inside for the jobs cannot be created/,
  );
});
