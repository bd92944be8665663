import events from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { defineJob, openJobs } from '../../src/jobs/index.ts';
import { attemptsFolder } from './attempts-folder.ts';
import { kill, startWorker } from './chaos/crew.ts';
import { chaosJob } from './chaos/definition.ts';
import { startService } from './chaos/service.ts';
import { createDatabase, missingPostgres, startPostgres } from './start-postgres.ts';

/** Set by `npm run test:speed`. Needs a quiet machine. */
const rows = Number(process.env.SPEED_ROWS ?? 0);
const aTest = test.skipIf(missingPostgres || rows === 0);
const timeout = 900_000;
const logger = { warn: () => undefined };

async function start(delay: number) {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const service = await startService({ loss: 0, delay });
  onTestFinished(() => service.close());
  const client = { baseUrl: service.url, auth: { apiKey: 'any' } };
  return { service, client, newDatabase: () => createDatabase(postgres.port) };
}

/** Milliseconds per row, from the first request to the last. */
const pace = (times: readonly number[]): number => ((times.at(-1) ?? 0) - (times[0] ?? 0)) / (times.length - 1);

aTest('two workers are at least 1.9 times as fast as one if the service answers in 50 ms', { timeout }, async () => {
  const { service, client, newDatabase } = await start(50);
  const deadline = 60_000;
  const job = chaosJob(deadline);
  const measure = async (count: number): Promise<number> => {
    const database = await newDatabase();
    const jobs = await openJobs({ database, definitions: [job], client, folder: await attemptsFolder(), logger });
    await jobs.plan(job, { options: { rows } });
    await jobs.close();
    const settings = { database, service: service.url, deadline, concurrency: 10, folder: await attemptsFolder() };
    const workers = Array.from({ length: count }, () => startWorker(settings));
    onTestFinished(async () => {
      await Promise.all(workers.map(kill));
    });
    await Promise.all(workers.map(({ isLoaded }) => isLoaded));
    const before = service.times.length;
    const ended = Promise.all(workers.map(({ process }) => events.once(process, 'exit')));
    for (const worker of workers) worker.begin();
    await ended;
    return pace(service.times.slice(before));
  };
  const one = await measure(1);
  const two = await measure(2);
  console.log(
    `a request: ${one.toFixed(2)} ms with one worker, ${two.toFixed(2)} ms with two: ${(one / two).toFixed(2)} times`,
  );
  expect(one / two).toBeGreaterThanOrEqual(1.9);
});

aTest.each([1, 10])(
  'a row takes at most 5 ms more than its request, with %i in flight',
  { timeout },
  async (concurrency) => {
    const { service, client, newDatabase } = await start(0);
    const person = { firstName: 'First', lastName: 'Last', responsibleId: 77 };
    const job = defineJob<{ firstName: string }, null>({
      name: 'speed',
      version: 1,
      source: () => ({
        checksum: async () => String(rows),
        rows: () => Array.from({ length: rows }, (_, row) => ({ key: `${row}`, line: row + 1, values: person })),
      }),
      steps: [
        {
          name: 'contact',
          send: async (_, { api, signal }) => (await api.crm.contacts.create(person, { signal })).id,
        },
      ],
    });
    // The same requests without a job, for comparison.
    const api = createClient(client);
    let left = rows;
    const callOn = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await api.crm.contacts.create(person);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, callOn));
    const bare = pace(service.times);
    const jobs = await openJobs({
      database: await newDatabase(),
      definitions: [job],
      client,
      folder: await attemptsFolder(),
      logger,
    });
    onTestFinished(() => jobs.close());
    await jobs.plan(job, { options: null });
    const before = service.times.length;
    await jobs.work({ until: job.name, concurrency });
    const withJob = pace(service.times.slice(before));
    const overhead = withJob - bare;
    console.log(
      `a row: ${bare.toFixed(2)} ms without a job, ${withJob.toFixed(2)} ms with one, ${overhead.toFixed(2)} ms more`,
    );
    expect(overhead).toBeLessThanOrEqual(5);
  },
);
