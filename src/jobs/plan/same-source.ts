import type { PoolClient } from 'pg';
import type { JobDefinition } from '../types.ts';

/** Maximum number of earlier jobs to name. */
const maxNames = 5;

/**
 * Finds earlier jobs that send the same rows, the newest first. None for a definition that only reads, which does no harm twice.
 *
 * @param id - ID of the new job
 */
export async function readSameSource(
  client: Pick<PoolClient, 'query'>,
  schema: string,
  id: string,
  { steps }: Pick<JobDefinition, 'steps'>,
): Promise<string[]> {
  if (steps.every((step) => step.repeatable === true)) return [];
  const { rows } = await client.query<{ name: string }>(
    `SELECT o.name FROM ${schema}.jobs o JOIN ${schema}.jobs j ON j.id = $1
    WHERE o.id <> j.id AND o.account = j.account AND o.service = j.service AND o.definition = j.definition AND o.checksum = j.checksum
    ORDER BY o.id DESC LIMIT ${maxNames}`,
    [id],
  );
  return rows.map(({ name }) => name);
}
