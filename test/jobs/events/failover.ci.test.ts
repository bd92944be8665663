import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isNightly } from '../../support/amounts.ts';
import { kill } from '../chaos/crew.ts';
import { createDatabase, missingPostgres, startPostgres } from '../start-postgres.ts';
import { connect } from '../tag-job.ts';
import { expectEnd, expectOnce, hasSent, isFinished, patience, setStage } from './events.ts';
import { startProxy } from './proxy.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const rows = 300;
const deadline = 1_000;

test
  .skipIf(missingPostgres)
  .each([
    ['all workers come back', true],
    ...(isNightly ? [['one machine does not come back', false] as const] : []),
  ] as const)(
  `after a failover that loses commits, the job pauses, sends no request twice, and finishes after resume: %s${skipped}`,
  { timeout: 120_000 },
  async (_, comesBack) => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const direct = await createDatabase(postgres.port);
    const replica = await postgres.replicate();
    const proxy = await startProxy(postgres.port);
    onTestFinished(() => proxy.close());
    const database = direct.replace(`:${postgres.port}/`, `:${proxy.port}/`);
    const stage = await setStage({ database, rows, deadline, delay: 50 });
    const gone = `${stage.folder}-gone`;
    onTestFinished(() => rm(gone, { recursive: true, force: true }));
    const [one, other] = await Promise.all([stage.start(), stage.start({ folder: comesBack ? stage.folder : gone })]);
    await bothHaveSent(direct);
    await replica.isCurrent();
    await replica.lag();
    const before = stage.service.times.length;
    // The replica does not receive the marks of requests from now on.
    await hasSent(stage, before + 60);
    if (!comesBack) await kill(other);
    await replica.failOver();
    if (!comesBack) await rm(gone, { recursive: true, force: true });
    proxy.switchTo(replica.port);

    const paused = await vi.waitFor(async () => {
      const status = await stage.jobs.status('chaos');
      expect(status.state).toBe('paused');
      return status;
    }, patience);
    expect(paused.reason).toMatch(
      /^This is not the database in which the job ran last: it has failed over.* \(noticed at \S+Z\)\. Its last commit of a worker was at \S+Z/,
    );
    // Chunks of 100 rows, of which the first is in line 2.
    if (!comesBack) expect(paused.reason).toMatch(/worked on lines (?:2|\d+02) to \d+/);
    // Returned workers have reported their sent rows, which are looked up while the job is paused.
    await vi.waitFor(async () => {
      const workers = await stage.jobs.workers();
      expect(workers.filter(({ state }) => state === 'missing')).toHaveLength(comesBack ? 0 : 1);
      expect(workers.filter(({ state }) => state === 'working')).toHaveLength(comesBack ? 2 : 1);
      expect((await stage.jobs.status('chaos')).rows.sent).toBe(0);
    }, patience);
    const sent = stage.service.created();
    expect([...sent.values()].every((count) => count === 1)).toBe(true);
    if (comesBack) await stage.jobs.resume('chaos');
    else {
      await expect(stage.jobs.resume('chaos')).rejects.toThrow(`did not come back: ${gone} on `);
      await stage.jobs.resume('chaos', { sent: 'all' });
    }
    await isFinished(stage);
    const { unknown } = await expectOnce(stage, rows);
    // Only emails in flight, and those of a machine that stayed away, cannot be looked up.
    expect(unknown.every((key) => Number(key.slice(4)) % 10 === 0)).toBe(true);
    for (const worker of [one, other]) await expectEnd(worker, deadline);
  },
);

/** Resolves when the database knows that two workers have sent rows. */
async function bothHaveSent(database: string): Promise<void> {
  const sql = await connect(database);
  await vi.waitFor(async () => expect((await sql.query('SELECT FROM carillon_jobs.files')).rowCount).toBe(2), patience);
  // The server of this connection is stopped later.
  await sql.end();
}
