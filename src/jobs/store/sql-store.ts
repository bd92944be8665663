import { JobsError } from '../jobs-error.ts';
import { allowanceOf, type ClaimRequest } from './allowance.ts';
import type { Batch, Dialect, Run, Sql } from './sql.ts';
import { toStorableString } from './storable.ts';
import type {
  ActiveJob,
  Insert,
  JobChange,
  JobOverview,
  NewRow,
  PlanEnd,
  RowChange,
  Store,
  StoredWorker,
} from './store.ts';
import { columnOf, type NewJob, readColumns, type StoredJob, type StoredRow, toColumn } from './tables.ts';

/** Maximum rows of a statement that changes many rows, and of a page. */
const batchSize = 2_000;

/** Milliseconds without progress after which a plan counts as killed. */
const planTimeout = 3_600_000;
const planRemoved = 'Planning took too long between two rows, so the plan was removed. Plan the job again.';

const newRowColumns = {
  new_number: 'integer',
  new_line: 'integer',
  new_key: 'text',
  new_state: 'text',
  new_reason: 'text',
  new_values: 'text',
} as const satisfies Batch['columns'];

const outcomeColumns = {
  of_job: 'integer',
  of_number: 'integer',
  of_attempt: 'integer',
  of_worker: 'integer',
  new_state: 'text',
  new_step: 'text',
  new_code: 'text',
  new_reason: 'text',
  new_results: 'text',
  look_up_in: 'double precision',
  from_now: 'integer',
} as const satisfies Batch['columns'];

const keyColumns = { one: 'text' } as const satisfies Batch['columns'];

const changeColumns = {
  of_job: 'integer',
  of_number: 'integer',
  of_attempt: 'integer',
  new_line: 'integer',
  new_state: 'text',
  new_step: 'text',
  new_code: 'text',
  new_reason: 'text',
  has_values: 'integer',
  new_values: 'text',
  has_results: 'integer',
  new_results: 'text',
} as const satisfies Batch['columns'];

