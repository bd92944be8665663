/**
 * A job that was killed in mid-run. As a program, begins the job and is killed:
 * `node job.ts <address of the database> <folder>`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importContacts, openJobs } from '../../src/jobs/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';

/** After the end of the example story (spec/README.md). */
const startAt = Date.UTC(2026, 10, 4, 12);

/** Rows of the job, enough for more than one queue message. */
export const rowNames = Array.from({ length: 110 }, (_, row) => `Row-${String(row).padStart(3, '0')}`);
const jobName = 'import';

function openJob(database: string, folder: string, fetch: typeof globalThis.fetch) {
  return openJobs({
    database,
    definitions: [importContacts],
    client: { baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, fetch },
    folder: join(folder, 'attempts'),
    logger: { warn: () => undefined },
  });
}

/**
 * Works on a job until some rows are done, one has lost its reply, and one was marked but not sent. Then exits as if
 * killed with `kill -9`. Writes the service's data to `snapshot.json`.
 */
async function beginJob(database: string, folder: string): Promise<never> {
  process.chdir(folder);
  const sandbox = createSandbox({ startAt });
  const csv = rowNames.map((name, row) => `k-${row},${name},Test,row${row}@example.com`);
  // Relative, so that the data contain no machine's path.
  const file = 'contacts.csv';
  writeFileSync(file, `key,last_name,first_name,emails\n${csv.join('\n')}\n`);
  const never = new Promise<Response>(() => undefined);
  let created = 0;
  let isOver = false;
  const jobs = await openJob(database, '.', async (input, init) => {
    if (isOver) return never;
    const reply = (): Promise<Response> => sandbox.fetch(input, init);
    if (init?.method !== 'POST' || !/"lastName":"Row-/.test(String(init.body))) return reply();
    created += 1;
    if (created < 40) return reply();
    if (created === 40) return reply().then(() => never);
    isOver = true;
    // Its mark is in the database, as for every request before it is sent.
    writeFileSync('snapshot.json', JSON.stringify(sandbox.snapshot()));
    process.kill(process.pid, 'SIGKILL');
    return never;
  });
  await jobs.plan(importContacts, { name: jobName, options: { file, responsibleId: 77 } });
  await jobs.work({ until: jobName, concurrency: 2 });
  throw new Error('The job ended before the worker could be stopped.');
}

/** Completes the job. Returns each row with its state, and how often the service has it. */
export async function endJob(database: string, folder: string): Promise<Record<string, string>> {
  const sandbox = createSandbox({ startAt });
  sandbox.restore(JSON.parse(readFileSync(join(folder, 'snapshot.json'), 'utf8')));
  const jobs = await openJob(database, folder, (input, init) => sandbox.fetch(input, init));
  try {
    await jobs.migrate();
    await jobs.work({ until: jobName });
    const { state, reason } = await jobs.status(jobName);
    if (state !== 'finished') throw new Error(`The job is ${state}: ${reason}`);
    const done = new Set<string>();
    for await (const { line } of jobs.results(jobName)) done.add(rowNames[line - 2] ?? '');
    const text = JSON.stringify(sandbox.snapshot());
    return Object.fromEntries(
      rowNames.map((name) => [
        name,
        `${done.has(name) ? 'done' : 'not done'}, sent ${text.split(`"${name}"`).length - 1} ×`,
      ]),
    );
  } finally {
    await jobs.close();
  }
}

if (import.meta.main) await beginJob(process.argv[2] ?? '', process.argv[3] ?? '');
