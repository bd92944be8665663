import { expect, onTestFinished, test } from 'vitest';
import { type Result, runChaos } from './chaos/run-chaos.ts';
import { startService } from './chaos/service.ts';
import { createDatabase, missingPostgres, startPostgres } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';

const rows = 10_000;

const places = [
  { name: 'SQLite', isMissing: false, create: async () => ({ database: undefined, crash: undefined }) },
  {
    name: 'Postgres',
    isMissing: missingPostgres !== undefined,
    async create() {
      const postgres = await startPostgres();
      onTestFinished(() => postgres.stop());
      return { database: await createDatabase(postgres.port), crash: () => postgres.crash() };
    },
  },
] as const;

/** One column of the table for the decision record. */
function tableOf(name: string, result: Result): string {
  const {
    kills,
    selfKills,
    plansKilled,
    lostResponses,
    pause,
    missing,
    doubles,
    unknown,
    lookups,
    longestWay,
    inDoubt,
  } = result;
  const table = {
    what: name,
    rows: rows.toLocaleString('en'),
    'processes killed with -9': kills,
    'of these, while they planned': plansKilled,
    'of these, while they settled, recovered, or wrote a log anew': selfKills,
    'seconds for which a worker was stopped': pause?.seconds.toFixed(0),
    'its rows, and rows that others completed meanwhile': `${pause?.held}, ${pause?.others}`,
    'lost responses': lostResponses,
    'longest way of a request to the service, in milliseconds': longestWay,
    'rows lost': missing.length,
    'contacts or emails created twice': doubles.length,
    'most rows in doubt at a time': inDoubt,
    'lookups of contacts': lookups,
    'rows unknown, each listed': unknown.length,
    seconds: result.seconds.toFixed(0),
  };
  return Object.entries(table)
    .map(([what, value]) => `| ${what} | ${value} |`)
    .join('\n');
}

test.each(places.filter(({ isMissing }) => !isMissing))(
  `100 kills, lost responses, an outage, poison and a stopped worker neither duplicate nor lose any of ${rows} rows on $name`,
  { timeout: 3_600_000 },
  async ({ name, create }) => {
    const service = await startService({ loss: 0.05 });
    onTestFinished(() => service.close());
    const result = await runChaos({
      ...(await create()),
      service,
      rows,
      workers: 4,
      concurrency: 10,
      deadline: 10_000,
      folder: temporaryFolder(),
      killEvery: 80,
      pause: 60_000,
      outage: 5_000,
    });
    console.log(tableOf(name, result));
    expect(result).toMatchObject({ missing: [], doubles: [], wronglyUnknown: [] });
    const { done, unknown } = result.status.rows;
    expect(done + unknown).toBe(rows);
    const { kills, selfKills, plansKilled, pause } = result;
    expect(kills).toBeGreaterThanOrEqual(100);
    for (const count of [selfKills, plansKilled, pause?.held, pause?.others, pause?.left])
      expect(count).toBeGreaterThan(0);
    expect(pause?.seconds).toBeGreaterThanOrEqual(60);
  },
);
