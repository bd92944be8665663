import { expect, onTestFinished, test, vi } from 'vitest';
import { crmQuotas } from '../../generated/crm/quotas.ts';
import { emailQuotas } from '../../generated/email/quotas.ts';
import { messagingQuotas } from '../../generated/messaging/quotas.ts';
import { defineJob, type JobStep, openJobs } from '../../src/jobs/index.ts';
import { chunkSize } from '../../src/jobs/schema.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { once } from '../support/once/once.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const deadline = 60_000;
const website = 42;
/** Windows that the workers fill. */
const windows = 3;
/** A worker takes at most two chunks at once here, so that all eight have some. */
const chunks = 16;

/** What calls each operation that has a quota. */
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

/** Workers share nothing but the database: each has its own connections, session and queue. */
async function openWorkers(operation: string, rows: number) {
  const { port } = await once('postgres');
  const database = await createDatabase(port);
  const sandbox = createSandbox();
  sandbox.clock.freeze();
  const [step] = [steps[operation]];
  if (!step) throw new Error(`Add a step that calls ${operation}: it has a quota`);
  const job = defineJob<null, null>({
    name: 'quota',
    version: 1,
    deadline,
    source: () => ({
      checksum: async () => '',
      // One row in each chunk is sent. The others fill it.
      rows: () =>
        Array.from({ length: chunks * chunkSize }, (_, row) => {
          const isSent = row % chunkSize < rows / chunks;
          return { key: `row-${row}`, line: row + 2, values: null, ...(!isSent && { problem: 'not needed' }) };
        }),
    }),
    steps: [step],
  });
  const open = () => {
    // Each mark and each reservation reads the time.
    const now = vi.fn(() => sandbox.clock.now());
    return openJobs({
      ...{ database, definitions: [job], now, logger: { warn: () => undefined } },
      client: { baseUrl: 'http://127.0.0.1:4012', auth: { apiKey: 'any' }, fetch: sandbox.fetch },
    }).then((jobs) => {
      onTestFinished(() => jobs.close());
      return { jobs, now };
    });
  };
  const first = await open();
  await first.jobs.plan(job, { options: null });
  return { sandbox, workers: [first, ...(await Promise.all(Array.from({ length: 7 }, open)))] };
}

test.skipIf(missingPostgres).each(Object.entries({ ...crmQuotas, ...emailQuotas, ...messagingQuotas }))(
  `eight workers share the quota of %s, and the service, which counts, never answers 429${skipped}`,
  async (operation, quota) => {
    const { sandbox, workers } = await openWorkers(operation, Math.max(chunks, (windows + 1) * quota.requests));
    const end = new AbortController();
    const work = workers.map(({ jobs }) => jobs.work({ concurrency: 1, signal: end.signal }));
    onTestFinished(() => end.abort());
    const asked = () => sandbox.requests.filter((request) => request.operation === operation);
    const patience = { timeout: 30_000, interval: 20 };
    /** Resolves when each worker has tried again. */
    const allTry = (): Promise<void> => {
      const before = workers.map(({ now }) => now.mock.calls.length);
      return vi.waitFor(() => {
        // A mark and a reservation, which may have begun before.
        for (const [index, { now }] of workers.entries())
          expect(now.mock.calls.length).toBeGreaterThan((before[index] ?? 0) + 3);
      }, patience);
    };
    for (let window = 1; window <= windows; window += 1) {
      await vi.waitFor(() => expect(asked().length).toBeGreaterThanOrEqual(window * quota.requests), patience);
      // The earliest moment at which a request may leave is a window and a deadline after the one before.
      sandbox.clock.advance(quota.seconds * 1_000 + deadline - 1);
      if (window === 1) await allTry();
      expect(asked().length).toBe(window * quota.requests);
      sandbox.clock.advance(1);
    }
    end.abort();
    await Promise.all(work);
    expect(asked().filter(({ status }) => status === 429)).toEqual([]);
  },
);
