import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { defineJob, type JobDefinition, type JobStep, openJobs } from '../../src/jobs/index.ts';
import { chunkSize } from '../../src/jobs/journal/sizes.ts';
import { quotas } from '../../src/jobs/work/attempt.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { createDatabase } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';

const deadline = 60_000;
const website = 42;
/** Number of windows that the workers fill. */
const windows = 3;
/** A worker takes at most two chunks at a time, so all eight get some. */
const chunks = 16;

/** A step for each operation with a quota. */
const steps: Record<string, JobStep<null>> = {
  requestEmailResubscription: {
    name: 'ask',
    async send(_, { api, signal }) {
      const address = { email: 'ben.ito@example.com', sender: 'sales@example.com' };
      return (await api.email.unsubscribes.requestResubscription(address, { signal })).id ?? null;
    },
  },
  createPushCampaign: {
    name: 'push',
    quotaOf: () => website,
    async send(_, { api, signal }) {
      const push = { title: 'Sale', website_id: website, body: 'Now', ttl: 60 };
      return (await api.messaging.push.campaigns.create(push, { signal })).id;
    },
  },
};

/** A job with one row to send per chunk, or more if the quota needs them. The other rows are padding. */
function jobFor(operation: string, { requests }: { requests: number }): JobDefinition<null, null> {
  const step = steps[operation];
  if (!step) throw new Error(`Add a step that calls ${operation}: it has a quota`);
  const sent = Math.max(1, Math.ceil(((windows + 1) * requests) / chunks));
  return defineJob<null, null>({
    name: operation,
    version: 1,
    deadline,
    source: () => ({
      checksum: async () => '',
      rows: () =>
        Array.from({ length: chunks * chunkSize }, (_, row) => ({
          ...{ key: `row-${row}`, line: row + 2, values: null },
          ...(row % chunkSize >= sent && { problem: 'not needed' }),
        })),
    }),
    steps: [step],
  });
}

/** Opens eight workers that share only the database. Each has its own connections, session and queue. */
async function openWorkers(definitions: JobDefinition<null, null>[]) {
  const port = inject('postgresPort');
  const database = await createDatabase(port);
  const sandbox = createSandbox();
  sandbox.clock.freeze();
  const open = async () => {
    // Called for every mark and every reservation.
    const now = vi.fn(() => sandbox.clock.now());
    const jobs = await openJobs({
      ...{ database, definitions, now, logger: { warn: () => undefined } },
      folder: temporaryFolder(),
      client: { baseUrl: 'http://127.0.0.1:4012', auth: { apiKey: 'any' }, fetch: sandbox.fetch },
    });
    onTestFinished(() => jobs.close());
    return { jobs, now };
  };
  return { sandbox, workers: await Promise.all(Array.from({ length: 8 }, open)) };
}

test(`eight workers share each quota in the specs, and the service never answers 429`, async () => {
  const definitions = Object.entries(quotas).map(([operation, quota]) => jobFor(operation, quota));
  const { sandbox, workers } = await openWorkers(definitions);
  const end = new AbortController();
  const work = workers.map(({ jobs }) => jobs.work({ concurrency: 1, signal: end.signal }));
  onTestFinished(() => end.abort());
  const patience = { timeout: 30_000, interval: 20 };
  /** Resolves when each worker has tried to reserve again. Of two calls of `now`, at least one is for a reservation. */
  const allTry = (): Promise<void> => {
    const before = workers.map(({ now }) => now.mock.calls.length);
    return vi.waitFor(() => {
      for (const [index, { now }] of workers.entries())
        expect(now.mock.calls.length).toBeGreaterThanOrEqual((before[index] ?? 0) + 2);
    }, patience);
  };
  for (const [index, [operation, quota]] of Object.entries(quotas).entries()) {
    const [job] = definitions.slice(index);
    if (job) await workers[0]?.jobs.plan(job, { options: null });
    const asked = () => sandbox.requests.filter((request) => request.operation === operation);
    for (let window = 1; window <= windows; window += 1) {
      await vi.waitFor(() => expect(asked().length).toBeGreaterThanOrEqual(window * quota.requests), patience);
      // The next request may leave a window and a deadline after the previous one.
      sandbox.clock.advance(quota.seconds * 1_000 + deadline - 1);
      if (window === 1) await allTry();
      expect(asked().length).toBe(window * quota.requests);
      sandbox.clock.advance(1);
    }
    await workers[0]?.jobs.cancel(operation);
    expect(asked().filter(({ status }) => status === 429)).toEqual([]);
  }
  end.abort();
  await Promise.all(work);
});
