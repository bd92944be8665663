import { type Client as ApiClient, createClient, type Logger } from 'carillon';
import { createHook } from './attempt.ts';
import { createBatcher } from './batcher.ts';
import { timeAsSql } from './clock.ts';
import type { Database } from './database.ts';
import { explain, isTemporary } from './explain.ts';
import { confirm, type Mark, type Marked, type Outcome } from './journal.ts';
import { createLimits, type Limits } from './limits.ts';
import { markLimited } from './mark-limited.ts';
import { Session } from './session.ts';
import type { JobDefinition, JobsOptions } from './types.ts';
import { writeOutcomes } from './write-outcomes.ts';

export const defaultDeadline = 60_000;

/** What the rows of a worker share: its session, its batches of statements, and its clients. */
export class Station {
  readonly db: Database;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly options: JobsOptions;
  /** Limits of rows in flight over all machines, by job. */
  readonly concurrency = new Map<string, number>();
  readonly #clients = new Map<string, ApiClient>();
  #session: Session;

  private constructor(db: Database, options: JobsOptions, session: Session) {
    this.db = db;
    this.options = options;
    this.logger = options.logger ?? console;
    this.limits = createLimits(db, options.now);
    this.#session = session;
  }

  static async open(db: Database, options: JobsOptions): Promise<Station> {
    return new Station(db, options, await Session.open(db));
  }

  /** Number of the worker. A new session gives a new one. */
  get worker(): number {
    return this.#session.worker;
  }

  get session(): Session {
    return this.#session;
  }

  /** Replaces a session that has ended. Rejects while the database is away. */
  async reconnect(): Promise<void> {
    const lost = this.#session;
    this.#session = await Session.open(this.db);
    await lost.close();
  }

  /** The client for the deadline of a definition. It does not retry, because each request is journalled. */
  apiFor({ deadline = defaultDeadline }: Pick<JobDefinition, 'deadline'>): ApiClient {
    const known = this.#clients.get(String(deadline));
    if (known) return known;
    const { client } = this.options;
    const middleware = [...(client.middleware ?? []), createHook(this.limits)];
    const api = createClient({ ...client, middleware, timeout: deadline, maxRetries: 0 });
    this.#clients.set(String(deadline), api);
    return api;
  }

  /** A time of the reservations on the clock of this process. With a clock of its own, a test decides when: then soon. */
  localTime(time: Date): number {
    return this.options.now ? Math.min(time.getTime(), Date.now() + 500) : time.getTime();
  }

  /** Marks a row as sent, with others in one commit of this session. Resolves with the worker that holds it then. */
  readonly mark: (mark: Mark) => Promise<Marked & { worker: number; session: Session }> = createBatcher(
    async (marks) => {
      const session = this.#session;
      const { worker } = session;
      try {
        const given = { worker, marks, now: timeAsSql(this.options.now) };
        const marked = await session.run((client) => markLimited(client, this.db.schema, given, this.concurrency));
        return marked.map((each) => ({ ...each, worker, session }));
      } catch (cause) {
        throw new MarkError(worker, cause);
      }
    },
  );

  /** Whether the worker still holds an attempt, by the session that marked it. */
  async confirm(mark: Mark, session: Session): Promise<boolean> {
    return session.run((client) => confirm(client, this.db.schema, mark, session.worker));
  }

  /** Writes an outcome, with others in one commit. Tries again while the database is away: the outcome is only known here. */
  readonly settle: (outcome: Outcome) => Promise<true> = createBatcher(async (outcomes) => {
    for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
      try {
        await writeOutcomes(this.db, outcomes);
        return outcomes.map(() => true as const);
      } catch (error) {
        if (!isTemporary(error) && !isDeadlock(error)) throw explain(error);
        if (wait === 100) this.logger.warn(`carillon: ${explain(error).message} Outcomes are written when it is back.`);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
    // An outcome that waits for the commit of another is lost if the worker dies.
  }, 2);

  async close(): Promise<void> {
    await this.#session.close();
  }
}

/** A commit whose reply did not come: the rows may be marked, and no request left. */
export class MarkError extends Error {
  override readonly name = 'MarkError';
  readonly worker: number;

  constructor(worker: number, cause: unknown) {
    super('The rows could not be marked as sent', { cause });
    this.worker = worker;
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01';
}
