import { JobsError } from '../jobs-error.ts';
import type { Database } from '../journal/database.ts';
import { differenceOf, type Fingerprint, fingerprintOf, type Target } from '../plan/fingerprint.ts';
import type { JobDefinition, JobState } from '../types.ts';

/** A job in the database, with this program's definition of it. */
export interface KnownJob extends Target {
  readonly id: string;
  readonly name: string;
  /** Seed of the markers of its rows. */
  readonly seed: string;
  readonly queue: string;
  readonly options: unknown;
  readonly state: JobState;
  readonly definition: JobDefinition;
  /** Deadline of a request, and time after a mark when its request can no longer be processed, in milliseconds. */
  readonly deadline: number;
  readonly lookupAfter: number;
  readonly concurrency: number | null;
  readonly rate: number | null;
  readonly priority: number;
}

/** Reads a job by its ID. `undefined` if it was removed. */
export async function readJob(
  { pool, schema }: Database,
  id: string,
  definitions: readonly JobDefinition[],
): Promise<KnownJob | undefined> {
  const { rows } = await pool.query<Omit<KnownJob, 'definition'> & { definition: string }>(
    `SELECT id::text, name, seed, account, service, queue, options, state, definition, deadline, lookup_after AS "lookupAfter", concurrency, rate, priority
    FROM ${schema}.jobs WHERE id = $1`,
    [id],
  );
  const [found] = rows;
  const definition = definitions.find(({ name }) => name === found?.definition);
  return found && definition && { ...found, definition };
}

/**
 * Reads running jobs of this program's definitions that are not in its queues, because they have another version or service.
 *
 * @returns an explanation for each job, by its name
 */
export async function readOthers(
  { pool, schema }: Database,
  { account, service }: Target,
  definitions: readonly JobDefinition[],
  queues: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await pool.query<Fingerprint & { name: string; service: string }>(
    `SELECT name, definition, version, steps, service FROM ${schema}.jobs
    WHERE state = 'running' AND account = $1 AND definition = ANY ($2) AND queue <> ALL ($3)`,
    [account, definitions.map(({ name }) => name), queues],
  );
  return new Map(
    rows.map(({ name, service: planned, ...print }) => {
      const own = definitions.find((definition) => definition.name === print.definition);
      const difference = own && differenceOf(print, fingerprintOf(own));
      const reason = difference ?? `It was planned for ${planned}, and this program calls ${service}`;
      return [
        name,
        `The job ${name} is not for this program. ${reason}. Finish it with the program that planned it, or cancel it and plan it under another name.`,
      ];
    }),
  );
}

/**
 * Refuses to wait for a job that is not in this program's queues.
 *
 * @throws `JobsError`
 */
export async function refuseOther(
  db: Database,
  target: Target,
  definitions: readonly JobDefinition[],
  queues: readonly string[],
  name: string,
): Promise<void> {
  const reason = (await readOthers(db, target, definitions, queues)).get(name);
  if (reason) throw new JobsError(reason);
}
