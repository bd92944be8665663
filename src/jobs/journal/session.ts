/// <reference types="node" />
import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import type { Client } from 'pg';
import { closingTime, type Database, limitConnection, noticeServer, within } from './database.ts';
import { refuseTransactionPooler } from './pooler.ts';
import { silenceSeconds } from './schema.ts';

/** Milliseconds for a statement. Without an answer then, the session counts as lost: the network may be cut. */
const answerTime = (silenceSeconds * 1_000) / 2;

/**
 * The session of a worker. It holds one lock on the number of the worker, which every row that the worker sends names. While the
 * session lives, no other worker takes these rows over; when it ends, however it ends, Postgres releases the lock. Other workers end it
 * when it gives no sign of life.
 */
export class Session {
  /** Number of the worker: random, because a database that fails over may count again. */
  readonly worker: number;
  /** Identity of the tables, system identifier and timeline of the server. */
  readonly server: string;
  readonly #client: Client;
  readonly #schema: string;
  #alive = true;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(client: Client, schema: string, worker: number, server: string) {
    this.#client = client;
    this.#schema = schema;
    this.worker = worker;
    this.server = server;
    const end = (): void => {
      this.#alive = false;
    };
    client.on('error', end);
    client.on('end', end);
  }

  /**
   * @param queues - names of the queues whose jobs the worker knows
   * @param patience - milliseconds for a statement
   */
  static async open(
    { drivers, config, pool, schema }: Database,
    queues: readonly string[] = [],
    patience = answerTime,
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
      // A statement ends in the database before the worker gives up on it.
      await limitConnection(client, Math.round((patience * 2) / 3));
      const server = await noticeServer(client, schema);
      const worker = randomInt(1, 2 ** 31 - 1);
      await client.query(`SELECT pg_advisory_lock('${schema}.workers'::regclass::oid::int, $1)`, [worker]);
      await client.query(
        `WITH old AS (
          DELETE FROM ${schema}.workers WHERE NOT is_missing AND beat_at < clock_timestamp() - interval '1 day'
        ) INSERT INTO ${schema}.workers (number, host, process, queues) VALUES ($1, $2, $3, $4)`,
        [worker, hostname(), process.pid, queues],
      );
      return new Session(client, schema, worker, server);
    } catch (error) {
      void client.end().catch(() => undefined);
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
        if (isSilence(error)) this.end();
        throw error;
      });
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Gives a sign of life, which nothing between worker and database can answer for it, and says which chunks it works on. */
  async beat(chunks: readonly string[]): Promise<void> {
    await this.run((client) =>
      client.query(`UPDATE ${this.#schema}.workers SET beat_at = clock_timestamp(), chunks = $2 WHERE number = $1`, [
        this.worker,
        chunks,
      ]),
    );
  }

  /** Ends the session without waiting, which releases its lock. */
  end(): void {
    this.#alive = false;
    void this.#client.end().catch(() => undefined);
  }

  /** Signs the worker off, and ends the session. */
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

/** Whether the database did not answer in time. This error of pg has no code, and leaves the connection open. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Query read timeout');
}
