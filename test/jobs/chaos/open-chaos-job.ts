import { onTestFinished } from 'vitest';
import { openJobs } from '../../../src/jobs/index.ts';
import { createDatabase } from '../start-postgres.ts';
import { temporaryFolder } from '../store/stores.ts';
import { chaosJob } from './definition.ts';
import { startService } from './service.ts';

/** A database, a service that loses no response, and the jobs of this program, for a test of workers in other processes. */
export async function openChaosJob(port: number, deadline: number) {
  const database = await createDatabase(port);
  const service = await startService({ loss: 0 });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  const job = chaosJob(deadline);
  const jobs = await openJobs({
    database,
    definitions: [job],
    client: { baseUrl: service.url, auth: { apiKey: 'any' } },
    folder,
    logger: { warn: () => undefined },
  });
  onTestFinished(() => jobs.close());
  return { database, service, job, jobs, folder };
}