/** Creates the store on one of the two databases. */
export function createStore(sql: Sql): Store {
  const { dialect, run } = sql;
  const { now, prefix: p, lock, skipLocked, indexedBy } = dialect;
  const accountOf = ({ account, service }: Pick<StoredJob, 'account' | 'service'>): string =>
    `account ${account} ${service}`;
  const waitUntil = `(SELECT max(w.until) FROM ${p}limits w WHERE w.name = 'account ' || j.account || ' ' || j.service AND w.until > ${now})`;
  /** Lowest number of a planned row by job, as far as this process knows, so that a claim skips the rows before it. */
  const lowest = new Map<number, number>();
  return {
    ...sql,
    async now() {
      const [found] = await run<{ now: number }>(`SELECT ${now} AS now`);
      return found?.now ?? Date.now();
    },

    plan: (job, fill) => plan(sql, job, fill),

    async register({ id, host, process, queues }) {
      await run(
        `INSERT INTO ${p}workers (id, host, process, queues, started_at, beat_at) VALUES ($1, $2, $3, $4, ${now}, ${now})`,
        [id, host, process, JSON.stringify(queues)],
      );
    },
    async unregister(worker) {
      await run(`DELETE FROM ${p}workers WHERE id = $1`, [worker]);
    },
    async beat(worker) {
      const known = await run(`UPDATE ${p}workers SET beat_at = ${now} WHERE id = $1 RETURNING id`, [worker]);
      if (sql.silence !== undefined) await run(`DELETE FROM ${p}workers WHERE beat_at < ${now} - $1`, [sql.silence]);
      // Find claimed rows by the absence of their worker, because a claim can commit after its worker was declared dead.
      await run(
        `UPDATE ${p}rows ${indexedBy('rows_claimed')} SET state = 'doubt', step = NULL,
          at = sent_at + (SELECT j.lookup_after FROM ${p}jobs j WHERE j.id = job)
        WHERE state = 'claimed' AND NOT EXISTS (SELECT 1 FROM ${p}workers w WHERE w.id = worker)`,
      );
      return known.length > 0;
    },
    async workers() {
      const found = await run(
        `SELECT w.*, ${now} - beat_at AS silent,
          (SELECT CAST(count(*) AS integer) FROM ${p}rows r WHERE r.worker = w.id AND r.state = 'claimed') AS rows
        FROM ${p}workers w ORDER BY started_at DESC, id`,
      );
      return found.map((worker) => readColumns<StoredWorker>(worker));
    },

    claim: (request) =>
      sql.transaction(async (one) => {
        const { job, count, worker } = request;
        const [found] = await one<Record<string, unknown> & Locked>(
          `SELECT j.*, ${now} AS now, ${waitUntil} AS "waitUntil",
            EXISTS (SELECT 1 FROM ${p}workers w WHERE w.id = $2) AS "isAlive", ${dialect.place} AS here, ${dialect.isUnsafe} AS "isUnsafe"
          FROM ${p}jobs j WHERE j.id = $1 ${lock}`,
          [job, worker],
        );
        if (!found) return { rows: [], marks: 0, turn: 0, pace: 0, hindrance: 'state' };
        if (found.isUnsafe)
          throw new JobsError(
            'The database may lose a commit, and with it the record of what was sent: set fsync and synchronous_commit to on.',
          );
        const known = readColumns<StoredJob>(found);
        // Use a second statement, because it sees what other workers committed before they released the lock.
        const busy = known.concurrency === null ? 0 : await countClaimed(one, dialect, job);
        const { now: at, waitUntil: until, here, isAlive } = found;
        const state = { job: known, now: at, waitUntil: until, here, busy, isAlive: Boolean(isAlive) };
        const { count: allowed, ...hindrance } = allowanceOf(request, state);
        if (allowed === 0) return { rows: [], marks: known.marks, turn: 0, pace: 0, ...hindrance };
        const rows = await claimRows(one, dialect, {
          ...request,
          count: allowed,
          from: lowest.get(job) ?? 0,
        });
        lowest.set(job, rows.length < Math.min(count, allowed) ? 0 : (rows[0]?.number ?? 0));
        if (rows.length === 0) return { rows, marks: known.marks, turn: 0, pace: 0 };
        const pace = known.rate === null ? 0 : 1_000 / known.rate;
        const first = Math.max(known.nextAt, found.now);
        await one(`UPDATE ${p}jobs SET marks = marks + 1, next_at = $2 WHERE id = $1`, [
          job,
          known.rate === null ? known.nextAt : first + rows.length * pace,
        ]);
        return { rows, marks: known.marks + 1, turn: known.rate === null ? 0 : first - found.now, pace };
      }),
    async takeDoubtful(job, count) {
      const found = await run(
        `UPDATE ${p}rows SET at = ${now} + (SELECT j.lookup_after FROM ${p}jobs j WHERE j.id = $1)
        WHERE job = $1 AND number IN (
          SELECT number FROM ${p}rows ${indexedBy('rows_doubt')} WHERE job = $1 AND state = 'doubt' AND at <= ${now} ORDER BY number LIMIT $2 ${skipLocked}
        ) AND state = 'doubt' RETURNING *`,
        [job, count],
      );
      return toRows(found);
    },
    async confirm({ job, number, attempt, worker }) {
      const found = await run(
        `UPDATE ${p}rows SET sent_at = ${now} WHERE job = $1 AND number = $2 AND attempt = $3 AND worker = $4 AND state = 'claimed'
          AND EXISTS (SELECT 1 FROM ${p}workers w WHERE w.id = $4) RETURNING number`,
        [job, number, attempt, worker],
      );
      return found.length > 0;
    },
    async settle(outcomes) {
      if (outcomes.length === 0) return;
      // A statement changes a row only once. The last outcome of an attempt includes the results of earlier outcomes.
      const last = new Map(outcomes.map((each) => [`${each.job}.${each.number}.${each.attempt}.${each.worker}`, each]));
      const rows = [...last.values()].map((each) => [
        each.job,
        each.number,
        each.attempt,
        each.worker,
        each.state,
        toColumn('step', each.step),
        toColumn('code', each.code),
        toColumn('reason', each.reason),
        toColumn('results', each.results),
        each.lookUpIn ?? 0,
        each.isFromNow ? 1 : 0,
      ]);
      // Use the same order everywhere, to prevent deadlocks.
      rows.sort((one, other) => Number(one[0]) - Number(other[0]) || Number(one[1]) - Number(other[1]));
      const settle = (one: Run) =>
        one(
          `UPDATE ${p}rows AS r SET state = CASE WHEN g.new_state = 'claimed' THEN r.state ELSE g.new_state END,
            step = CASE WHEN g.new_state = 'claimed' THEN r.step ELSE g.new_step END, code = g.new_code,
            reason = CASE WHEN g.new_state = 'claimed' THEN r.reason ELSE g.new_reason END,
            results = coalesce(g.new_results, r.results), "values" = CASE WHEN g.new_state <> 'done' THEN r."values" END,
            at = CASE g.new_state WHEN 'claimed' THEN r.at
              WHEN 'doubt' THEN CASE WHEN g.from_now = 1 THEN ${now} ELSE r.sent_at END + g.look_up_in ELSE ${now} END
          FROM ${dialect.batch(1, outcomeColumns)}
          WHERE r.job = g.of_job AND r.number = g.of_number AND r.attempt = g.of_attempt AND r.worker = g.of_worker
            AND (r.state IN ('claimed', 'doubt') OR r.state = 'unknown' AND g.new_state IN ('done', 'rejected', 'planned')
              OR r.state = 'planned' AND g.new_state IN ('done', 'rejected'))`,
          [{ columns: outcomeColumns, rows }],
        );
      const planned = [...new Set(outcomes.flatMap(({ state, job }) => (state === 'planned' ? [job] : [])))].sort(
        (one, other) => one - other,
      );
      if (planned.length === 0) {
        await settle(run);
        return;
      }
      await sql.transaction(async (one) => {
        for (const job of planned) await one(`SELECT id FROM ${p}jobs j WHERE id = $1 ${lock}`, [job]);
        await settle(one);
        for (const job of planned) {
          lowest.delete(job);
          await continueJob(one, dialect, job);
        }
      });
    },
    async heldBy(worker) {
      return run(
        `SELECT job, number, attempt, state FROM ${p}rows WHERE worker = $1 AND state IN ('claimed', 'doubt', 'unknown') ORDER BY job, number`,
        [worker],
      );
    },

    reserveTurn: (job) =>
      sql.transaction(async (one) => {
        const [found] = await one<{ rate: number | null; nextAt: number; now: number }>(
          `SELECT rate, next_at AS "nextAt", ${now} AS now FROM ${p}jobs j WHERE id = $1 ${lock}`,
          [job],
        );
        if (!found || found.rate === null) return 0;
        const turn = Math.max(found.nextAt, found.now);
        await one(`UPDATE ${p}jobs SET next_at = $2 WHERE id = $1`, [job, turn + 1_000 / found.rate]);
        return turn - found.now;
      }),
    reserveQuota: (name, requests, span) =>
      sql.transaction(async (one) => {
        const take = async (): Promise<boolean> => {
          const taken = await one(
            `UPDATE ${p}limits SET until = ${now} + $2 WHERE name = $1 AND slot = (
              SELECT slot FROM ${p}limits WHERE name = $1 AND slot < $3 AND until <= ${now} ORDER BY until, slot LIMIT 1 ${skipLocked}
            ) RETURNING slot`,
            [name, span, requests],
          );
          return taken.length > 0;
        };
        if (await take()) return undefined;
        const slots = {
          columns: { new_slot: 'integer' },
          rows: Array.from({ length: requests }, (_, slot) => [slot]),
        } as const;
        const created = await one(
          `INSERT INTO ${p}limits (name, slot, until) SELECT $1, g.new_slot, 0 FROM ${dialect.batch(2, slots.columns)} WHERE true
          ON CONFLICT DO NOTHING RETURNING slot`,
          [name, slots],
        );
        if (created.length > 0 && (await take())) return undefined;
        const [found] = await one<{ wait: number | null }>(
          `SELECT min(until) - ${now} AS wait FROM ${p}limits WHERE name = $1 AND slot < $2`,
          [name, requests],
        );
        // Wait at least 0.1 seconds, because slots that others are currently reserving were skipped.
        return Math.max(100, found?.wait ?? 0);
      }),
    async delayAccount(job, milliseconds) {
      await run(
        `INSERT INTO ${p}limits AS l (name, slot, until) VALUES ($1, 0, ${now} + $2)
        ON CONFLICT (name, slot) DO UPDATE SET until = CASE WHEN l.until > excluded.until THEN l.until ELSE excluded.until END`,
        [accountOf(job), milliseconds],
      );
    },
    async endDelay(job) {
      await run(`DELETE FROM ${p}limits WHERE name = $1`, [accountOf(job)]);
    },

    async jobs(name) {
      const found = await run(
        `SELECT j.*, ${now} AS now, ${waitUntil} AS "waitUntil" FROM ${p}jobs j
        WHERE j.state <> 'planning' AND (CAST($1 AS text) IS NULL OR j.name = $1) ORDER BY j.id DESC`,
        [name ?? null],
      );
      return found.map((job) => readColumns<JobOverview>(job));
    },
    async activeJobs(queues, known) {
      const has = (state: string, also = ''): string =>
        `EXISTS (SELECT 1 FROM ${p}rows r ${indexedBy(`rows_${state}`)} WHERE r.job = j.id AND r.state = '${state}'${also})`;
      const found = await run(
        `SELECT j.*, ${now} AS now, ${has('planned')} AS "hasPlanned", ${has('doubt')} AS "hasDoubt",
          ${has('doubt', ` AND r.at <= ${now}`)} AS "hasDue", ${has('claimed')} AS "hasClaimed", coalesce(${waitUntil} - ${now}, 0) AS wait
        FROM ${p}jobs j WHERE j.id IN (SELECT g.known FROM ${dialect.batch(2, { known: 'integer' })})
          OR j.queue IN (SELECT g.queue FROM ${dialect.batch(1, { queue: 'text' })}) AND (j.state = 'running'
            OR j.state IN ('paused', 'cancelled') AND (${has('doubt')} OR ${has('claimed')}))
        ORDER BY j.priority DESC, j.id`,
        [
          { columns: { queue: 'text' }, rows: queues.map((queue) => [queue]) },
          { columns: { known: 'integer' }, rows: known.map((id) => [id]) },
        ],
      );
      return found.map((job) => {
        const read = readColumns<ActiveJob>(job);
        // SQLite returns numbers instead of booleans.
        const [hasPlanned, hasDoubt] = [Boolean(read.hasPlanned), Boolean(read.hasDoubt)];
        return { ...read, hasPlanned, hasDoubt, hasDue: Boolean(read.hasDue), hasClaimed: Boolean(read.hasClaimed) };
      });
    },
    async counts(job) {
      const found = await run<{ state: string; count: number; until: number | null; begun: number }>(
        `SELECT state, CAST(count(*) AS integer) AS count, max(at) AS until,
          CAST(count(CASE WHEN state = 'planned' THEN results END) AS integer) AS begun
        FROM ${p}rows WHERE job = $1 GROUP BY state`,
        [job],
      );
      return {
        states: Object.fromEntries(found.map(({ state, count }) => [state, count])),
        lookUpUntil: found.find(({ state }) => state === 'doubt')?.until ?? null,
        begun: found.find(({ state }) => state === 'planned')?.begun ?? 0,
      };
    },
    async changeJob(job, change, { states, isUnchecked = false, checkingUntil, ...also } = {}) {
      const { place, marksBelow, wentBackAt } = also;
      const { text, values } = setOf(change, 6);
      const found = await run(
        `UPDATE ${p}jobs SET ${text} WHERE id = $1${states ? ` AND state IN (${states.map((state) => `'${state}'`).join()})` : ''}
        ${isUnchecked ? `AND coalesce(checking_until, 0) < ${now}` : ''}
        AND place = coalesce(CAST($2 AS text), place) AND marks < coalesce(CAST($3 AS double precision), marks + 1)
        AND (CAST($4 AS double precision) IS NULL OR checking_until = $4)
        AND coalesce(went_back_at, 0) = coalesce(CAST($5 AS double precision), went_back_at, 0) RETURNING id`,
        [
          job,
          place ?? null,
          marksBelow ?? null,
          checkingUntil ?? null,
          wentBackAt === null ? 0 : (wentBackAt ?? null),
          ...values,
        ],
      );
      return found.length > 0;
    },
    finish: (job) =>
      sql.transaction(async (one) => {
        // Take the lock first, so that the next statement sees the rows of workers that held the lock.
        await one(`SELECT id FROM ${p}jobs j WHERE id = $1 ${lock}`, [job]);
        const open = ['planned', 'doubt', 'claimed'].map(
          (state) =>
            `NOT EXISTS (SELECT 1 FROM ${p}rows r ${indexedBy(`rows_${state}`)} WHERE r.job = $1 AND r.state = '${state}')`,
        );
        const found = await one(
          `UPDATE ${p}jobs SET state = 'finished', ended_at = ${now}, reason = CASE WHEN went_back_at IS NOT NULL THEN reason END WHERE id = $1 AND state = 'running' AND ${open.join(' AND ')}
          RETURNING id`,
          [job],
        );
        return found.length > 0;
      }),
    async rows(job, { states, after = -1, limit = 1_000, keys, line, upToLine }) {
      const of = states ? `AND state IN (${states.map((state) => `'${state}'`).join()})` : '';
      const those = keys && { columns: keyColumns, rows: keys.map((each) => [toStorableString(each)]) };
      const parameters = [job, after, limit, ...[those, line, upToLine].flatMap((each) => each ?? [])];
      const place = parameters.length;
      const where = those
        ? `AND key IN (SELECT g.one FROM ${dialect.batch(place, keyColumns)})`
        : line !== undefined
          ? `AND line = $${place}`
          : upToLine !== undefined
            ? `AND line <= $${place}`
            : '';
      return toRows(
        await run(
          `SELECT * FROM ${p}rows ${those ? indexedBy('rows_key') : ''} WHERE job = $1 AND number > $2 ${of} ${where}
          ORDER BY ${upToLine === undefined ? 'number' : 'line DESC'} LIMIT $3`,
          parameters,
        ),
      );
    },
    changeRows: (job, changes, also) =>
      sql.transaction(async (one) => {
        await one(`SELECT id FROM ${p}jobs j WHERE id = $1 ${lock}`, [job]);
        let count = 0;
        for (const some of inBatches(changes)) count += (await changeSome(one, dialect, job, some)).length;
        if (also?.isStrict && count < changes.length)
          throw new JobsError('The rows have changed since they were read. Nothing was planned.');
        if (also?.added && also.added.length > 0 && (count > 0 || changes.length === 0))
          await addRows(one, dialect, job, also.added);
        if (also?.job && count > 0) {
          const { text, values } = setOf(also.job, 2);
          await one(`UPDATE ${p}jobs SET ${text} WHERE id = $1`, [job, ...values]);
        }
        lowest.delete(job);
        await continueJob(one, dialect, job);
        return count;
      }),
    async remove(job) {
      await run(`DELETE FROM ${p}jobs WHERE id = $1`, [job]);
      await removeRows(sql, job);
      lowest.delete(job);
    },
  };
}

