import type { PoolClient } from 'pg';
import type { PgBoss } from 'pg-boss';
import { closingTime, type Database, inTransaction, within } from '../journal/database.ts';

/** A part of a job that has open rows. */
export interface Chunk {
  readonly job: string;
  readonly chunk: number;
}

/** A chunk that may be delivered from a time on. */
export interface TimedChunk extends Chunk {
  readonly startAt?: Date | undefined;
}

/** A message that this worker has received and not yet returned. */
export interface Received extends Chunk {
  /** The delivery to this worker. pg-boss ignores it after it has delivered the message to another worker. */
  readonly attempt: { id: string; retryCount: number };
  /** Name of the queue. */
  readonly queue: string;
}

/** Seconds without a heartbeat after which pg-boss delivers a message to another worker. The minimum of pg-boss. */
const heartbeatSeconds = 10;

/** Maximum number of chunks per statement. */
const maxChunks = 5_000;

/**
 * The queue, based on pg-boss. It determines which worker processes a chunk, and when. The journal alone determines what is sent.
 *
 * A message exists as long as its chunk has rows to send or look up. It can safely be delivered twice.
 */
export class Queue {
  readonly #boss: PgBoss;
  readonly #db: Database;
  readonly #created = new Map<string, Promise<void>>();

  private constructor(boss: PgBoss, db: Database) {
    this.#boss = boss;
    this.#db = db;
  }

  /**
   * @param db - database whose tables exist
   * @param options - `onError` receives errors of the background statements of pg-boss; `mayMigrate`: whether its tables may be
   * created or changed
   */
  static async open(
    db: Database,
    { onError, mayMigrate }: { onError(error: unknown): void; mayMigrate: boolean },
  ): Promise<Queue> {
    const { drivers, pool, queueSchema } = db;
    // CREATE SCHEMA needs rights on the database, even if the schema exists.
    const found = await pool.query('SELECT FROM pg_namespace WHERE nspname = $1', [queueSchema]);
    const boss = new drivers.PgBoss({
      db: { executeSql: (text, values) => pool.query(text, values) },
      schema: queueSchema,
      // Dead workers are detected within the heartbeat and this interval.
      superviseIntervalSeconds: 3,
      monitorIntervalSeconds: 3,
      schedule: false,
      migrate: mayMigrate,
      createSchema: mayMigrate && found.rowCount === 0,
    });
    boss.on('error', onError);
    await boss.start();
    return new Queue(boss, db);
  }

  /** Adds chunks, in the transaction of a connection if one is given. Has no effect on chunks that already have a message. */
  async add(queue: string, chunks: readonly TimedChunk[], client?: PoolClient): Promise<void> {
    if (chunks.length === 0) return;
    await this.#create(queue);
    const jobs = chunks.map(({ job, chunk, startAt }) => ({
      data: { job, chunk },
      singletonKey: keyOf({ job, chunk }),
      ...(startAt && { startAfter: startAt }),
    }));
    for (let first = 0; first < jobs.length; first += maxChunks) {
      await this.#boss.insert(queue, jobs.slice(first, first + maxChunks), { ...(client && viaClient(client)) });
    }
  }

  /** Adds a few chunks, and makes waiting ones available immediately. */
  async wake(queue: string, chunks: readonly Chunk[]): Promise<void> {
    await this.add(queue, chunks);
    if (chunks.length > maxChunks / 50) return;
    for (const chunk of chunks) {
      await this.#boss.update(queue, undefined, { singletonKey: keyOf(chunk), startAfter: 0 });
    }
  }

  /** Removes the queue of a job that was removed. */
  async remove(queue: string): Promise<void> {
    this.#created.delete(queue);
    await this.#boss.deleteQueue(queue);
  }

  /** Receives a chunk, if one is available. */
  async receive(queue: string): Promise<Received | undefined> {
    await this.#create(queue);
    const [message] = await this.#boss.fetch<Chunk>(queue, { batchSize: 1 });
    return message && { ...message.data, attempt: { id: message.id, retryCount: message.retryCount }, queue };
  }

  /** Sends heartbeats for messages. */
  async touch(received: readonly Received[]): Promise<void> {
    for (const { queue, attempt } of received) await this.#boss.touch(queue, attempt);
  }

  /** Returns a message, so that the chunk is delivered again after some seconds, to any worker. */
  async giveBack({ queue, attempt }: Received, seconds: number): Promise<void> {
    await inTransaction(this.#db.pool, async (client) => {
      await this.#boss.fail(queue, attempt, undefined, viaClient(client));
      await this.#boss.update(queue, undefined, { id: attempt.id, startAfter: seconds, ...viaClient(client) });
    });
  }

  /** Ends a message, because the chunk has no pending work. */
  async end({ queue, attempt }: Received): Promise<void> {
    await this.#boss.complete(queue, attempt);
  }

  /** Stops the background statements of pg-boss. */
  async close(): Promise<void> {
    await within(this.#boss.stop({ graceful: false, close: false }), closingTime);
  }

  async #create(queue: string): Promise<void> {
    const created =
      this.#created.get(queue) ??
      this.#boss.createQueue(queue, {
        policy: 'exclusive',
        heartbeatSeconds,
        // A message does not expire as long as its worker sends heartbeats.
        expireInSeconds: 86_399,
        retryLimit: 2_147_483_647,
        retryDelay: 0,
        // The journal records what is done.
        deleteAfterSeconds: 60,
        retentionSeconds: 365 * 86_400,
      });
    this.#created.set(queue, created);
    await created.catch((error: unknown) => {
      this.#created.delete(queue);
      throw error;
    });
  }
}

/** Name of the queue of a job. Each job has its own, so that a worker can choose the job whose chunk it takes. */
export function queueOfJob({ queue, id }: { queue: string; id: string }): string {
  return `${queue}/${id}`;
}

function keyOf({ job, chunk }: Chunk): string {
  return `${job}.${chunk}`;
}

function viaClient(client: PoolClient) {
  return { db: { executeSql: (text: string, values?: unknown[]) => client.query(text, values) } };
}
