import type { Pool, PoolClient } from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Database } from './database.ts';
import { inTransaction } from './transaction.ts';

/** A message: a part of a job that has open rows. */
export interface Chunk {
  readonly job: string;
  readonly chunk: number;
}

/** What has a queue of its own: a definition for an account, so that no worker gets rows for another account. */
export interface QueueOf {
  readonly account: string;
  readonly definition: string;
}

/** A message that this worker received, until it is returned. */
export interface Received extends Chunk {
  /** What pg-boss gave to this worker: once it gives the message to another, it ignores this one. */
  readonly attempt: { id: string; retryCount: number };
  readonly of: QueueOf;
}

/** Seconds without a sign of life after which pg-boss gives a message to another worker: its shortest. */
const heartbeatSeconds = 10;

/**
 * The queue, which pg-boss keeps. It distributes chunks to workers, delays them, and gives those of a dead worker to another. It decides
 * nothing about sending: the journal does. A message that is lost or arrives twice costs time only.
 */
export class Queue {
  readonly #boss: PgBoss;
  readonly #created = new Set<string>();

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  static async open(
    { drivers, pool, queueSchema }: Database,
    options: { onError(error: unknown): void },
  ): Promise<Queue> {
    const boss = new drivers.PgBoss({
      db: { executeSql: (text, values) => pool.query(text, values) },
      schema: queueSchema,
      // Dead workers are noticed within heartbeat and interval.
      superviseIntervalSeconds: 2,
      monitorIntervalSeconds: 2,
      schedule: false,
    });
    boss.on('error', options.onError);
    await boss.start();
    return new Queue(boss);
  }

  /** Adds chunks, in the transaction of a connection if one is given. A chunk that is in the queue already stays as it is. */
  async add(of: QueueOf, chunks: readonly Chunk[], { at, in: client }: { at?: Date; in?: PoolClient } = {}) {
    const name = await this.#create(of);
    const jobs = chunks.map(({ job, chunk }) => ({
      data: { job, chunk },
      singletonKey: `${job}.${chunk}`,
      ...(at && { startAfter: at }),
    }));
    const db = client && { db: { executeSql: (text: string, values?: unknown[]) => client.query(text, values) } };
    for (let first = 0; first < jobs.length; first += 5_000) {
      await this.#boss.insert(name, jobs.slice(first, first + 5_000), { ...db });
    }
  }

  /** Receives a chunk of a definition, if there is one. */
  async receive(of: QueueOf): Promise<Received | undefined> {
    const name = await this.#create(of);
    const [message] = await this.#boss.fetch<Chunk>(name, { batchSize: 1 });
    return (
      message && {
        ...message.data,
        attempt: { id: message.id, retryCount: message.retryCount },
        of,
      }
    );
  }

  /** Tells pg-boss that this worker is alive. */
  async touch(received: readonly Received[]): Promise<void> {
    for (const { of, attempt } of received) await this.#boss.touch(nameOf(of), attempt);
  }

  /** Gives a message of a worker that is gone to another one at once. */
  async release(of: QueueOf, id: string): Promise<void> {
    await this.#boss.fail(nameOf(of), id);
  }

  /** Returns a message: the chunk comes again at a time, or never. */
  async finish(pool: Pool, { of, attempt, job, chunk }: Received, again: Date | undefined): Promise<void> {
    await inTransaction(pool, async (client) => {
      const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
      await this.#boss.complete(nameOf(of), attempt, null, { db });
      if (again) await this.add(of, [{ job, chunk }], { at: again, in: client });
    });
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false });
  }

  async #create(of: QueueOf): Promise<string> {
    const name = nameOf(of);
    if (this.#created.has(name)) return name;
    await this.#boss.createQueue(name, {
      policy: 'exclusive',
      heartbeatSeconds,
      // A message is worked on for as long as its worker gives signs of life.
      expireInSeconds: 86_399,
      retryLimit: 2_147_483_647,
      retryDelay: 0,
      // The journal says what is done.
      deleteAfterSeconds: 60,
      retentionSeconds: 365 * 86_400,
    });
    this.#created.add(name);
    return name;
  }
}

function nameOf({ account, definition }: QueueOf): string {
  return `${account}/${definition}`;
}
