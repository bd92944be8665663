import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceTask } from '../bulk/service.ts';
import { interleave } from '../interleave.ts';
import type { BenchPart } from '../results.ts';
import { peersFolder, readVersions, runCommand } from '../run-peer.ts';
import { type Postgres, startPostgres } from '../servers/postgres.ts';
import { buildTable, type MeasuredColumn } from '../table.ts';

const subjects = [
  'pg-boss and carillon',
  // One loop continues to send while the other waits for its slowest request.
  'pg-boss and carillon, two loops',
  // The least that any engine needs which keeps as many requests in flight.
  'carillon alone',
  'carillon-jobs on SQLite',
  'carillon-jobs on Postgres',
] as const;
type Subject = (typeof subjects)[number];
const baseline: Subject = 'pg-boss and carillon';

/** Argument of a program in `peers/bulk.ts`. */
export interface BulkTask {
  subject: Subject;
  act: 'plan' | 'work';
  database: string;
  service: string;
  /** Folder of the jobs and logs of the engine. */
  folder: string;
  rows: number;
  workers: number;
  /** Requests in flight of a worker. */
  inFlight: number;
  /** Rows that a worker of pg-boss fetches at once. */
  fetchSize: number;
}

/** Processor time of a worker after the first third of its rows. */
export interface BulkUse {
  milliseconds: number;
  rows: number;
}

const program = join(peersFolder, 'bulk.ts');
const settings = { fetchSize: 50 };

/** Mean time until a response of the service, in milliseconds. */
const delay = 20;

/** Requests in flight of a worker, and the number of workers. */
const tasks = [10, 50].flatMap((inFlight) => [1, 2].map((workers) => ({ inFlight, workers })));
type Task = (typeof tasks)[number];

/** One run of a subject. */
interface Run {
  rowsPerSecond: number;
  /** Processor time of the workers, in milliseconds. */
  timePerRow: number;
  /** Processor time of the workers and of the database server, in milliseconds. */
  timeWithServer: number;
}

/** The engine of bulk jobs beside a program that uses a queue with the same client, without marks, outcomes and traces of what was sent. */
export const jobs: BenchPart = {
  title: 'Bulk jobs',
  async measure({ quick, report }) {
    const postgres = await startPostgres();
    const service = startService();
    try {
      const url = `http://127.0.0.1:${await service.port()}`;
      const columns: Record<keyof Run, MeasuredColumn[]> = { rowsPerSecond: [], timePerRow: [], timeWithServer: [] };
      for (const task of tasks) {
        const title = `${task.workers === 1 ? '1 worker' : `${task.workers} workers`}, ${task.inFlight} in flight`;
        report(`${title} …`);
        const turns = subjects.map((subject) => [
          subject,
          () => runOnce({ postgres, service, url, subject, rows: quick ? 300 : 3_600 }, task),
        ]);
        const runs: Record<string, Run[]> = await interleave(Object.fromEntries(turns), quick ? 1 : 7);
        const samples = (figure: keyof Run) =>
          Object.fromEntries(Object.entries(runs).map(([subject, list]) => [subject, list.map((run) => run[figure])]));
        columns.rowsPerSecond.push({
          title,
          unit: 'rows/s',
          better: 'higher',
          baseline,
          samples: samples('rowsPerSecond'),
          ...(task.workers === 1 && task.inFlight === 10 && { chart: 'jobs-rate' }),
        });
        for (const figure of ['timePerRow', 'timeWithServer'] as const)
          columns[figure].push({ title, unit: 'ms', better: 'lower', baseline, samples: samples(figure) });
      }
      const note = `The service responds after ${delay} ms. *carillon alone* keeps as many requests in flight, and stores nothing. A worker of pg-boss fetches ${settings.fetchSize} rows at once. All figures are without the first third of the rows: the compiler warms up meanwhile, and the workers begin.`;
      return {
        tables: [
          buildTable('Rows per second', subjects, columns.rowsPerSecond, note),
          buildTable('Processor time of the workers per row', subjects, columns.timePerRow),
          buildTable(
            'Processor time of the workers and the database server per row',
            subjects,
            columns.timeWithServer,
            'The work of SQLite is part of a worker, the work of Postgres is in the processes of its server.',
          ),
        ],
        versions: { ...readVersions(['pg-boss']), Postgres: postgres.version },
      };
    } finally {
      service.stop();
      await postgres.stop();
    }
  },
};

