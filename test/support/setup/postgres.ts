/** Starts Postgres for the tests of jobs. Each test creates its own databases. */
import type { TestProject } from 'vitest/node';
import { createTemplate, missingPostgres, startPostgres } from '../../jobs/start-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresPort: number;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (missingPostgres) return undefined;
  const postgres = await startPostgres();
  await createTemplate(postgres.port);
  project.provide('postgresPort', postgres.port);
  return () => postgres.stop();
}