/** Additional columns that a claim reads together with its job. */
interface Locked {
  readonly now: number;
  readonly waitUntil: number | null;
  readonly here: string | null;
  readonly isAlive: unknown;
  readonly isUnsafe: unknown;
}

/** Plans a job under a temporary name first, in short transactions, so that other workers can continue in the meantime. */
async function plan(
  { dialect, run, place, transaction, analyze }: Sql,
  { name, ...job }: NewJob,
  fill: (insert: Insert) => Promise<PlanEnd>,
): Promise<number | undefined> {
  const { now, prefix: p } = dialect;
  const [taken] = await run(`SELECT id FROM ${p}jobs WHERE name = $1`, [name]);
  if (taken) return undefined;
  await removeKilledPlans({ dialect, run });
  const given = { ...job, name: `\u{1}${job.seed}`, state: 'planning', place: await place() };
  const keys = Object.keys(given);
  const [created] = await run<{ id: number }>(
    `INSERT INTO ${p}jobs (${keys.map(columnOf).join(', ')}, planned_at) VALUES (${keys.map((_, index) => `$${index + 1}`).join(', ')}, ${now}) RETURNING id`,
    Object.entries(given).map(([key, value]) => toColumn(key, value)),
  );
  const id = created?.id ?? 0;
  try {
    const end = await fill((rows) =>
      transaction(async (one) => {
        const lines = await insertRows(one, dialect, id, rows);
        const alive = await one(`UPDATE ${p}jobs SET planned_at = ${now} WHERE id = $1 RETURNING id`, [id]);
        if (alive.length === 0) throw new JobsError(planRemoved);
        return lines;
      }),
    );
    if (await publish({ dialect, run }, { id, name }, end)) {
      await analyze();
      return id;
    }
  } catch (error) {
    await removePlan({ dialect, run }, id).catch(() => undefined);
    throw error;
  }
  await removePlan({ dialect, run }, id);
  return undefined;
}