interface Surroundings {
  postgres: Postgres;
  service: ReturnType<typeof startService>;
  url: string;
  subject: Subject;
  rows: number;
}

let databases = 0;

/** Plans rows in a new database, and measures workers until all rows are done. */
async function runOnce({ postgres, service, url, subject, rows }: Surroundings, task: Task): Promise<Run> {
  databases += 1;
  const name = `bulk_${databases}`;
  const folder = await mkdtemp(join(tmpdir(), 'carillon-bench-'));
  const common = {
    subject,
    service: url,
    folder,
    rows,
    ...settings,
    ...task,
    database: await postgres.createDatabase(name),
  };
  try {
    const planning: BulkTask = { ...common, act: 'plan' };
    await runCommand(process.execPath, [program, JSON.stringify(planning)], peersFolder);
    await service.ask({ delay });
    const use = await work({ ...common, act: 'work' }, postgres);
    const requests = await service.ask<number[]>('times');
    if (requests.length !== rows) throw new Error(`${subject} sent ${requests.length} requests for ${rows} rows`);
    const measured = requests.slice(rows / 3);
    const seconds = ((measured.at(-1) ?? 0) - (measured[0] ?? 0)) / 1_000;
    return {
      rowsPerSecond: (measured.length - 1) / seconds,
      timePerRow: use.ofWorkers / use.rows,
      timeWithServer: (use.ofWorkers + use.ofServer) / use.rows,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs workers side by side. Resolves to the number of rows after the first third, and the milliseconds of processor time for them. */
async function work(
  task: BulkTask,
  postgres: Postgres,
): Promise<{ rows: number; ofWorkers: number; ofServer: number }> {
  const workers = Array.from({ length: task.workers }, () => forkProgram(program, [JSON.stringify(task)], peersFolder));
  const fromEach = <Message>(): Promise<Message[]> => Promise.all(workers.map((worker) => receive<Message>(worker)));
  try {
    await fromEach();
    const areWarm = fromEach();
    for (const worker of workers) worker.send('begin');
    await areWarm;
    const before = postgres.processorTime();
    const uses = fromEach<BulkUse>();
    const ends = workers.map((worker) => once(worker, 'exit'));
    const total = { rows: 0, ofWorkers: 0, ofServer: 0 };
    for (const { rows, milliseconds } of await uses) {
      total.rows += rows;
      total.ofWorkers += milliseconds;
    }
    await Promise.all(ends);
    total.ofServer = postgres.processorTime() - before;
    return total;
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
  }
}

/** Starts the service of `bulk/service.ts`. */
function startService() {
  const child = forkProgram(join(import.meta.dirname, '..', 'bulk', 'service.ts'), []);
  return {
    port: () => receive<number>(child),
    async ask<Message>(task: ServiceTask) {
      const message = receive<Message>(child);
      child.send(task);
      return message;
    },
    stop: () => void child.kill(),
  };
}

/** Node resolves packages as for users, without the condition that selects this repository's sources. */
function forkProgram(file: string, args: string[], cwd = process.cwd()): ChildProcess {
  return fork(file, args, { cwd, env: { ...process.env, NODE_OPTIONS: '' }, execArgv: [] });
}

/** The next message of a process. Rejects if it ends. */
async function receive<Message>(child: ChildProcess): Promise<Message> {
  const end = new AbortController();
  try {
    const ended = once(child, 'exit', { signal: end.signal }).then(([code]) => {
      throw new Error(`${child.spawnargs[1]} ended with ${code}`);
    });
    const messages: Message[] = await Promise.race([once(child, 'message', { signal: end.signal }), ended]);
    const [message] = messages;
    if (message === undefined) throw new Error('a process sent an empty message');
    return message;
  } finally {
    end.abort();
  }
}
