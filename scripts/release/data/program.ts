/**
 * Writes or reads user data with the built packages of a release, in a separate process, as a user's program would.
 *
 * In: the task, the folder of the release, the folder of the data, and for jobs the settings of the database as
 * JSON and the release whose sandbox is the service.
 * Out: the data as JSON. A refusal is an object with its message, and the exit code is 0, because a refusal is a result.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Journals from '../../../src/client/journal/index.ts';
import type * as Jobs from '../../../src/jobs/index.ts';
import type * as Sandboxes from '../../../src/sandbox/index.ts';
import type { Contents } from './compare.ts';

const [task = '', release = '', folder = '', database = '{}', service = release] = process.argv.slice(2);

const load = (from: string, name: string, file: string) =>
  import(pathToFileURL(join(from, 'src', name, 'dist', file)).href);
const loadJournals = (): Promise<typeof Journals> => load(release, 'client', 'journal.js');
const loadSandboxes = (): Promise<typeof Sandboxes> => load(service, 'sandbox', 'index.js');
const loadJobs = (): Promise<typeof Jobs> => load(release, 'jobs', 'index.js');

/** After the end of the example story (spec/README.md). */
const startAt = Date.UTC(2026, 10, 4, 12);

/** The steps in the journal: one done, one started, and one that turned out not to be done. */
const steps = [
  { row: 'c-1', step: 'contact', values: { firstName: 'Ada', lastName: 'Adler' }, id: 3001 },
  { row: 'c-1', step: 'deal', values: { name: 'Renewal', price: 12.5 }, id: 'deal-7' },
  { row: 'c-2', step: 'contact', values: { firstName: 'Bo', lastName: 'Björk\u0000' } },
  { row: 'c-3', step: 'contact', values: { firstName: 'Cy', lastName: 'Cole' }, isUndone: true },
];

class Stopped extends Error {}

async function writeJournal(): Promise<Contents> {
  const { openJournal } = await loadJournals();
  const journal = await openJournal({ file: join(folder, 'journal.sqlite') });
  const written: Contents[string] = {};
  for (const { id, isUndone, ...given } of steps) {
    const { row, step, values } = given;
    const key = `${row} ${step}`;
    const send = async (_: unknown, marker: string): Promise<number | string> => {
      const seen = id === undefined ? { [isUndone ? 'sent' : 'lookedUp']: marker } : { done: id };
      written[key] = isUndone || id !== undefined ? seen : { ...seen, values };
      if (id === undefined) throw new Stopped();
      return id;
    };
    await journal.once({ ...given, send, find: async () => undefined }).catch(expectStop);
    if (isUndone) await journal.decide(row, step, undefined);
  }
  await journal.close();
  return { steps: written };
}

/** The journal's result for each step when a program runs again. */
async function readJournal(): Promise<Contents> {
  const { openJournal } = await loadJournals();
  const journal = await openJournal({ file: join(folder, 'journal.sqlite') });
  const read: Contents[string] = {};
  for (const { row, step, values } of steps) {
    const key = `${row} ${step}`;
    await journal
      .once<unknown, number | string>({
        ...{ row, step, values },
        async send(_, marker) {
          read[key] ??= { sent: marker };
          throw new Stopped();
        },
        async find(sent, marker) {
          read[key] = { lookedUp: marker, values: sent };
          throw new Stopped();
        },
      })
      .then((id) => (read[key] = { done: id }), expectStop);
  }
  await journal.close();
  return { steps: read };
}

function expectStop(error: unknown): void {
  if (!(error instanceof Stopped)) throw error;
}

const snapshotFile = join(folder, 'snapshot.json');

async function readSnapshot(): Promise<Contents> {
  const { createSandbox } = await loadSandboxes();
  const sandbox = createSandbox({ seed: false });
  sandbox.restore(JSON.parse(readFileSync(snapshotFile, 'utf8')));
  return tablesOf(sandbox.snapshot());
}

/** The tables of a snapshot, with records by ID or index. */
export function tablesOf(snapshot: unknown): Contents {
  const { state = {} } = Object(snapshot);
  const tables: Contents = {};
  const add = (name: string, content: unknown): void => {
    if (!Array.isArray(content)) tables[name] = { settings: content };
    else tables[name] = Object.fromEntries(content.map((record, place) => [keyOf(record) ?? place, record]));
  };
  for (const [area, parts] of Object.entries<object>(state)) {
    if (Array.isArray(parts)) add(area, parts);
    else for (const [name, content] of Object.entries(parts)) add(`${area}.${name}`, content);
  }
  return tables;
}

