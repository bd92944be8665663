import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'carillon';
import type { PoolClient } from 'pg';
import { checkLimits, checkPriority } from '../define-job.ts';
import { JobsError } from '../jobs-error.ts';
import { type Database, longStatement } from '../journal/database.ts';
import { chunkSize } from '../journal/sizes.ts';
import { toJsonb } from '../store/storable.ts';
import type { JobDefinition, PlanOptions, Source } from '../types.ts';
import { defaultDeadline, markLifetime } from '../work/attempt.ts';
import { type Queue, queueOfJob } from '../work/queue.ts';
import { differenceOf, type Fingerprint, fingerprintOf, queueOf, type Target } from './fingerprint.ts';
import { createTurns, openNotes } from './notes.ts';
import { RowInsert } from './row-insert.ts';
import { readSameSource } from './same-source.ts';

/** Longest name of a job. */
const maxNameLength = 200;

/** How long the transaction of a plan waits for its source, in milliseconds. A source may read lists of the service. */
const sourceTime = 1_800_000;

/**
 * Milliseconds after which lists of people are read again, and the minimum: workers notice after two seconds that a list has been read, and
 * would never send a row if it were not valid any more then.
 */
const { defaultRecheck, minRecheck } = { defaultRecheck: 3_600_000, minRecheck: 3_000 };

/**
 * Plans a job in one transaction. An existing job is compared and not planned again.
 *
 * @returns its name, and the settings that stay as they are, although the plan has others
 */
export async function planJob<Values, Options>(
  { db, queue, target, api }: { db: Database; queue: Queue; target: Target; api: Client },
  job: JobDefinition<Values, Options>,
  { name = job.name, options, ...own }: PlanOptions<Options>,
): Promise<{ name: string; kept: readonly string[] }> {
  const { concurrency = job.concurrency, rate = job.rate, priority = 0, startAt, retention } = own;
  const { recheckAfter = defaultRecheck } = own;
  const { deadline = defaultDeadline } = job;
  checkName(name);
  checkLimits(name, { concurrency, rate, retention });
  if (!(recheckAfter >= minRecheck)) throw new JobsError(`${name}: recheckAfter must be at least ${minRecheck} ms`);
  checkPriority(name, priority);
  if (startAt && Number.isNaN(startAt.getTime())) throw new JobsError(`${name}: startAt is not a time`);
  const source = await job.source(options, { api });
  const checksum = await source.checksum();
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `SET LOCAL idle_in_transaction_session_timeout = ${sourceTime}; SET LOCAL statement_timeout = ${longStatement}; SET LOCAL lock_timeout = ${longStatement}`,
    );
    const print = fingerprintOf(job as JobDefinition);
    const of = queueOf(target, print);
    const inserted = await client.query<{ id: string }>(
      `INSERT INTO ${db.schema}.jobs
        (name, account, service, queue, definition, version, steps, checksum, options, deadline, lookup_after, concurrency, rate, priority, start_at, retention,
          recheck_after)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) ON CONFLICT (name) DO NOTHING RETURNING id::text`,
      [
        name,
        target.account,
        target.service,
        of,
        print.definition,
        print.version,
        print.steps,
        checksum,
        toJsonb(options ?? null),
        deadline,
        deadline + markLifetime(deadline),
        concurrency,
        rate,
        priority,
        startAt,
        retention,
        recheckAfter,
      ],
    );
    const id = inserted.rows[0]?.id;
    let kept: readonly string[] = [];
    if (id === undefined)
      kept = await compare(client, db.schema, name, { ...print, ...target, checksum, options, ...own });
    else {
      const sameSource = await readSameSource(client, db.schema, id, job as JobDefinition);
      await insertAll({ client, db, queue, of, id, name, sameSource, startAt }, source, checksum);
    }
    await client.query('COMMIT');
    // Without it, Postgres would plan the first statements of the workers for an empty table.
    if (id !== undefined) await client.query(`ANALYZE ${db.schema}.rows`).catch(() => undefined);
    client.release();
    return { name, kept };
  } catch (error) {
    // Close the connection, which rolls the transaction back.
    client.release(true);
    throw error;
  }
}

/** Refuses names that a person cannot type again. */
function checkName(name: string): void {
  if (name.trim() === '' || name !== name.trim() || name.length > maxNameLength || /[\p{C}\p{Zl}\p{Zp}]/u.test(name))
    throw new JobsError(
      `${JSON.stringify(name)} is not a name of a job: use 1 to ${maxNameLength} characters without control codes, and without spaces at its ends. Choose one with --name.`,
    );
}

