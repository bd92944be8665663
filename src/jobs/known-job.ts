import type { Database } from './database.ts';
import type { JobDefinition, JobState } from './types.ts';

/** A job in the database, with the definition that this program has for it. */
export interface KnownJob {
  readonly id: string;
  readonly name: string;
  /** From which the markers of its rows are derived. */
  readonly seed: string;
  readonly account: string;
  /** Address of the service that it was planned for; `null` for jobs of an older version. */
  readonly service: string | null;
  readonly options: unknown;
  readonly state: JobState;
  readonly definition: JobDefinition;
  readonly concurrency: number | null;
  readonly rate: number | null;
}

/** What identifies the version of a definition in the database. */
export interface Fingerprint {
  readonly definition: string;
  readonly version: number;
  readonly steps: readonly string[];
}

export function fingerprintOf({ name, version, steps }: JobDefinition): Fingerprint {
  return { definition: name, version, steps: steps.map((step) => step.name) };
}

/** How two versions of a definition differ, or `undefined`. */
export function differenceOf(planned: Fingerprint, known: Fingerprint): string | undefined {
  const text = ({ definition, version, steps }: Fingerprint): string =>
    `${definition}, version ${version} (${steps.join(', ')})`;
  if (text(planned) === text(known)) return undefined;
  return `It was planned with ${text(planned)}, and this program has ${text(known)}`;
}

/** Reads a job by its ID: `undefined` if it was removed; `'other'` if this program has another version of its definition. */
export async function readJob(
  { pool, schema }: Database,
  id: string,
  definitions: readonly JobDefinition[],
): Promise<KnownJob | { name: string; difference: string } | undefined> {
  const { rows } = await pool.query<Omit<KnownJob, 'definition'> & Fingerprint>(
    `SELECT id::text, name, seed, account, service, options, state, definition, version, steps, concurrency, rate FROM ${schema}.jobs WHERE id = $1`,
    [id],
  );
  const [found] = rows;
  const definition = definitions.find(({ name }) => name === found?.definition);
  if (!found || !definition) return undefined;
  const difference = differenceOf(found, fingerprintOf(definition));
  return difference ? { name: found.name, difference } : { ...found, definition };
}
