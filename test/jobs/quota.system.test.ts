import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { emailQuotas } from '../../generated/email/quotas.ts';
import { openJobs } from '../../src/jobs/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { serve } from '../../src/server/serve.ts';
import { once } from '../support/once/once.ts';
import { kill, startWorker } from './chaos/crew.ts';
import { askJob } from './chaos/definition.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';

const operation = 'requestEmailResubscription';
const quota = emailQuotas[operation] ?? { requests: 0, seconds: 0 };
const deadline = 60_000;
const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';

/** A clock that other processes read. A rename, so that none reads half a number. */
function shareClock(): { file: string; set(time: number): void } {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-clock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'now');
  return {
    file,
    set(time) {
      writeFileSync(`${file}.new`, String(time));
      renameSync(`${file}.new`, file);
    },
  };
}

test.skipIf(missingPostgres)(
  `three processes share a documented quota, and the service, which counts, never answers 429${skipped}`,
  async () => {
    const { port } = await once('postgres');
    const database = await createDatabase(port);
    const sandbox = createSandbox();
    sandbox.clock.freeze();
    const service = await serve(sandbox, { port: 0 });
    onTestFinished(() => service.close());
    const clock = shareClock();
    clock.set(sandbox.clock.now());
    const client = { baseUrl: service.url, auth: { apiKey: 'any' } };
    const logger = { warn: () => undefined };
    const jobs = await openJobs({ database, definitions: [askJob], client, logger, now: () => sandbox.clock.now() });
    onTestFinished(() => jobs.close());
    const rows = 2 * quota.requests + 1;
    await jobs.plan(askJob, { options: { rows } });
    const settings = { database, service: service.url, deadline, concurrency: 4, clock: clock.file };
    const workers = [1, 2, 3].map(() => startWorker(settings));
    onTestFinished(async () => {
      await Promise.all(workers.map(kill));
    });
    await Promise.all(workers.map(({ isLoaded }) => isLoaded));
    for (const worker of workers) worker.begin();

    const days: number[] = [];
    for (let sent = 0; sent < rows; ) {
      const expected = Math.min(rows, sent + quota.requests);
      await vi.waitFor(async () => expect((await jobs.status('ask')).rows.done).toBeGreaterThanOrEqual(expected), {
        timeout: 30_000,
        interval: 50,
      });
      const { done } = (await jobs.status('ask')).rows;
      days.push(done - sent);
      sent = done;
      // The service first: it must not be behind the workers.
      sandbox.clock.advance(quota.seconds * 1_000 + deadline);
      clock.set(sandbox.clock.now());
    }
    expect(days).toEqual([quota.requests, quota.requests, 1]);
    const asked = sandbox.requests.filter((request) => request.operation === operation);
    expect(asked.map(({ status }) => status)).toEqual(Array.from({ length: rows }, () => 200));
  },
);