/** Gives a plan its name, so that workers see the job. Returns `false` if another job has taken the name in the meantime. */
async function publish(
  { dialect, run }: Pick<Sql, 'dialect' | 'run'>,
  { id, name }: { id: number; name: string },
  { total, plan }: PlanEnd,
): Promise<boolean> {
  const { now, prefix: p } = dialect;
  const state = plan.planned === 0 ? 'finished' : 'running';
  let published: unknown[];
  try {
    published = await run(
      `UPDATE ${p}jobs SET name = $2, state = $3, total = $4, plan = $5, planned_at = ${now}, ended_at = CASE WHEN $3 = 'finished' THEN ${now} END
      WHERE id = $1 RETURNING id`,
      [id, name, state, total, JSON.stringify(plan)],
    );
  } catch (error) {
    // Names are unique. If this job has the name, only the response was lost.
    const [named] = await run<{ id: number }>(`SELECT id FROM ${p}jobs WHERE name = $1`, [name]).catch(() => []);
    if (!named) throw error;
    return named.id === id;
  }
  if (published.length === 0) throw new JobsError(planRemoved);
  return true;
}

async function removeKilledPlans({ dialect, run }: Pick<Sql, 'dialect' | 'run'>): Promise<void> {
  const killed = await run<{ id: number }>(
    `SELECT id FROM ${dialect.prefix}jobs WHERE state = 'planning' AND planned_at < ${dialect.now} - $1`,
    [planTimeout],
  );
  for (const { id } of killed) await removePlan({ dialect, run }, id);
}

