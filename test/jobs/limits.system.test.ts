import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/jobs/journal/database.ts';
import { createLimits } from '../../src/jobs/journal/limits.ts';
import { quotas } from '../../src/jobs/work/attempt.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const deadline = 60_000;

async function openTables(given?: string) {
  const port = inject('postgresPort');
  const db = await openDatabase({ database: given ?? (await createDatabase(port)) });
  onTestFinished(() => db.pool.end());
  return db;
}

test.skipIf(missingPostgres).each(Object.entries(quotas))(
  `eight workers stay within the quota of %s in every window of several days${skipped}`,
  async (operation, quota) => {
    const port = inject('postgresPort');
    const database = await createDatabase(port);
    const workers = await Promise.all(Array.from({ length: 8 }, () => openTables(database)));
    const window = quota.seconds * 1_000;
    let now = Date.UTC(2026, 10, 22);
    const limits = workers.map((db) => createLimits(db, () => now));
    const sent: number[] = [];
    const end = now + 4 * window;
    while (now < end) {
      // A request may arrive at any time up to its deadline. The worst case is late requests followed by prompt ones.
      const lateness = sent.length % 2 === 0 ? deadline : 0;
      const answers = await Promise.all(limits.map((each) => each.reserve(operation, quota, deadline)));
      for (const until of answers) if (until === undefined) sent.push(now + lateness);
      now += window / 7;
    }
    sent.sort((one, other) => one - other);
    const most = Math.max(...sent.map((time) => sent.filter((other) => other >= time && other < time + window).length));
    expect(most).toBe(quota.requests);
    expect(sent.length).toBeGreaterThanOrEqual(3 * quota.requests);
  },
);

test.skipIf(missingPostgres)(`a full quota frees its first slot after a window plus a deadline${skipped}`, async () => {
  const db = await openTables();
  const now = Date.UTC(2026, 10, 22);
  const limits = createLimits(db, () => now);
  const quota = { requests: 2, seconds: 900 };
  expect(await limits.reserve('a', quota, deadline)).toBeUndefined();
  expect(await limits.reserve('a', quota, deadline)).toBeUndefined();
  expect(await limits.reserve('a', quota, deadline)).toBe(960_000);
  expect(await limits.reserve('b', quota, deadline)).toBeUndefined();
});

test.skipIf(missingPostgres)(`spaces requests evenly across machines, also after a pause${skipped}`, async () => {
  const db = await openTables();
  let now = Date.UTC(2026, 10, 22);
  const machines = [createLimits(db, () => now), createLimits(db, () => now)];
  const { rows } = await db.pool.query(
    `INSERT INTO ${db.schema}.jobs (name, account, service, queue, definition, version, steps, checksum, options, deadline, lookup_after, rate)
    VALUES ('a', '', '', '', '', 1, '{}', '', '{}', 1, 1, 4) RETURNING id::text`,
  );
  const paceFour = async (): Promise<number[]> => {
    const waits = await Promise.all([0, 1, 2, 3].map((index) => machines[index % 2]?.pace(rows[0].id)));
    return waits.map((wait) => Math.round(wait ?? -1)).toSorted((one, other) => one - other);
  };
  expect(await paceFour()).toEqual([0, 250, 500, 750]);
  // A pause leaves nothing to catch up on.
  now += 60_000;
  expect(await paceFour()).toEqual([0, 250, 500, 750]);
});

test.skipIf(missingPostgres)(`never shortens a wait of the account${skipped}`, async () => {
  const db = await openTables();
  const limits = createLimits(db);
  await limits.wait('default', 60_000);
  await limits.wait('default', 1_000);
  const client = new pg.Client(db.config);
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query(
    `SELECT until > clock_timestamp() + interval '50 seconds' AS long FROM ${db.schema}.waits`,
  );
  expect(rows).toEqual([{ long: true }]);
});
