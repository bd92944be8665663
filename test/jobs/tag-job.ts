import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { foundBy, shortest } from '../../src/jobs/define-job.ts';
import { defineJob, type JobDefinition, type Jobs, openJobs, type Problem } from '../../src/jobs/index.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from './store/stores.ts';

// Tests cannot wait for the deadlines that users need.
shortest.deadline = 0;

/** Values of a row. */
export interface Tag {
  name: string;
}

/** A job with a lookup that creates a tag for each name. */
export function tagJob(changes: Partial<JobDefinition<Tag, string[]>> = {}): JobDefinition<Tag, string[]> {
  return defineJob<Tag, string[]>({
    name: 'tags',
    version: 1,
    deadline: 300,
    source: (given) => ({
      checksum: async () => given.join(),
      rows: () => given.map((name, index) => ({ key: name, line: index + 2, values: { name } })),
    }),
    steps: [
      {
        name: 'tag',
        send: async ({ name }, { api, signal }) => (await api.crm.tags.create({ name }, { signal })).id,
        find: async ({ name }, { api, signal }) =>
          foundBy((await api.crm.tags.list({}, { signal })).find((tag) => tag.name === name)?.id),
      },
    ],
    ...changes,
  });
}

export const withoutLookup = { steps: tagJob().steps.map(({ name, send }) => ({ name, send })) };

/** Opens jobs in a folder on this machine, or in a database. */
export async function open(
  job: JobDefinition<Tag, string[]>,
  { database, folder = temporaryFolder() }: { database?: string; folder?: string } = {},
) {
  const sandbox = createSandbox();
  const warn = vi.fn();
  const jobs = await openJobs({
    ...(database !== undefined && { database }),
    definitions: [job],
    client: {
      baseUrl: 'http://127.0.0.1:4012',
      auth: { apiKey: 'any' },
      fetch: (url, init) => sandbox.fetch(new Request(url, init)),
    },
    logger: { warn },
    folder,
  });
  onTestFinished(() => jobs.close());
  return { jobs, sandbox, folder, warn };
}

/** Opens a connection and closes it after the test. */
export async function connect(database: string): Promise<pg.Client> {
  const sql = new pg.Client(database);
  await sql.connect();
  onTestFinished(() => sql.end());
  return sql;
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export const problems = (jobs: Jobs): Promise<Problem[]> => all(jobs.problems('tags'));
export const created = (sandbox: Sandbox): number => sandbox.log.list({ operation: 'createTag' }).length;