async function removePlan(sql: Pick<Sql, 'dialect' | 'run'>, id: number): Promise<void> {
  const removed = await sql.run(
    `DELETE FROM ${sql.dialect.prefix}jobs WHERE id = $1 AND state = 'planning' RETURNING id`,
    [id],
  );
  if (removed.length > 0) await removeRows(sql, id);
}

/** Removes the rows of a removed job in batches, so that other workers can continue in the meantime. */
async function removeRows({ dialect, run }: Pick<Sql, 'dialect' | 'run'>, job: number): Promise<void> {
  for (;;) {
    const removed = await run(
      `DELETE FROM ${dialect.prefix}rows WHERE job = $1 AND number IN (
        SELECT number FROM ${dialect.prefix}rows WHERE job = $1 ORDER BY number LIMIT ${5 * batchSize}) RETURNING number`,
      [job],
    );
    if (removed.length === 0) return;
  }
}

async function insertRows(
  run: Run,
  { prefix: p, now, batch }: Dialect,
  job: number,
  given: readonly NewRow[],
): Promise<ReadonlyMap<number, number>> {
  const lines = new Map<number, number>();
  for (const some of inBatches(given)) {
    const rows = some.map(({ number, line, key, state, reason, values }) => [
      number,
      line,
      key,
      state,
      toColumn('reason', reason),
      toColumn('values', values),
    ]);
    const inserted = await run<{ number: number }>(
      `INSERT INTO ${p}rows (job, number, line, key, state, reason, "values", at)
      SELECT CAST($1 AS integer), g.new_number, g.new_line, g.new_key, g.new_state, g.new_reason, g.new_values,
        CASE WHEN g.new_state = 'invalid' THEN ${now} END
      FROM ${batch(2, newRowColumns)} WHERE true ON CONFLICT (job, key) DO NOTHING RETURNING number`,
      [job, { columns: newRowColumns, rows }],
    );
    if (inserted.length === some.length) continue;
    const numbers = new Set(inserted.map(({ number }) => number));
    for (const { number, key } of some) {
      if (numbers.has(number)) continue;
      const [earlier] = await run<{ line: number }>(`SELECT line FROM ${p}rows WHERE job = $1 AND key = $2`, [
        job,
        key,
      ]);
      lines.set(number, earlier?.line ?? 0);
    }
  }
  return lines;
}