function keyOf(record: unknown): string | undefined {
  const { id } = Object(record);
  return typeof id === 'number' || typeof id === 'string' ? `ID ${id}` : undefined;
}

/** Rows of the job, enough for more than one queue message. */
const rowCount = 110;
const jobName = 'import';
const rowNames = Array.from({ length: rowCount }, (_, row) => `Row-${String(row).padStart(3, '0')}`);

async function openJob(fetch: typeof globalThis.fetch) {
  const { openJobs, importContacts } = await loadJobs();
  const jobs = await openJobs({
    database: JSON.parse(database),
    definitions: [importContacts],
    client: { baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, fetch },
    folder: 'attempts',
    logger: { warn: () => undefined },
  });
  return { jobs, importContacts };
}

/**
 * Works on a job until some rows are done, one has lost its reply, and one was marked but not sent. Then exits as if
 * killed with `kill -9`.
 */
async function beginJob(): Promise<never> {
  const { createSandbox } = await loadSandboxes();
  const sandbox = createSandbox({ startAt });
  const csv = rowNames.map((name, row) => `k-${row},${name},Test,row${row}@example.com`);
  // Relative to the working directory, so that the data contain no machine's path.
  const file = 'contacts.csv';
  writeFileSync(file, `key,last_name,first_name,emails\n${csv.join('\n')}\n`);
  const never = new Promise<Response>(() => undefined);
  let created = 0;
  let isOver = false;
  const { jobs, importContacts } = await openJob(async (input, init) => {
    if (isOver) return never;
    const reply = (): Promise<Response> => sandbox.fetch(input, init);
    if (init?.method !== 'POST' || !/"lastName":"Row-/.test(String(init.body))) return reply();
    created += 1;
    if (created < 40) return reply();
    if (created === 40) return reply().then(() => never);
    isOver = true;
    // Its mark is in the database, as for every request before it is sent.
    writeFileSync(snapshotFile, JSON.stringify(sandbox.snapshot()));
    process.kill(process.pid, 'SIGKILL');
    return never;
  });
  await jobs.plan(importContacts, { name: jobName, options: { file, responsibleId: 77 } });
  await jobs.work({ until: jobName, concurrency: 2 });
  throw new Error('The job ended before the worker could be stopped.');
}

/** Completes the job. Returns each row's state, and how often the service has it. */
async function endJob(): Promise<Contents> {
  const { createSandbox } = await loadSandboxes();
  const sandbox = createSandbox({ startAt });
  sandbox.restore(JSON.parse(readFileSync(snapshotFile, 'utf8')));
  const { jobs } = await openJob((input, init) => sandbox.fetch(input, init));
  await jobs.migrate();
  await jobs.work({ until: jobName });
  const { state, reason } = await jobs.status(jobName);
  if (state !== 'finished') throw new Error(`The job is ${state}: ${reason}`);
  const done = new Set<string>();
  for await (const { line } of jobs.results(jobName)) done.add(rowNames[line - 2] ?? '');
  await jobs.close();
  const text = JSON.stringify(sandbox.snapshot());
  const end = (name: string): string => {
    const times = text.split(`"${name}"`).length - 1;
    return `${done.has(name) ? 'done' : 'not done'}, ${times === 1 ? 'once' : `${times} times`} at the service`;
  };
  return { rows: Object.fromEntries(rowNames.map((name) => [name, end(name)])) };
}

/** Expected end of a job that lost no row and sent no row twice. */
export const finishedRows: Contents = {
  rows: Object.fromEntries(rowNames.map((name) => [name, 'done, once at the service'])),
};

const tasks: Record<string, () => Promise<Contents>> = { writeJournal, readJournal, readSnapshot, beginJob, endJob };

if (import.meta.main) {
  const act = tasks[task];
  if (!act) throw new Error(`There is no task '${task}': choose ${Object.keys(tasks).join(', ')}`);
  const result = await act().then(
    (contents) => ({ contents }),
    (error: unknown) => ({ refusal: error instanceof Error ? error.message : String(error) }),
  );
  process.stdout.write(JSON.stringify(result), () => process.exit());
}
