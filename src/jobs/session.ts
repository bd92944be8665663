import type { Client } from 'pg';
import type { Database } from './database.ts';
import { refuseTransactionPooler } from './pooler.ts';

/**
 * Seconds after which Postgres ends the session of a machine that vanished: idle + interval × count, below a minute. Its lock is
 * free then. A process that is only paused keeps its session, because its system answers.
 */
const keepAlive = { idle: 20, interval: 5, count: 5 };

/** Milliseconds for a statement. Without an answer then, the session counts as lost: the network may be cut. */
const answerTime = 30_000;

/**
 * The session of a worker. It holds one lock on the number of the worker, which every row that the worker sends names. While the
 * session lives, no other worker takes these rows over; when it ends, however it ends, Postgres releases the lock.
 */
export class Session {
  /** Number of the worker: never used again. */
  readonly worker: number;
  readonly #client: Client;
  #alive = true;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(client: Client, worker: number) {
    this.#client = client;
    this.worker = worker;
    const end = (): void => {
      this.#alive = false;
    };
    client.on('error', end);
    client.on('end', end);
  }

  /** @param patience - milliseconds for a statement */
  static async open({ drivers, config, pool, schema }: Database, patience = answerTime): Promise<Session> {
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
      // A commit that the disk does not have is none. A statement ends in the database before the worker gives up on it.
      await client.query(
        `SET tcp_keepalives_idle = ${keepAlive.idle}; SET tcp_keepalives_interval = ${keepAlive.interval};
        SET tcp_keepalives_count = ${keepAlive.count}; SET synchronous_commit = on;
        SET statement_timeout = ${Math.round((patience * 2) / 3)}`,
      );
      const { rows } = await client.query<{ worker: number }>(`SELECT nextval('${schema}.workers')::int AS worker`);
      const worker = rows[0]?.worker ?? 0;
      await client.query(`SELECT pg_advisory_lock('${schema}.workers'::regclass::oid::int, $1)`, [worker]);
      return new Session(client, worker);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Whether the session lived when the process last heard of it. */
  get isAlive(): boolean {
    return this.#alive;
  }

  /** Runs statements one after the other, without those of others between them. An error of the connection ends the session. */
  async run<Result>(statements: (client: Client) => Promise<Result>): Promise<Result> {
    const before = this.#last;
    const result = before.then(async () => {
      if (!this.#alive) throw new Error('Connection terminated: the session of the worker has ended');
      return statements(this.#client).catch((error: unknown) => {
        if (isSilence(error)) void this.close();
        throw error;
      });
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Ends the session at once, which releases its lock. */
  async close(): Promise<void> {
    this.#alive = false;
    await this.#client.end().catch(() => undefined);
  }
}

/** Whether the database did not answer in time. This error of pg has no code, and leaves the connection open. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Query read timeout');
}
