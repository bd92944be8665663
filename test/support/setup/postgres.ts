/** Starts Postgres for the tests of jobs. Each test creates its own databases. */
import type { TestProject } from 'vitest/node';
import { missingPostgres, startPostgres } from '../../jobs/start-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresPort: number;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (missingPostgres) return undefined;
  const postgres = await startPostgres();
  project.provide('postgresPort', postgres.port);
  return () => postgres.stop();
}
