import { createChunks } from './schema/chunks.ts';
import { createGate } from './schema/gate.ts';
import { createOutcomes } from './schema/outcomes.ts';
import { createPlace } from './schema/place.ts';
import { createSending } from './schema/sending.ts';
import { createTables } from './schema/tables.ts';

/** Returns the statements of a migration. `schema` is quoted. */
export type Migration = (schema: string) => string;

/**
 * Migrations of the tables and functions, in the order of versions. A released one is not changed: a later version appends its own.
 *
 * Each change of the tables is one statement or one function, so that no lock depends on a worker that has stopped. Only planning
 * keeps a transaction open, whose rows are not visible to others.
 */
export const migrations: readonly Migration[] = [
  // The place is a default of a table, and some functions return rows of tables.
  (schema) =>
    [createPlace, createTables, createGate, createSending, createOutcomes, createChunks]
      .map((create) => create(schema))
      .join(''),
];

/** Version of the tables. */
export const schemaVersion = migrations.length;
