import { expect, onTestFinished, test } from 'vitest';
import { type Result, runChaos } from './chaos/run-chaos.ts';
import { startService } from './chaos/service.ts';
import { createDatabase, missingPostgres, startPostgres } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';

const rows = 10_000;
const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';

function check(result: Result, rows: number): void {
  expect(result).toMatchObject({ missing: [], doubles: [], wronglyUnknown: [] });
  const { done, unknown } = result.status.rows;
  expect(done + unknown).toBe(rows);
}

/** The table for the decision record. */
function tableOf(result: Result, rows: number): string {
  const { kills, killsPerSecond, lostReplies, pause, missing, doubles, unknown, wronglyUnknown, seconds } = result;
  const table = {
    rows: rows.toLocaleString('en'),
    'working workers killed with -9': kills,
    'kills each second, until every row was sent': killsPerSecond.toFixed(2),
    'seconds for which a worker was paused': pause?.seconds.toFixed(0),
    'its rows in flight, and rows that others completed meanwhile': `${pause?.held}, ${pause?.others}`,
    'kill -9 of Postgres': 1,
    'lost replies': lostReplies,
    'rows lost': missing.length,
    'contacts or emails created twice': doubles.length,
    'rows unknown, each listed (emails in flight when their worker was killed or paused, and lost replies)':
      unknown.length,
    'of these, known to a worker that lived': wronglyUnknown.length,
    time: `${Math.round(seconds / 60)} minutes`,
  };
  const lines = Object.entries(table).map(([name, value]) => `| ${name} | ${value} |`);
  return `${lines.join('\n')}\n(${Math.round(seconds)} seconds; ${pause?.left} rows were left after the pause)`;
}

test.skipIf(missingPostgres)(
  `a kill each second and a database crash neither duplicate nor lose any of ${rows} rows${skipped}`,
  { timeout: 3_600_000 },
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const service = await startService({ loss: 0.05 });
    onTestFinished(() => service.close());
    const result = await runChaos({
      ...{ database: await createDatabase(postgres.port), service, crash: () => postgres.crash() },
      ...{ rows, workers: 4, concurrency: 10, deadline: 10_000 },
      ...{ killInterval: 1_000, pause: 60_000, folder: temporaryFolder() },
    });
    const { killsPerSecond, pause } = result;
    console.log(tableOf(result, rows));
    check(result, rows);
    expect(killsPerSecond).toBeGreaterThanOrEqual(0.95);
    expect(pause?.seconds).toBeGreaterThanOrEqual(60);
    for (const count of [pause?.held, pause?.others, pause?.left]) expect(count).toBeGreaterThan(0);
  },
);
