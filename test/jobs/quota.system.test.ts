import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defineJob, type JobDefinition, type JobStep, openJobs } from '../../src/jobs/index.ts';
import { quotas } from '../../src/jobs/work/attempt.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { changeStore, temporaryFolder } from './store/stores.ts';

const deadline = 60_000;
const website = 42;
/** Number of windows that the workers fill. */
const windows = 3;
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
    async send(_, { api, signal }) {
      const push = { title: 'Sale', website_id: website, body: 'Now', ttl: 60 };
      return (await api.messaging.push.campaigns.create(push, { signal })).id;
    },
  },
};

/** A job with rows for one window more than the workers fill. */
function jobFor(operation: string, { requests }: { requests: number }): JobDefinition<null, null> {
  const step = steps[operation];
  if (!step) throw new Error(`Add a step that calls ${operation}: it has a quota`);
  return defineJob<null, null>({
    name: operation,
    version: 1,
    deadline,
    source: () => ({
      checksum: async () => '',
      rows: () =>
        Array.from({ length: (windows + 1) * requests }, (_, row) => ({
          key: `row-${row}`,
          line: row + 2,
          values: null,
        })),
    }),
    steps: [step],
  });
}

test.each(Object.entries(quotas))(
  'workers share the quota of %s in the specs, and the service never answers 429',
  async (operation, quota) => {
    const job = jobFor(operation, quota);
    const folder = temporaryFolder();
    const sandbox = createSandbox();
    sandbox.clock.freeze();
    const workers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const jobs = await openJobs({
          definitions: [job],
          folder,
          logger: { warn: () => undefined },
          client: { baseUrl: 'http://127.0.0.1:4012', auth: { apiKey: 'any' }, fetch: sandbox.fetch },
        });
        onTestFinished(() => jobs.close());
        return jobs;
      }),
    );
    await workers[0]?.plan(job, { options: null });
    const asked = () => sandbox.requests.filter((request) => request.operation === operation);
    /** Lets time pass, for the jobs and for the service. */
    const advance = (milliseconds: number): void => {
      sandbox.clock.advance(milliseconds);
      changeStore(folder, `UPDATE limits SET until = until - ${milliseconds}`);
    };
    /** Lets all workers try, until they have sent a number of requests, and for a moment more. */
    const tryAll = async (count: number): Promise<void> => {
      const end = new AbortController();
      const work = workers.map((jobs) => jobs.work({ concurrency: 2, signal: end.signal }));
      await vi.waitFor(() => expect(asked().length).toBeGreaterThanOrEqual(count), { timeout: 30_000, interval: 20 });
      await sleep(300);
      end.abort();
      await Promise.all(work);
      expect(asked().length).toBe(count);
    };
    for (let window = 1; window <= windows; window += 1) {
      await tryAll(window * quota.requests);
      // The next request may leave a window and a deadline after the previous one.
      advance(quota.seconds * 1_000 + deadline - 2_000);
      if (window === 1) await tryAll(window * quota.requests);
      advance(2_000);
    }
    expect(asked().filter(({ status }) => status === 429)).toEqual([]);
  },
);