async function compare(
  client: PoolClient,
  schema: string,
  name: string,
  given: Fingerprint & Target & Settings & { checksum: string; options: unknown },
): Promise<readonly string[]> {
  const { rows } = await client.query<Fingerprint & Target & Settings & { checksum: string; options: unknown }>(
    `SELECT account, service, definition, version, steps, checksum, options, concurrency, rate, priority FROM ${schema}.jobs WHERE name = $1`,
    [name],
  );
  const [planned] = rows;
  if (!planned) throw new JobsError(`The job ${name} was removed just now. Plan it again.`);
  const advice =
    'Undo the change, or plan a new job under another name. A new job sends all its rows, also those that were done in this one.';
  const difference = differenceOf(planned, given);
  if (difference) throw new JobsError(`The job ${name} exists. ${difference}. ${advice}`);
  if (planned.checksum !== given.checksum) {
    throw new JobsError(
      `The source of the job ${name} has changed since it was planned. ${advice} Repair refused rows with a file of their own: carillon-jobs problems ${name} --rows <file>.`,
    );
  }
  if (planned.account !== given.account)
    throw new JobsError(`The job ${name} is for the account ${planned.account}. ${advice}`);
  if (planned.service !== given.service) {
    throw new JobsError(
      `The job ${name} was planned for ${planned.service}, and this program calls ${given.service}. Use the first address for it (CARILLON_BASE_URL), or plan a new job under another name.`,
    );
  }
  const options = differentOptions(planned.options, JSON.parse(toJsonb(given.options ?? null)));
  if (options !== undefined) throw new JobsError(`The job ${name} was planned with other options${options}. ${advice}`);
  return (['concurrency', 'rate', 'priority'] as const).flatMap((setting) => {
    const [now, other] = [planned[setting] ?? 'none', given[setting] ?? 'none'];
    if (given[setting] === undefined || now === other) return [];
    return `The ${setting} of the job ${name} stays ${now}. To change it to ${other}: carillon-jobs set ${name} --${setting} ${other}`;
  });
}

type Settings = Pick<PlanOptions<unknown>, 'concurrency' | 'rate' | 'priority'>;

/**
 * Returns the names of the options that differ, or `undefined`. Ignores the path of a file, which is identified by its checksum.
 */
function differentOptions(planned: unknown, given: unknown): string | undefined {
  if (isDeepStrictEqual(planned, given)) return undefined;
  if (typeof planned !== 'object' || typeof given !== 'object' || planned === null || given === null) return '';
  const names = [...new Set([...Object.keys(planned), ...Object.keys(given)])].filter(
    (name) => name !== 'file' && !isDeepStrictEqual(Reflect.get(planned, name), Reflect.get(given, name)),
  );
  return names.length === 0 ? undefined : `: ${names.join(', ')}`;
}

interface Plan {
  readonly client: PoolClient;
  readonly db: Database;
  readonly queue: Queue;
  /** Name of the queue. */
  readonly of: string;
  readonly id: string;
  readonly name: string;
  readonly sameSource: readonly string[];
  readonly startAt: Date | undefined;
}

async function insertAll(
  { client, db, queue, of, id, name, sameSource, startAt }: Plan,
  source: Source,
  checksum: string,
) {
  /** Chunks with planned rows. */
  const open = new Set<number>();
  const insert = new RowInsert(client, db.schema, id, (number) => open.add(Math.floor(number / chunkSize)));
  const turn = createTurns();
  // Insert rows while reading the next ones, which saves a third of the time for a million contacts.
  let inserting = Promise.resolve();
  for await (const row of source.rows(openNotes(client, turn))) {
    insert.add(row);
    if (!insert.isFull) continue;
    await inserting;
    inserting = turn(insert.take());
    // Awaited later.
    inserting.catch(() => undefined);
  }
  await inserting;
  await turn(insert.take());
  if ((await source.checksum()) !== checksum)
    throw new JobsError(`The source of the job ${name} changed while it was read. Plan it again.`);
  const chunks = [...open];
  await client.query(`INSERT INTO ${db.schema}.chunks (job, number) SELECT $1, unnest($2::int[])`, [id, chunks]);
  await client.query(`SELECT ${db.schema}.count_job($1)`, [id]);
  await client.query(
    `UPDATE ${db.schema}.jobs SET total = $2, plan = $4::jsonb, state = CASE WHEN $3 THEN 'finished' ELSE 'running' END,
      planned_at = clock_timestamp(), ended_at = CASE WHEN $3 THEN clock_timestamp() END WHERE id = $1`,
    [id, insert.count, chunks.length === 0, toJsonb({ ...insert.summary, sameSource })],
  );
  await queue.add(
    queueOfJob({ queue: of, id }),
    chunks.map((chunk) => ({ job: id, chunk, startAt })),
    client,
  );
}
