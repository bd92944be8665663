import { expect, onTestFinished, test } from 'vitest';
import { openJobs } from '../../src/jobs/index.ts';
import { attemptsFolder } from './attempts-folder.ts';
import { startWorker } from './chaos/crew.ts';
import { chaosJob, emailEvery, isUnstorable } from './chaos/definition.ts';
import { Killer } from './chaos/killer.ts';
import { startService } from './chaos/service.ts';
import { Team } from './chaos/team.ts';
import { startCluster } from './restores/cluster.ts';
import { missingPostgres } from './start-postgres.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const rows = 10_000;
const deadline = 10_000;

/** An event, and the share of done rows at which it happens. */
type Event = readonly [part: number, act: () => Promise<void> | void];

test.skipIf(missingPostgres)(
  `kills, restored backups, poison and a failing endpoint neither duplicate nor lose any of ${rows} rows${skipped}`,
  { timeout: 3_600_000 },
  async () => {
    const cluster = await startCluster();
    cluster.call('createdb', 'jobs');
    const service = await startService({ loss: 0.05 });
    onTestFinished(() => service.close());
    const database = cluster.address('jobs');
    const folder = await attemptsFolder();
    const job = chaosJob(deadline);
    const client = { baseUrl: service.url, auth: { apiKey: 'any' } };
    const jobs = await openJobs({ database, definitions: [job], client, logger: { warn: () => undefined }, folder });
    onTestFinished(() => jobs.close());
    const settings = {
      database,
      service: service.url,
      deadline,
      concurrency: 10,
      folder,
      stays: true,
      isPoisoned: true,
    };
    const team = new Team(4, () => startWorker(settings));
    onTestFinished(() => team.end());
    const killer = new Killer(team, 1_000);
    onTestFinished(() => killer.stop());
    await jobs.plan(job, { options: { rows } });
    await team.begin();
    const begun = Date.now();
    let backup = '';
    const pauses = { wentBack: 0, failed: 0 };
    const restore = (name: string): Event[] => [
      [
        0,
        () => {
          backup = cluster.baseBackup(name);
        },
      ],
      [0.12, () => cluster.restart(backup)],
    ];
    let isFailing = false;
    // Without kills, because a worker that is killed right after each request cannot count it.
    const fail = (): void => {
      isFailing = true;
      killer.stop();
      service.fail(true);
    };
    const events: Event[] = [0.1, 0.4, 0.7]
      .flatMap((at, index) => restore(`backup-${index}`).map(([part, act]): Event => [at + part, act]))
      .concat([[0.6, fail]])
      .toSorted(([one], [other]) => one - other);
    killer.start();
    let status = await jobs.status(job.name);
    while (status.state !== 'finished') {
      await new Promise((resolve) => setTimeout(resolve, 100));
      // The database may be down.
      status = await jobs.status(job.name).catch(() => status);
      const { state, reason = '', rows: counts } = status;
      // The waits of the gate pass, which takes minutes.
      if (isFailing) {
        await cluster.ask('jobs', 'UPDATE carillon_jobs.jobs SET closed_until = clock_timestamp() WHERE NOT is_trying');
        await cluster.ask('jobs', `SELECT pg_notify('carillon_jobs', id::text) FROM carillon_jobs.jobs`);
      }
      // With kills each second, those that find no working worker pile up at the end: each worker would be killed at its first request.
      if (counts.done + counts.unknown > 0.95 * rows) killer.stop();
      const [next] = events;
      if (state === 'paused') {
        if (reason.includes('no sure outcome')) {
          service.fail(false);
          if (isFailing) killer.start();
          isFailing = false;
        }
        await jobs.resume(job.name).then(
          () => (pauses[reason.includes('no sure outcome') ? 'failed' : 'wentBack'] += 1),
          // The files of some workers are not back yet.
          () => undefined,
        );
      } else if (next && counts.done / rows >= next[0]) {
        events.shift();
        await next[1]();
      }
      team.replaceFailed();
    }
    killer.stop();
    const seconds = (Date.now() - begun) / 1_000;
    const unknown = new Set<string>();
    for await (const { key } of jobs.problems(job.name)) unknown.add(key);
    const created = service.created();
    const twice = [...created].filter(([, count]) => count > 1).map(([key]) => key);
    const contacts = [...created.keys()].filter((key) => !key.startsWith('row-')).length;
    const emails = Array.from({ length: rows / emailEvery }, (_, index) => `row-${index * emailEvery}`);
    const lost = emails.filter((key) => !created.has(key) && !unknown.has(key));
    const poisoned = Array.from({ length: rows }, (_, row) => row).filter(isUnstorable);
    console.log(
      `${rows} rows, ${team.kills} kills, 3 restores (${pauses.wentBack} pauses), ${pauses.failed} pauses after failures, ${service.lost()} lost replies: ${rows - contacts} contacts and ${lost.length} emails lost, ${twice.length} twice, ${unknown.size} listed as unknown; ${Math.round(seconds)} s`,
    );
    expect({ contacts, lost, twice }).toEqual({ contacts: rows, lost: [], twice: [] });
    expect(status.rows.done + status.rows.unknown).toBe(rows);
    expect(status.rows.unknown).toBe(unknown.size);
    // Each row whose result cannot be stored is listed, or was looked up after a lost reply.
    expect(poisoned.filter((row) => unknown.has(`row-${row}`)).length).toBeGreaterThan(0);
    expect(pauses.wentBack).toBeGreaterThan(0);
    expect(pauses.failed).toBeGreaterThan(0);
    expect(team.kills).toBeGreaterThan(20);
  },
);
