/**
 * Creates a contact for each row, with the engine of this project, with pg-boss and the same client, as its documentation shows, or with the
 * client alone, from an array. Argument: a `BulkTask` as JSON. With `work`, it begins when it receives a message, sends `warm` after a third
 * of its rows, and then the processor time that it used for the others, as a `BulkUse`.
 */
import { once } from 'node:events';
import { createClient } from 'carillon';
import { defineJob, openJobs } from 'carillon-jobs';
import { PgBoss } from 'pg-boss';
import type { BulkTask, BulkUse } from '../parts/jobs.ts';

const { subject, act, database, service, folder, rows, workers, inFlight, fetchSize }: BulkTask = JSON.parse(
  process.argv[2] ?? '',
);
const contact = { firstName: 'Ada', lastName: 'Example', responsibleId: 77 };
const client = { baseUrl: service, auth: { apiKey: 'any' } };
const queue = 'contacts';
const isOurs = subject.startsWith('carillon-jobs');
/** Where the jobs of the engine are. */
const place = subject === 'carillon-jobs on Postgres' ? { database, folder } : { folder };

/** Requests of this worker before the measurement: the compiler warms up meanwhile. */
const first = Math.floor(rows / workers / 3);
let requests = 0;
let before = process.cpuUsage();

function countRequest(): void {
  requests += 1;
  if (requests !== first) return;
  before = process.cpuUsage();
  process.send?.('warm');
}

const job = defineJob<typeof contact, null>({
  name: 'contacts',
  version: 1,
  source: () => ({
    checksum: async () => String(rows),
    rows: () => Array.from({ length: rows }, (_, row) => ({ key: `${row}`, line: row + 1, values: contact })),
  }),
  steps: [
    {
      name: 'contact',
      async send(values, { api, signal }) {
        countRequest();
        return (await api.crm.contacts.create(values, { signal })).id;
      },
    },
  ],
});

async function plan(): Promise<void> {
  if (isOurs) {
    const jobs = await openJobs({ ...place, definitions: [job], client });
    await jobs.plan(job, { options: null });
    await jobs.close();
  } else if (subject !== 'carillon alone') {
    const boss = await startBoss();
    await boss.createQueue(queue);
    for (let first = 0; first < rows; first += fetchSize) {
      const size = Math.min(fetchSize, rows - first);
      await boss.insert(
        queue,
        Array.from({ length: size }, () => ({ data: contact })),
      );
    }
    await boss.stop({ graceful: false });
  }
}

async function startBoss(): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: database, schedule: false });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  return boss;
}

async function work(): Promise<void> {
  if (isOurs) {
    const jobs = await openJobs({ ...place, definitions: [job], client });
    await jobs.work({ until: job.name, concurrency: inFlight });
    await jobs.close();
    return;
  }
  const api = createClient({ ...client, maxRetries: 0 });
  const sendAll = async (contacts: readonly (typeof contact)[], atOnce: number): Promise<void> => {
    const left = contacts.values();
    const sendNext = async (): Promise<void> => {
      for (const values of left) {
        countRequest();
        await api.crm.contacts.create(values);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sendNext));
  };
  if (subject === 'carillon alone') {
    await sendAll(
      Array.from({ length: rows / workers }, () => contact),
      inFlight,
    );
    return;
  }
  const boss = await startBoss();
  const loops = subject === 'pg-boss and carillon, two loops' ? 2 : 1;
  const runLoop = async (): Promise<void> => {
    for (;;) {
      const batch = await boss.fetch<typeof contact>(queue, { batchSize: fetchSize });
      if (batch.length === 0) return;
      await sendAll(
        batch.map(({ data }) => data),
        inFlight / loops,
      );
      await boss.complete(
        queue,
        batch.map(({ id }) => id),
      );
    }
  };
  await Promise.all(Array.from({ length: loops }, runLoop));
  await boss.stop({ graceful: false });
}

if (act === 'plan') await plan();
else {
  process.send?.('loaded');
  await once(process, 'message');
  await work();
  const { user, system } = process.cpuUsage(before);
  const use: BulkUse = { milliseconds: (user + system) / 1_000, rows: requests - first };
  process.send?.(use);
  process.disconnect?.();
}