/** Adds rows to a planned job, after its existing rows. */
async function addRows(run: Run, dialect: Dialect, job: number, added: readonly NewRow[]): Promise<void> {
  const { prefix: p } = dialect;
  const [found] = await run<{ next: number | null }>(`SELECT max(number) + 1 AS next FROM ${p}rows WHERE job = $1`, [
    job,
  ]);
  const first = found?.next ?? 0;
  await insertRows(
    run,
    dialect,
    job,
    added.map((row, index) => ({ ...row, number: first + index })),
  );
  await run(`UPDATE ${p}jobs SET total = total + $2 WHERE id = $1`, [job, added.length]);
}

async function countClaimed(run: Run, { prefix: p, indexedBy }: Dialect, job: number): Promise<number> {
  const [found] = await run<{ count: number }>(
    `SELECT CAST(count(*) AS integer) AS count FROM ${p}rows ${indexedBy('rows_claimed')} WHERE job = $1 AND state = 'claimed'`,
    [job],
  );
  return found?.count ?? 0;
}

async function claimRows(
  run: Run,
  { prefix: p, now, indexedBy, skipLocked }: Dialect,
  { job, count, worker, from }: ClaimRequest & { from: number },
): Promise<StoredRow[]> {
  const claim = (first: number) =>
    run(
      `UPDATE ${p}rows SET state = 'claimed', attempt = attempt + 1, worker = $3, sent_at = ${now}
      WHERE job = $1 AND number IN (
        SELECT number FROM ${p}rows ${indexedBy('rows_planned')} WHERE job = $1 AND state = 'planned' AND number >= $4 ORDER BY number LIMIT $2 ${skipLocked}
      ) RETURNING *`,
      [job, count, worker, first],
    );
  const found = await claim(from);
  return toRows(found.length === 0 && from > 0 ? await claim(0) : found);
}

