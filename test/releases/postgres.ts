import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { postgresPrograms } from '../jobs/start-postgres.ts';

/** Runs SQL, also of a dump, in one transaction. Returns the rows as text. */
export function runSql(address: string, sql: string): string {
  return call('psql', ['-d', address, '-X', '-q', '-A', '-t', '-1', '-v', 'ON_ERROR_STOP=1'], sql).trim();
}

/** Schemas and data as SQL, without statements that only this Postgres version understands. */
export function dump(address: string): string {
  return call('pg_dump', ['-d', address, '--no-owner', '--no-privileges'])
    .replace(/^(?:--.*|\\(?:un)?restrict .*|SET transaction_timeout.*)\n/gm, '')
    .replace(/\n{2,}/g, '\n');
}

/** Identifies the server. A job pauses on another one, as after a restore. */
export function systemOf(address: string): string {
  return runSql(address, 'SELECT system_identifier FROM pg_control_system()');
}

function call(program: string, args: string[], input?: string): string {
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 60_000 } as const;
  return execFileSync(join(postgresPrograms ?? '', program), args, {
    ...options,
    ...(input !== undefined && { input }),
  });
}

/** Restores a dump on this server, as if its worker had been killed five minutes ago. */
export function restore(
  address: string,
  sql: string,
  { dumpedAt, system }: { dumpedAt: string; system: string },
): void {
  runSql(address, sql.replaceAll(system, systemOf(address)));
  // The jobs belong to this server and its tables. Otherwise they pause, as after any restore.
  runSql(address, 'UPDATE carillon_jobs.jobs SET place = carillon_jobs.place()');
  runSql(address, shiftTimes(dumpedAt));
}

/** Shifts all times to the present, because pg-boss removes old messages, and quotas count old requests. */
function shiftTimes(dumpedAt: string): string {
  return `
    SET session_replication_role = replica;
    DO $$ DECLARE found record; BEGIN
      FOR found IN
        SELECT c.table_schema, c.table_name, string_agg(format('%1$I = %1$I + (clock_timestamp() - ''5 minutes''::interval - %2$L::timestamptz)', c.column_name, '${dumpedAt}'), ', ') AS changes
        FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE t.table_type = 'BASE TABLE' AND t.table_schema NOT IN ('pg_catalog', 'information_schema')
          AND c.data_type LIKE 'timestamp%' AND c.is_generated = 'NEVER'
          AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = format('%I.%I', c.table_schema, c.table_name)::regclass)
        GROUP BY 1, 2
      LOOP
        EXECUTE format('UPDATE %I.%I SET %s', found.table_schema, found.table_name, found.changes);
      END LOOP;
    END $$;`;
}
