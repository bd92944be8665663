import { chunkSize } from '../sizes.ts';

/** Tables whose identity counts, of ours and of pg-boss. Tables that users add do not count. */
const tables = {
  own: ['jobs', 'rows', 'chunks', 'workers', 'files', 'server'],
  queue: ['job', 'queue', 'version'],
};

/**
 * SQL functions that notice data that went back, and that continue a job after a person's answer.
 *
 * @param schema - quoted name of the schema
 */
export function createPlace(schema: string): string {
  const queueSchema = `"${schema.slice(1, -1)}_queue"`;
  const names = [
    ...tables.own.map((name) => `${schema}.${name}`),
    ...tables.queue.map((name) => `${queueSchema}.${name}`),
  ];
  const utc = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  return `
    -- Identity of the server, its timeline, the database and the tables: what a restore, a copy or a failover changes.
    CREATE FUNCTION ${schema}.place() RETURNS text LANGUAGE plpgsql AS $$
      BEGIN
        -- A standby writes no WAL. Its control file has the old timeline for minutes after a promotion.
        IF pg_is_in_recovery() THEN RAISE EXCEPTION USING ERRCODE = '25006', MESSAGE = 'the server is a standby'; END IF;
        RETURN concat_ws('/', (SELECT c.system_identifier FROM pg_control_system() c),
          substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
          (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()),
          (SELECT string_agg(coalesce(to_regclass(t.name)::oid::text, '-'), '.' ORDER BY t.place)
            FROM unnest(ARRAY[${names.map((name) => `'${name}'`).join(', ')}]) WITH ORDINALITY AS t (name, place)));
      END $$;

    -- Pauses the jobs that last ran elsewhere. Returns the identity of the tables and the place.
    CREATE FUNCTION ${schema}.notice_server() RETURNS text LANGUAGE plpgsql AS $$
      DECLARE
        here text := ${schema}.place();
        found record;
      BEGIN
        IF EXISTS (SELECT FROM ${schema}.jobs j WHERE j.place <> here) THEN
          FOR found IN SELECT j.id FROM ${schema}.jobs j WHERE j.place <> here ORDER BY j.id FOR NO KEY UPDATE LOOP
            PERFORM ${schema}.go_back(found.id, 'This is not the database in which the job ran last: it has failed over, or was restored or copied');
          END LOOP;
        END IF;
        RETURN (SELECT s.id || ' ' || here FROM ${schema}.server s);
      END $$;

    -- The data went back, so rows that were sent may look planned: the job pauses until a person resumes it.
    CREATE FUNCTION ${schema}.go_back(of_job bigint, why text) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        last_commit timestamptz;
      BEGIN
        -- Workers that signed off have no beat, and rows that ended keep their time.
        SELECT greatest((SELECT max(w.beat_at) FROM ${schema}.workers w), (SELECT max(r.sent_at) FROM ${schema}.rows r WHERE r.job = of_job))
          INTO last_commit;
        UPDATE ${schema}.workers w SET is_missing = true WHERE w.beat_at > last_commit - interval '1 minute';
        UPDATE ${schema}.files f SET is_back = false WHERE f.job = of_job;
        UPDATE ${schema}.jobs j SET state = CASE WHEN j.state = 'running' THEN 'paused' ELSE j.state END,
          place = ${schema}.place(), went_back_at = clock_timestamp(), reason = format(
            '%s (noticed at %s). Its last commit of a worker was at %s: rows that were sent after it may look planned. %s'
            'If another database still has this job, stop it there. Look at what the service has received since then. '
            'Start the workers that are missing in their folders, wait for them, and resume the job.', why,
            ${utc('clock_timestamp()')}, coalesce(${utc('last_commit')}, 'an unknown time'),
            (SELECT coalesce(string_agg(format('%s (process %s) worked on lines %s. ', w.host, w.process, held.lines), ''), '')
              FROM ${schema}.workers w, LATERAL (
                SELECT string_agg(format('%s to %s', l.first, l.last), ', ') AS lines
                FROM unnest(w.chunks) c, LATERAL (
                  SELECT min(r.line) AS first, max(r.line) AS last FROM ${schema}.rows r
                  WHERE r.job = of_job AND r.number / ${chunkSize} = split_part(c, '.', 2)::int
                ) l WHERE split_part(c, '.', 1) = of_job::text
              ) held WHERE w.is_missing AND held.lines IS NOT NULL)
          ) WHERE j.id = of_job;
      END $$;

    -- Writes what the file of a worker has beyond the tables: a row that lost its mark gets the outcome that the worker knows, or is
    -- looked up. A row that has changed since the comparison stays. Returns how many.
    CREATE FUNCTION ${schema}.restore_sent(of_job bigint, attempts jsonb) RETURNS int LANGUAGE plpgsql AS $$
      DECLARE
        restored int;
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        WITH written AS (
          UPDATE ${schema}.rows r SET state = g.state, attempt = greatest(r.attempt, g.attempt) + 1, worker = NULL, sender = g.worker,
            sent_at = clock_timestamp(), ended_at = clock_timestamp(), step = g.step, code = g.code, reason = g.reason,
            results = coalesce(g.results, r.results),
            "values" = CASE WHEN g."forgetValues" THEN NULL ELSE r."values" END
          FROM jsonb_to_recordset(attempts) AS g (
            number int, seen int, attempt int, worker int, step text, state text, code text, reason text, results jsonb, "forgetValues" boolean
          )
          WHERE r.job = of_job AND r.number = g.number AND r.attempt = g.seen AND r.state <> 'done'
          RETURNING r.number, r.state
        ), opened AS (
          INSERT INTO ${schema}.chunks (job, number) SELECT DISTINCT of_job, w.number / ${chunkSize} FROM written w
          WHERE w.state IN ('planned', 'sent') ON CONFLICT DO NOTHING
        ) SELECT count(*) INTO restored FROM written;
        UPDATE ${schema}.jobs j SET state = CASE WHEN j.went_back_at IS NULL THEN 'running' ELSE 'paused' END, ended_at = NULL
        WHERE j.id = of_job AND j.state = 'finished' AND EXISTS (SELECT FROM ${schema}.chunks c WHERE c.job = of_job);
        RETURN restored;
      END $$;

    -- Continues a paused job. After its data went back, planned rows that a person says may have been sent are suspect: each step is
    -- looked up before it is sent, until one was not done.
    CREATE FUNCTION ${schema}.answer(of_job bigint, is_all boolean, of_keys text[], of_lines int4multirange) RETURNS int LANGUAGE plpgsql AS $$
      DECLARE
        suspects int;
      BEGIN
        UPDATE ${schema}.rows r SET is_suspect = true, sent_at = j.went_back_at, reason = 'It may have been sent before the database went back'
        FROM ${schema}.jobs j WHERE j.id = of_job AND r.job = of_job AND r.state = 'planned'
          AND (is_all OR r.key = ANY (of_keys) OR of_lines @> r.line);
        GET DIAGNOSTICS suspects = ROW_COUNT;
        UPDATE ${schema}.jobs j SET went_back_at = NULL, answered_at = clock_timestamp() WHERE j.id = of_job;
        -- Each job that they may have worked on has an answer.
        UPDATE ${schema}.workers w SET is_missing = false
        WHERE w.is_missing AND NOT EXISTS (SELECT FROM ${schema}.jobs j WHERE j.went_back_at IS NOT NULL AND j.state IN ('running', 'paused'));
        PERFORM ${schema}.resume(of_job);
        RETURN suspects;
      END $$;

    -- Ends all waits of a job, and continues it if it is paused.
    CREATE FUNCTION ${schema}.resume(of_job bigint) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        DELETE FROM ${schema}.waits w USING ${schema}.jobs j
        WHERE j.id = of_job AND j.went_back_at IS NULL AND w.name IN ('rate ' || j.id, 'account ' || j.account || ' ' || j.service);
        UPDATE ${schema}.jobs j SET lost = '{}', closed_wait = NULL, closed_until = NULL, is_trying = false, outage = NULL
        WHERE j.id = of_job AND j.state IN ('running', 'paused') AND j.went_back_at IS NULL;
        -- Its last rows may have ended while it was paused.
        UPDATE ${schema}.jobs j SET reason = NULL, state = CASE WHEN has_rows THEN 'running' ELSE 'finished' END,
          ended_at = CASE WHEN has_rows THEN NULL ELSE clock_timestamp() END
        FROM (SELECT EXISTS (SELECT FROM ${schema}.chunks c WHERE c.job = of_job) AS has_rows) c
        WHERE j.id = of_job AND j.state = 'paused' AND j.went_back_at IS NULL;
        RETURN FOUND;
      END $$;
  `;
}