async function changeSome(
  run: Run,
  { prefix: p, now, batch }: Dialect,
  job: number,
  changes: readonly RowChange[],
): Promise<unknown[]> {
  const rows = changes.map((change) => [
    job,
    change.number,
    change.attempt,
    change.line ?? null,
    change.state,
    change.step ?? null,
    change.code ?? null,
    toColumn('reason', change.reason),
    change.values === undefined ? 0 : 1,
    toColumn('values', change.values),
    change.results === undefined ? 0 : 1,
    toColumn('results', change.results),
  ]);
  // A row that is put in doubt here was not sent by a worker according to the logs, so no log may settle it. The condition on the job
  // of the batch makes SQLite read the batch first, not all rows of the job.
  return run(
    `UPDATE ${p}rows AS r SET state = g.new_state, attempt = r.attempt + 1, line = coalesce(g.new_line, r.line), step = g.new_step, code = g.new_code, reason = g.new_reason,
      worker = CASE WHEN g.new_state = 'doubt' THEN 0 ELSE r.worker END,
      sent_at = CASE WHEN g.new_state = 'doubt' THEN ${now} ELSE r.sent_at END,
      at = CASE g.new_state WHEN 'doubt' THEN ${now} + (SELECT j.lookup_after FROM ${p}jobs j WHERE j.id = $1) WHEN r.state THEN r.at ELSE ${now} END,
      "values" = CASE WHEN g.has_values = 1 THEN g.new_values ELSE r."values" END,
      results = CASE WHEN g.has_results = 1 THEN g.new_results ELSE r.results END
    FROM ${batch(2, changeColumns)}
    WHERE r.job = g.of_job AND r.number = g.of_number AND r.attempt = g.of_attempt AND r.state NOT IN ('claimed', 'doubt') RETURNING number`,
    [job, { columns: changeColumns, rows }],
  );
}

/** Continues a finished job that has planned rows again. */
async function continueJob(run: Run, { prefix: p, indexedBy }: Dialect, job: number): Promise<void> {
  await run(
    `UPDATE ${p}jobs SET state = CASE WHEN went_back_at IS NULL THEN 'running' ELSE 'paused' END, ended_at = NULL
    WHERE id = $1 AND state = 'finished'
      AND EXISTS (SELECT 1 FROM ${p}rows r ${indexedBy('rows_planned')} WHERE r.job = $1 AND r.state = 'planned')`,
    [job],
  );
}

function setOf(change: JobChange, first: number) {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  return {
    text: entries.map(([key], index) => `${columnOf(key)} = $${index + first}`).join(', '),
    values: entries.map(([key, value]) => toColumn(key, value)),
  };
}

function toRows(found: readonly Record<string, unknown>[]): StoredRow[] {
  return found.map((row) => readColumns<StoredRow>(row)).sort((one, other) => one.number - other.number);
}

function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let first = 0; first < items.length; first += batchSize) yield items.slice(first, first + batchSize);
}
