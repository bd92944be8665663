import { addAnswers } from './schema-answers.ts';
import { addPlaces } from './schema-place.ts';
import { addSharing } from './schema-sharing.ts';
import { chunkSize } from './sizes.ts';

/** Returns the statements of a migration. `schema` is quoted. */
export type Migration = (schema: string) => string;

/**
 * Migrations of the tables and functions, in the order of versions.
 *
 * Each change of the tables is one statement or one function, so that no lock depends on a worker that has stopped. Only planning
 * keeps a transaction open, whose rows are not visible to others.
 *
 * @param schema - quoted name of the schema
 */
export const migrations: readonly Migration[] = [
  (schema) => `
    CREATE TABLE ${schema}.jobs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE,
      seed uuid NOT NULL DEFAULT gen_random_uuid(),
      account text NOT NULL,
      service text NOT NULL,
      queue text NOT NULL,
      definition text NOT NULL,
      version int NOT NULL,
      steps text[] NOT NULL,
      checksum text NOT NULL,
      options jsonb NOT NULL,
      -- Milliseconds: the deadline of a request, and the time after a mark from which its request can no longer be processed.
      deadline int NOT NULL,
      lookup_after int NOT NULL,
      concurrency int,
      rate float8,
      state text NOT NULL DEFAULT 'running',
      reason text,
      outage jsonb,
      total int NOT NULL DEFAULT 0,
      planned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      ended_at timestamptz
    );
    CREATE TABLE ${schema}.rows (
      job bigint NOT NULL,
      number int NOT NULL,
      line int NOT NULL,
      attempt int NOT NULL DEFAULT 0,
      -- The worker that holds the row, and the one that sent it, which stays after another one takes the row over.
      worker int,
      sender int,
      sent_at timestamptz,
      state text NOT NULL,
      -- A failover may have lost the marks of its next steps, so each of them is looked up before it is sent.
      is_suspect boolean NOT NULL DEFAULT false,
      key text NOT NULL,
      step text,
      code text,
      reason text,
      "values" jsonb,
      results jsonb,
      PRIMARY KEY (job, number)
    ) WITH (fillfactor = 85);
    CREATE UNIQUE INDEX rows_key ON ${schema}.rows (job, key);
    CREATE INDEX rows_sent ON ${schema}.rows (job, number) WHERE state = 'sent';
    CREATE INDEX rows_problem ON ${schema}.rows (job, number) WHERE state IN ('refused', 'unknown');
    -- Chunks that have rows to send or to look up.
    CREATE TABLE ${schema}.chunks (
      job bigint NOT NULL REFERENCES ${schema}.jobs ON DELETE CASCADE,
      number int NOT NULL,
      PRIMARY KEY (job, number)
    );
    CREATE TABLE ${schema}.workers (
      number int PRIMARY KEY,
      host text NOT NULL,
      process int NOT NULL,
      queues text[] NOT NULL,
      -- Chunks that it works on, as job.chunk.
      chunks text[] NOT NULL DEFAULT '{}',
      started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      beat_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- The worker was active before a failover, and has not yet reported what it had sent.
      is_missing boolean NOT NULL DEFAULT false
    );
    CREATE TABLE ${schema}.slots (
      quota text NOT NULL,
      slot int NOT NULL,
      free_at timestamptz NOT NULL DEFAULT '-infinity',
      PRIMARY KEY (quota, slot)
    );
    CREATE TABLE ${schema}.waits (name text PRIMARY KEY, until timestamptz NOT NULL);
    -- The database server that the tables were written on, by its system identifier and timeline.
    CREATE TABLE ${schema}.server (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      -- Identifies the tables. Unchanged after a failover or in a restored backup.
      id uuid NOT NULL DEFAULT gen_random_uuid(),
      system text NOT NULL,
      timeline text NOT NULL,
      since timestamptz NOT NULL DEFAULT clock_timestamp()
    );

    -- The workers with a live session, by their locks.
    CREATE VIEW ${schema}.sessions AS
      SELECT l.objid::bigint::int AS worker, l.pid FROM pg_locks l
      WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted AND l.classid = '${schema}.workers'::regclass::oid
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());

    -- True if the session of a worker has ended. The caller then holds the lock until its transaction ends.
    CREATE FUNCTION ${schema}.is_gone(worker int) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN RETURN pg_try_advisory_xact_lock('${schema}.workers'::regclass::oid::int, worker); END $$;

    -- Marks planned rows as sent, in the order in which they are given: the commit that precedes every request. A row that another
    -- worker changed has another attempt, and is not marked. 'wait' is in milliseconds.
    CREATE FUNCTION ${schema}.mark(by_worker int, clock timestamptz, given_jobs bigint[], given_numbers int[], given_attempts int[])
    RETURNS TABLE (attempt int, job_state text, wait float8) LANGUAGE plpgsql AS $$
      BEGIN
        -- Others count after this transaction, when they see its rows. Ordered, to prevent deadlocks.
        PERFORM FROM ${schema}.jobs j WHERE j.id = ANY (given_jobs) AND j.concurrency IS NOT NULL ORDER BY j.id FOR NO KEY UPDATE;
        RETURN QUERY WITH job AS MATERIALIZED (
          SELECT j.id, j.state, j.concurrency,
            (SELECT max(w.until) FROM ${schema}.waits w
              WHERE w.name IN ('account ' || j.account || ' ' || j.service, 'queue ' || j.queue) AND w.until > clock) AS until,
            CASE WHEN j.concurrency IS NOT NULL THEN (
              SELECT count(*) FROM ${schema}.rows r WHERE r.job = j.id AND r.state = 'sent' AND r.worker IS NOT NULL
                AND r.sent_at > clock_timestamp() - j.lookup_after * interval '1 millisecond'
            ) END AS busy
          FROM ${schema}.jobs j WHERE j.id = ANY (given_jobs)
        ), want AS MATERIALIZED (
          SELECT g.*, job.state, job.until,
            job.concurrency IS NULL OR job.busy + row_number() OVER (PARTITION BY g.job ORDER BY g.place) <= job.concurrency AS has_room
          FROM unnest(given_jobs, given_numbers, given_attempts) WITH ORDINALITY AS g (job, number, attempt, place)
          LEFT JOIN job ON job.id = g.job
        ), marked AS (
          UPDATE ${schema}.rows r
          SET state = 'sent', worker = by_worker, sender = by_worker, attempt = r.attempt + 1, sent_at = clock_timestamp()
          FROM want
          WHERE r.job = want.job AND r.number = want.number AND r.attempt = want.attempt AND r.state = 'planned'
            AND want.state = 'running' AND want.until IS NULL AND want.has_room
          RETURNING r.job, r.number, r.attempt
        )
        SELECT m.attempt, want.state, (extract(epoch FROM want.until - clock) * 1000)::float8
        FROM want LEFT JOIN marked m ON m.job = want.job AND m.number = want.number
        ORDER BY want.place;
      END $$;

    -- Writes outcomes, each if the row still shows its attempt as sent by its worker. A certain outcome also counts after another worker
    -- has taken the row over: it replaces 'unknown', and ends a lookup. Returns the places of those that count, and the chunk if it was
    -- opened again.
    CREATE FUNCTION ${schema}.settle(outcomes jsonb) RETURNS TABLE (place int, reopened int) LANGUAGE plpgsql AS $$
      DECLARE
        settled int[];
      BEGIN
        WITH given AS MATERIALIZED (SELECT * FROM ${schema}.outcomes_of(outcomes)), written AS (
          UPDATE ${schema}.rows r SET state = g.state, step = g.step, reason = g.reason, code = g.code, results = g.results,
            worker = CASE WHEN g.state = 'sent' THEN NULL ELSE g.worker END, is_suspect = r.is_suspect AND g."isClear" IS NOT TRUE,
            "values" = CASE WHEN g."forgetValues" THEN NULL ELSE r."values" END,
            sent_at = CASE WHEN g."isLate" THEN clock_timestamp() ELSE r.sent_at END
          FROM given g
          WHERE r.job = g.job AND r.number = g.number AND r.attempt = g.attempt AND r.worker = g.worker AND r.state = 'sent'
          RETURNING g.place
        ) SELECT array_agg(w.place) INTO settled FROM written w;
        RETURN QUERY SELECT unnest(settled), NULL::int;
        IF cardinality(settled) = jsonb_array_length(outcomes) THEN RETURN; END IF;
        -- Prevents chunks from being closed meanwhile.
        PERFORM FROM ${schema}.jobs j WHERE j.id IN (SELECT g.job FROM ${schema}.outcomes_of(outcomes) g) ORDER BY j.id FOR NO KEY UPDATE;
        RETURN QUERY WITH written AS (
          -- The new attempt invalidates the outcome of the lookup.
          UPDATE ${schema}.rows r SET state = g.state, step = g.step, reason = g.reason, code = g.code, results = g.results,
            attempt = r.attempt + 1, worker = g.worker, "values" = CASE WHEN g."forgetValues" THEN NULL ELSE r."values" END
          FROM ${schema}.outcomes_of(outcomes) g
          WHERE r.job = g.job AND r.number = g.number AND r.attempt > g.attempt AND r.sender = g.worker
            AND r.state IN ('sent', 'unknown') AND g.state IN ('planned', 'done', 'refused')
          RETURNING g.place, g.job, g.number, g.state
        ), opened AS (
          INSERT INTO ${schema}.chunks (job, number) SELECT DISTINCT w.job, w.number / ${chunkSize} FROM written w WHERE w.state = 'planned'
          ON CONFLICT DO NOTHING RETURNING job, number
        ), running AS (
          UPDATE ${schema}.jobs j SET state = 'running', ended_at = NULL
          WHERE j.state = 'finished' AND j.id IN (SELECT o.job FROM opened o)
        )
        SELECT w.place, o.number FROM written w LEFT JOIN opened o ON o.job = w.job AND o.number = w.number / ${chunkSize};
      END $$;

    CREATE FUNCTION ${schema}.outcomes_of(outcomes jsonb) RETURNS TABLE (
      place int, job bigint, number int, attempt int, worker int, state text, results jsonb, step text, reason text, code text,
      "forgetValues" boolean, "isLate" boolean, "isClear" boolean
    ) LANGUAGE sql IMMUTABLE AS $$
      SELECT * FROM jsonb_to_recordset(outcomes) AS g (
        place int, job bigint, number int, attempt int, worker int, state text, results jsonb, step text, reason text, code text,
        "forgetValues" boolean, "isLate" boolean, "isClear" boolean
      ) $$;

    -- Closes a chunk without rows to send or to look up, and ends a job without chunks. True if the chunk is closed.
    CREATE FUNCTION ${schema}.close_chunk(of_job bigint, chunk int) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        -- Lock first, so that the statements below see the rows that others have just planned again.
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        DELETE FROM ${schema}.chunks c USING ${schema}.jobs j
        WHERE c.job = of_job AND c.number = chunk AND j.id = c.job AND NOT EXISTS (
          SELECT FROM ${schema}.rows r WHERE r.job = of_job AND r.number >= chunk * ${chunkSize} AND r.number < (chunk + 1) * ${chunkSize}
            AND (r.state = 'sent' OR r.state = 'planned' AND j.state <> 'cancelled')
        );
        UPDATE ${schema}.jobs j SET state = 'finished', ended_at = clock_timestamp()
        WHERE j.id = of_job AND j.state = 'running' AND NOT EXISTS (SELECT FROM ${schema}.chunks c WHERE c.job = of_job);
        RETURN NOT EXISTS (SELECT FROM ${schema}.chunks c WHERE c.job = of_job AND c.number = chunk);
      END $$;

    -- Opens the chunks of rows that were planned again. The caller has locked the job.
    CREATE FUNCTION ${schema}.open_chunks(of_job bigint, numbers int[]) RETURNS int[] LANGUAGE plpgsql AS $$
      DECLARE
        opened int[] := ARRAY(SELECT DISTINCT n / ${chunkSize} FROM unnest(numbers) n);
      BEGIN
        INSERT INTO ${schema}.chunks (job, number) SELECT of_job, unnest(opened) ON CONFLICT DO NOTHING;
        UPDATE ${schema}.jobs j SET state = 'running', ended_at = NULL WHERE j.id = of_job AND j.state = 'finished';
        RETURN opened;
      END $$;

    -- Records the outcome of an unknown row, determined by a person. Returns its chunk, or NULL if there is no such row.
    CREATE FUNCTION ${schema}.decide(of_job bigint, of_key text, is_done boolean, result jsonb) RETURNS int LANGUAGE plpgsql AS $$
      DECLARE
        decided int;
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        -- The row keeps the name of its step, whose result follows.
        UPDATE ${schema}.rows r SET state = 'planned', reason = NULL, code = NULL,
          results = CASE WHEN is_done THEN coalesce(r.results, '{}') || jsonb_build_object(r.step, result) ELSE r.results END
        WHERE r.job = of_job AND r.key = of_key AND r.state = 'unknown' RETURNING r.number INTO decided;
        RETURN CASE WHEN decided IS NOT NULL THEN (${schema}.open_chunks(of_job, ARRAY[decided]))[1] END;
      END $$;

    -- Plans refused rows again with the values in the caller's temporary table carillon_repair. Fails if any of them has changed.
    CREATE FUNCTION ${schema}.repair(of_job bigint) RETURNS int[] LANGUAGE plpgsql AS $$
      DECLARE
        repaired int[];
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        WITH written AS (
          UPDATE ${schema}.rows r SET state = 'planned', "values" = g."values", step = NULL, reason = NULL, code = NULL, line = g.line
          FROM pg_temp.carillon_repair g WHERE r.job = of_job AND r.key = g.key AND r.state = 'refused' RETURNING r.number
        ) SELECT array_agg(w.number) INTO repaired FROM written w;
        IF coalesce(cardinality(repaired), 0) < (SELECT count(*) FROM pg_temp.carillon_repair) THEN
          RAISE EXCEPTION 'The rows were changed meanwhile. Nothing was planned.';
        END IF;
        RETURN ${schema}.open_chunks(of_job, repaired);
      END $$;

    -- Ends the sessions of workers that gave no sign of life for some seconds. Their locks are free then. Returns those that were
    -- silent, and whether this user could end them.
    CREATE FUNCTION ${schema}.end_silent(seconds int) RETURNS TABLE (host text, process int, silent float8, is_ended boolean) LANGUAGE plpgsql AS $$
      DECLARE
        found record;
      BEGIN
        FOR found IN
          SELECT w.host, w.process, extract(epoch FROM clock_timestamp() - w.beat_at)::float8 AS silent, s.pid
          FROM ${schema}.workers w JOIN ${schema}.sessions s ON s.worker = w.number
          WHERE w.beat_at < clock_timestamp() - seconds * interval '1 second' AND s.pid <> pg_backend_pid()
        LOOP
          host := found.host; process := found.process; silent := found.silent;
          BEGIN
            is_ended := pg_terminate_backend(found.pid);
          EXCEPTION WHEN insufficient_privilege THEN
            is_ended := false;
          END;
          RETURN NEXT;
        END LOOP;
      END $$;

    -- Compares the server with the one whose commits the tables have. After a failover or a restored backup, commits are missing, and
    -- nobody can know which: all running jobs pause. Returns the identity of the tables, the system identifier and the timeline.
    CREATE FUNCTION ${schema}.notice_server() RETURNS text LANGUAGE plpgsql AS $$
      DECLARE
        known record;
        now_system text;
        now_timeline text;
        last_commit timestamptz;
      BEGIN
        SELECT c.system_identifier::text INTO now_system FROM pg_control_system() c;
        -- A standby writes no WAL. Its control file has the old timeline for minutes after a promotion.
        IF pg_is_in_recovery() THEN RAISE EXCEPTION USING ERRCODE = '25006', MESSAGE = 'the server is a standby'; END IF;
        now_timeline := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
        SELECT s.* INTO known FROM ${schema}.server s;
        IF known.system IS DISTINCT FROM now_system OR known.timeline <> now_timeline THEN
          SELECT s.* INTO known FROM ${schema}.server s FOR UPDATE;
          IF known.system IS NULL THEN
            INSERT INTO ${schema}.server (system, timeline) VALUES (now_system, now_timeline);
          ELSIF known.system <> now_system OR known.timeline <> now_timeline THEN
            UPDATE ${schema}.server SET system = now_system, timeline = now_timeline, since = clock_timestamp();
            SELECT greatest((SELECT max(w.beat_at) FROM ${schema}.workers w), (SELECT max(r.sent_at) FROM ${schema}.rows r WHERE r.state = 'sent'))
              INTO last_commit;
            UPDATE ${schema}.workers w SET is_missing = true WHERE w.beat_at > last_commit - interval '1 minute';
            UPDATE ${schema}.jobs j SET state = 'paused', reason = format(
              'The database has failed over or was restored at %s. Its last commit of a worker was at %s: rows that were sent after it may look planned. %s'
              'Look at what the service has received since then. Start the workers that are missing, wait for them, and resume the job.',
              to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
              coalesce(to_char(last_commit AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'an unknown time'),
              (SELECT coalesce(string_agg(format('%s (process %s) worked on rows %s. ', w.host, w.process, (
                SELECT string_agg(format('%s to %s', split_part(c, '.', 2)::int * ${chunkSize}, split_part(c, '.', 2)::int * ${chunkSize} + ${chunkSize - 1}), ', ')
                FROM unnest(w.chunks) c WHERE split_part(c, '.', 1) = j.id::text)), ''), '')
                FROM ${schema}.workers w WHERE w.is_missing AND EXISTS (SELECT FROM unnest(w.chunks) c WHERE split_part(c, '.', 1) = j.id::text))
            ) WHERE j.state = 'running';
          END IF;
        END IF;
        RETURN (SELECT s.id || '/' || now_system || '/' || now_timeline FROM ${schema}.server s);
      END $$;

    -- What the file of a worker has beyond the tables. After a failover, a row that looks planned, or sent by an older attempt, has lost its
    -- mark: it gets the outcome that the worker knows, or is looked up. An outcome that could not be written is written now. Returns how many.
    CREATE FUNCTION ${schema}.restore_attempts(of_worker int, attempts jsonb) RETURNS int LANGUAGE plpgsql AS $$
      DECLARE
        restored int;
      BEGIN
        PERFORM FROM ${schema}.jobs j
        WHERE j.id IN (SELECT g.job FROM jsonb_to_recordset(attempts) AS g (job bigint)) ORDER BY j.id FOR NO KEY UPDATE;
        WITH written AS (
          UPDATE ${schema}.rows r SET state = coalesce(g.state, 'sent'), attempt = g.attempt, worker = NULL, sender = of_worker,
            sent_at = clock_timestamp(), step = g.step, code = g.code, results = g.results,
            reason = CASE WHEN g.state IS NULL OR g.state = 'sent'
              THEN format('The database lost its mark in a failover. It was sent at %s by the clock of the worker', g."sentAt") ELSE g.reason END,
            "values" = CASE WHEN g."forgetValues" THEN NULL ELSE r."values" END
          FROM jsonb_to_recordset(attempts) AS g (
            job bigint, number int, attempt int, "sentAt" text, step text, state text, code text, reason text, results jsonb, "forgetValues" boolean
          ), ${schema}.jobs j
          WHERE j.id = g.job AND r.job = g.job AND r.number = g.number AND (
            r.attempt < g.attempt AND r.state IN ('planned', 'sent')
            OR r.attempt = g.attempt AND r.state = 'sent' AND r.sender = of_worker AND g.state <> 'sent'
          )
          RETURNING r.job, r.number
        ), opened AS (
          INSERT INTO ${schema}.chunks (job, number) SELECT DISTINCT w.job, w.number / ${chunkSize} FROM written w ON CONFLICT DO NOTHING
        ) SELECT count(*) INTO restored FROM written;
        UPDATE ${schema}.workers w SET is_missing = false WHERE w.number = of_worker;
        RETURN restored;
      END $$;

    -- Continues a paused job. Rows of workers that did not come back after a failover may have been sent: they are suspect.
    CREATE FUNCTION ${schema}.resume(of_job bigint) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        UPDATE ${schema}.rows r SET is_suspect = true, sent_at = (SELECT s.since FROM ${schema}.server s),
          reason = 'Its worker did not come back after a failover of the database'
        FROM (
          SELECT DISTINCT split_part(c, '.', 2)::int AS chunk FROM ${schema}.workers w, unnest(w.chunks) c
          WHERE w.is_missing AND split_part(c, '.', 1) = of_job::text
        ) lost
        WHERE r.job = of_job AND r.number >= lost.chunk * ${chunkSize} AND r.number < (lost.chunk + 1) * ${chunkSize} AND r.state = 'planned';
        UPDATE ${schema}.workers w SET chunks = ARRAY(SELECT c FROM unnest(w.chunks) c WHERE split_part(c, '.', 1) <> of_job::text)
        WHERE w.is_missing;
        UPDATE ${schema}.jobs j SET state = 'running', reason = NULL WHERE j.id = of_job AND j.state = 'paused';
        RETURN FOUND;
      END $$;

    SELECT ${schema}.notice_server();
  `,
  addPlaces,
  addAnswers,
  addSharing,
];

/** Version of the tables. */
export const schemaVersion = migrations.length;
