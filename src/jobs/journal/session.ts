/// <reference types="node" />
import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import type { Client } from 'pg';
import { listen } from './active-jobs.ts';
import type { AttemptsFile, Peer } from './attempts-file.ts';
import { closingTime, type Database, limitConnection, noticeServer, within } from './database.ts';
import { refuseTransactionPooler } from './pooler.ts';
import { type LogPosition, logPosition } from './rows.ts';
import { silenceSeconds } from './sizes.ts';

/** Time limit of a statement in milliseconds. Without an answer, the session counts as lost, because the network may be down. */
const answerTime = (silenceSeconds * 1_000) / 2;

/**
 * The session of a worker. It holds a lock on the number of the worker, which is stored with every row that the worker sends.
 * While the session is alive, no other worker takes these rows over. When it ends for any reason, Postgres releases the lock.
 * Other workers end it if its heartbeats stop.
 */
export class Session {
  /** Number of the worker. Random, because a sequence could repeat numbers after a failover. */
  readonly worker: number;
  /** ID of the tables. */
  readonly tables: string;
  /** Identity of the server, its timeline, the database and the tables. */
  readonly place: string;
  readonly #client: Client;
  readonly #schema: string;
  readonly #queues: readonly string[];
  #alive = true;
  #last: Promise<unknown> = Promise.resolve();

  private constructor({ client, schema, worker, queues }: Opened, { tables, place }: Server) {
    this.#client = client;
    this.#schema = schema;
    this.#queues = queues;
    this.worker = worker;
    this.tables = tables;
    this.place = place;
    const end = (): void => {
      this.#alive = false;
    };
    client.on('error', end);
    client.on('end', end);
  }

  /**
   * @param queues - names of the queues whose jobs the worker can process
   * @param patience - time limit of a statement, in milliseconds
   * @param onChange - called with the ID of a job that a person has changed
   */
  static async open(
    { drivers, config, pool, schema }: Database,
    queues: readonly string[] = [],
    patience = answerTime,
    onChange: (job: string) => void = () => undefined,
  ): Promise<Session> {
    const client = new drivers.Client({ ...config, query_timeout: patience });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const other = await pool.connect();
      try {
        await refuseTransactionPooler(client, other);
      } finally {
        other.release();
      }
      // Shorter than the worker's limit, so that the database ends a statement first.
      await limitConnection(client, Math.round((patience * 2) / 3));
      // The functions that mark rows and write outcomes reach them by their numbers. Planning that again takes up to a third of their time.
      await client.query('SET plan_cache_mode = force_generic_plan');
      const [tables = '', place = ''] = (await noticeServer(client, schema)).split(' ');
      await listen(client, schema, onChange);
      const worker = randomInt(1, 2 ** 31 - 1);
      await client.query(`SELECT pg_advisory_lock('${schema}.workers'::regclass::oid::int, $1)`, [worker]);
      await client.query(
        `DELETE FROM ${schema}.workers WHERE NOT is_missing AND beat_at < clock_timestamp() - interval '1 day'`,
      );
      return new Session({ client, schema, worker, queues }, { tables, place });
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Whether the session was alive according to the last known state. */
  get isAlive(): boolean {
    return this.#alive;
  }

  /** Runs statements without interleaving those of other callers. A connection error ends the session. */
  async run<Result>(statements: (client: Client) => Promise<Result>): Promise<Result> {
    const before = this.#last;
    const result = before.then(async () => {
      if (!this.#alive) throw new Error('Connection terminated: the session of the worker has ended');
      return statements(this.#client).catch((error: unknown) => {
        if (isSilence(error)) this.end();
        throw error;
      });
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /**
   * Sends a heartbeat as a statement, which a proxy cannot answer in place of the database, with the chunks that the worker
   * processes. The first one signs the worker on, with its file: a database that goes back to any later time knows whose file is missing.
   */
  async beat(chunks: readonly string[], file: string): Promise<LogPosition | undefined> {
    const { rows } = await this.run((client) =>
      client.query<LogPosition>(
        `INSERT INTO ${this.#schema}.workers (number, host, process, queues, chunks, file) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (number) DO UPDATE SET beat_at = clock_timestamp(), chunks = excluded.chunks, file = excluded.file RETURNING ${logPosition}`,
        [this.worker, hostname(), process.pid, this.#queues, chunks, file],
      ),
    );
    return rows[0];
  }

  /**
   * Records, before the first mark of a job, that this worker's file has rows of it.
   *
   * @returns all files that have rows of these jobs
   */
  async register(jobs: readonly string[], file: AttemptsFile): Promise<Peer[]> {
    const { file: id, host, folder } = file.describe();
    const { rows } = await this.run(async (client) => {
      await client.query(
        `INSERT INTO ${this.#schema}.files (job, file, host, folder) SELECT id, $2, $3, $4 FROM ${this.#schema}.jobs
        WHERE id = ANY ($1::bigint[]) ON CONFLICT DO NOTHING`,
        [jobs, id, host, folder],
      );
      return this.#peers(client, jobs);
    });
    return rows;
  }

  /** Reads the files that have rows of some jobs. */
  async peers(jobs: readonly string[]): Promise<Peer[]> {
    return (await this.run((client) => this.#peers(client, jobs))).rows;
  }

  #peers(client: Client, jobs: readonly string[]) {
    return client.query<Peer>(
      `SELECT j.seed, f.file, f.host, f.folder FROM ${this.#schema}.files f JOIN ${this.#schema}.jobs j ON j.id = f.job
      WHERE j.id = ANY ($1::bigint[])`,
      [jobs],
    );
  }

  /** Ends the session without waiting, which releases its lock. */
  end(): void {
    this.#alive = false;
    void this.#client.end().catch(() => undefined);
  }

  /** Signs the worker off and ends the session. */
  async close(): Promise<void> {
    if (this.#alive) {
      const signOff = this.run((client) =>
        client.query(`DELETE FROM ${this.#schema}.workers WHERE number = $1`, [this.worker]),
      );
      await within(signOff, closingTime);
    }
    this.end();
  }
}

/** An open connection that holds the lock of a worker. */
interface Opened {
  readonly client: Client;
  readonly schema: string;
  readonly worker: number;
  readonly queues: readonly string[];
}

/** The server of a session. */
interface Server {
  readonly tables: string;
  readonly place: string;
}

/** Whether the database did not answer in time. This pg error has no code and leaves the connection open. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Query read timeout');
}
