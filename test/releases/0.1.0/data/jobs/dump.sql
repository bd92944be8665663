
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA carillon_jobs;
COMMENT ON SCHEMA carillon_jobs IS 'carillon-jobs, version 1';
CREATE SCHEMA carillon_jobs_queue;
CREATE TYPE carillon_jobs_queue.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);
CREATE FUNCTION carillon_jobs.answer(of_job bigint, is_all boolean, of_keys text[], of_lines int4multirange) RETURNS integer
    LANGUAGE plpgsql
    AS $$
      DECLARE
        suspects int;
      BEGIN
        UPDATE "carillon_jobs".rows r SET is_suspect = true, sent_at = j.went_back_at, reason = 'It may have been sent before the database went back'
        FROM "carillon_jobs".jobs j WHERE j.id = of_job AND r.job = of_job AND r.state = 'planned'
          AND (is_all OR r.key = ANY (of_keys) OR of_lines @> r.line);
        GET DIAGNOSTICS suspects = ROW_COUNT;
        UPDATE "carillon_jobs".jobs j SET went_back_at = NULL, answered_at = clock_timestamp() WHERE j.id = of_job;
        -- Each job that they may have worked on has an answer.
        UPDATE "carillon_jobs".workers w SET is_missing = false
        WHERE w.is_missing AND NOT EXISTS (SELECT FROM "carillon_jobs".jobs j WHERE j.went_back_at IS NOT NULL AND j.state IN ('running', 'paused'));
        PERFORM "carillon_jobs".resume(of_job);
        RETURN suspects;
      END $$;
CREATE FUNCTION carillon_jobs.close_chunk(of_job bigint, chunk integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
      BEGIN
        -- Lock first, so that the statements below see the rows that others have just planned again.
        PERFORM FROM "carillon_jobs".jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        DELETE FROM "carillon_jobs".chunks c USING "carillon_jobs".jobs j
        WHERE c.job = of_job AND c.number = chunk AND j.id = c.job AND NOT EXISTS (
          SELECT FROM "carillon_jobs".rows r WHERE r.job = of_job AND r.number >= chunk * 100 AND r.number < (chunk + 1) * 100
            AND (r.state = 'sent' OR r.state = 'planned' AND j.state <> 'cancelled')
        );
        UPDATE "carillon_jobs".jobs j SET state = 'finished', ended_at = clock_timestamp()
        WHERE j.id = of_job AND j.state = 'running' AND NOT EXISTS (SELECT FROM "carillon_jobs".chunks c WHERE c.job = of_job);
        RETURN NOT EXISTS (SELECT FROM "carillon_jobs".chunks c WHERE c.job = of_job AND c.number = chunk);
      END $$;
CREATE FUNCTION carillon_jobs.count_closed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      BEGIN
        
    INSERT INTO "carillon_jobs".counts (job, chunk, planned, done, refused, unknown, begun)
    SELECT r.job, r.number / 100, count(*) FILTER (WHERE r.state = 'planned'), count(*) FILTER (WHERE r.state = 'done'),
      count(*) FILTER (WHERE r.state = 'refused'), count(*) FILTER (WHERE r.state = 'unknown'),
      count(*) FILTER (WHERE r.state = 'planned' AND coalesce(r.results, '{}') <> '{}')
    FROM "carillon_jobs".rows r JOIN "carillon_jobs".jobs j ON j.id = r.job WHERE r.job = old.job AND r.number >= old.number * 100 AND r.number < (old.number + 1) * 100 GROUP BY 1, 2
    ON CONFLICT (job, chunk) DO UPDATE SET planned = excluded.planned, done = excluded.done, refused = excluded.refused,
      unknown = excluded.unknown, begun = excluded.begun;
        RETURN NULL;
      END $$;
CREATE FUNCTION carillon_jobs.count_job(of_job bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
      BEGIN 
    INSERT INTO "carillon_jobs".counts (job, chunk, planned, done, refused, unknown, begun)
    SELECT r.job, r.number / 100, count(*) FILTER (WHERE r.state = 'planned'), count(*) FILTER (WHERE r.state = 'done'),
      count(*) FILTER (WHERE r.state = 'refused'), count(*) FILTER (WHERE r.state = 'unknown'),
      count(*) FILTER (WHERE r.state = 'planned' AND coalesce(r.results, '{}') <> '{}')
    FROM "carillon_jobs".rows r JOIN "carillon_jobs".jobs j ON j.id = r.job WHERE r.job = of_job GROUP BY 1, 2
    ON CONFLICT (job, chunk) DO UPDATE SET planned = excluded.planned, done = excluded.done, refused = excluded.refused,
      unknown = excluded.unknown, begun = excluded.begun; END $$;
CREATE FUNCTION carillon_jobs.count_replies(outcomes jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
      DECLARE
        found record;
        next_wait float8;
      BEGIN
        FOR found IN
          SELECT (o->>'job')::bigint AS job, o->>'kind' AS kind, bool_or((o->>'isAnswered')::boolean) AS is_answered,
            count(*) FILTER (WHERE NOT (o->>'isAnswered')::boolean)::int AS lost, count(o->>'failure')::int AS failures, max(o->>'failure') AS failure
          FROM jsonb_array_elements(outcomes) o WHERE o->>'kind' IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
        LOOP
          IF found.is_answered THEN
            -- Workers that wait continue at once.
            PERFORM pg_notify('carillon_jobs', found.job::text) FROM "carillon_jobs".jobs j
            WHERE j.id = found.job AND j.closed_wait IS NOT NULL AND j.lost - found.kind = '{}';
            UPDATE "carillon_jobs".jobs j SET lost = j.lost - found.kind, is_trying = false,
              closed_wait = CASE WHEN j.lost - found.kind = '{}' THEN NULL ELSE j.closed_wait END,
              closed_until = CASE WHEN j.lost - found.kind = '{}' THEN NULL ELSE clock_timestamp() + j.closed_wait * interval '1 millisecond' END,
              outage = CASE WHEN j.lost - found.kind = '{}' THEN NULL ELSE j.outage END
            WHERE j.id = found.job AND j.lost <> '{}';
          ELSIF found.lost = 0 AND found.failures = 0 THEN
            -- The row that tried sent nothing.
            UPDATE "carillon_jobs".jobs j SET is_trying = false, closed_until = clock_timestamp() + j.closed_wait * interval '1 millisecond'
            WHERE j.id = found.job AND j.is_trying;
          ELSE
            -- Without lost requests, an entry says only that the step has to be answered.
            UPDATE "carillon_jobs".jobs j SET lost = j.lost || jsonb_build_object(found.kind, coalesce((j.lost->>found.kind)::int, 0) + found.lost),
              outage = jsonb_build_object('since', coalesce(j.outage->'since', to_jsonb(clock_timestamp())), 'reason', found.failure)
            WHERE j.id = found.job;
            -- Those that were in flight when it began do not make the wait grow.
            SELECT CASE WHEN j.is_trying THEN least(j.closed_wait * 2, 30000) WHEN j.closed_wait IS NULL THEN 500 END INTO next_wait
            FROM "carillon_jobs".jobs j
            WHERE j.id = found.job AND (found.failures > found.lost OR (j.lost->>found.kind)::int > 3 OR j.closed_wait IS NOT NULL);
            UPDATE "carillon_jobs".jobs j SET is_trying = false, closed_wait = next_wait, closed_until = clock_timestamp() + next_wait * interval '1 millisecond'
            WHERE j.id = found.job AND next_wait IS NOT NULL;
            UPDATE "carillon_jobs".jobs j SET state = 'paused', reason = format(
              '%s requests in a row had no sure outcome (step %s). Check the service, then resume the job', j.lost->>found.kind, found.kind)
            WHERE j.id = found.job AND j.state = 'running' AND (j.lost->>found.kind)::int >= 20;
          END IF;
        END LOOP;
      END $$;
CREATE FUNCTION carillon_jobs.decide(of_job bigint, of_key text, is_done boolean, result jsonb) RETURNS integer
    LANGUAGE plpgsql
    AS $$
      DECLARE
        decided int;
      BEGIN
        PERFORM FROM "carillon_jobs".jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        -- The row keeps the name of its step, whose result follows.
        UPDATE "carillon_jobs".rows r SET state = 'planned', reason = NULL, code = NULL, attempt = r.attempt + 1,
          results = CASE WHEN is_done THEN coalesce(r.results, '{}') || jsonb_build_object(r.step, result) ELSE r.results END
        WHERE r.job = of_job AND r.key = of_key AND r.state = 'unknown' RETURNING r.number INTO decided;
        RETURN CASE WHEN decided IS NOT NULL THEN ("carillon_jobs".open_chunks(of_job, ARRAY[decided]))[1] END;
      END $$;
CREATE FUNCTION carillon_jobs.end_row() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      BEGIN
        new.ended_at := CASE WHEN new.state NOT IN ('planned', 'sent') THEN clock_timestamp() END;
        RETURN new;
      END $$;
CREATE FUNCTION carillon_jobs.end_silent(seconds integer) RETURNS TABLE(host text, process integer, silent double precision, is_ended boolean)
    LANGUAGE plpgsql
    AS $$
      DECLARE
        found record;
      BEGIN
        FOR found IN
          SELECT w.host, w.process, extract(epoch FROM clock_timestamp() - w.beat_at)::float8 AS silent, s.pid
          FROM "carillon_jobs".workers w JOIN "carillon_jobs".sessions s ON s.worker = w.number
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
CREATE FUNCTION carillon_jobs.go_back(of_job bigint, why text) RETURNS void
    LANGUAGE plpgsql
    AS $$
      DECLARE
        last_commit timestamptz;
      BEGIN
        -- Workers that signed off have no beat, and rows that ended keep their time.
        SELECT greatest((SELECT max(w.beat_at) FROM "carillon_jobs".workers w), (SELECT max(r.sent_at) FROM "carillon_jobs".rows r WHERE r.job = of_job))
          INTO last_commit;
        UPDATE "carillon_jobs".workers w SET is_missing = true WHERE w.beat_at > last_commit - interval '1 minute';
        UPDATE "carillon_jobs".files f SET is_back = false WHERE f.job = of_job;
        UPDATE "carillon_jobs".jobs j SET state = CASE WHEN j.state = 'running' THEN 'paused' ELSE j.state END,
          place = "carillon_jobs".place(), went_back_at = clock_timestamp(), reason = format(
            '%s (noticed at %s). Its last commit of a worker was at %s: rows that were sent after it may look planned. %s'
            'If another database still has this job, stop it there. Look at what the service has received since then. '
            'Start the workers that are missing in their folders, wait for them, and resume the job.', why,
            to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), coalesce(to_char(last_commit AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'an unknown time'),
            (SELECT coalesce(string_agg(format('%s (process %s) worked on lines %s. ', w.host, w.process, held.lines), ''), '')
              FROM "carillon_jobs".workers w, LATERAL (
                SELECT string_agg(format('%s to %s', l.first, l.last), ', ') AS lines
                FROM unnest(w.chunks) c, LATERAL (
                  SELECT min(r.line) AS first, max(r.line) AS last FROM "carillon_jobs".rows r
                  WHERE r.job = of_job AND r.number / 100 = split_part(c, '.', 2)::int
                ) l WHERE split_part(c, '.', 1) = of_job::text
              ) held WHERE w.is_missing AND held.lines IS NOT NULL)
          ) WHERE j.id = of_job;
      END $$;
CREATE FUNCTION carillon_jobs.is_gone(worker integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
      BEGIN RETURN pg_try_advisory_xact_lock('"carillon_jobs".workers'::regclass::oid::int, worker); END $$;
CREATE FUNCTION carillon_jobs.leave_out(of_job bigint, of_number integer, of_attempt integer, kept jsonb, left_out jsonb) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
      BEGIN
        PERFORM FROM "carillon_jobs".jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        UPDATE "carillon_jobs".rows r SET attempt = r.attempt + 1, state = CASE WHEN kept IS NULL THEN 'refused' ELSE r.state END,
          step = NULL, code = NULL, reason = CASE WHEN kept IS NULL THEN left_out->0->>'reason' ELSE r.reason END, "values" = coalesce(kept, r."values")
        WHERE r.job = of_job AND r.number = of_number AND r.attempt = of_attempt AND r.state = 'planned';
        IF NOT FOUND THEN RETURN false; END IF;
        IF kept IS NULL THEN RETURN true; END IF;
        INSERT INTO "carillon_jobs".rows (job, number, line, key, state, reason, "values")
        SELECT of_job, j.total + o.place - 1, r.line, o.row->>'key', 'refused', o.row->>'reason', o.row->'values'
        FROM jsonb_array_elements(left_out) WITH ORDINALITY AS o (row, place)
        JOIN "carillon_jobs".jobs j ON j.id = of_job JOIN "carillon_jobs".rows r ON r.job = of_job AND r.number = of_number;
        UPDATE "carillon_jobs".jobs j SET total = j.total + jsonb_array_length(left_out) WHERE j.id = of_job;
        RETURN true;
      END $$;
CREATE FUNCTION carillon_jobs.mark(by_worker integer, clock timestamp with time zone, given_jobs bigint[], given_numbers integer[], given_attempts integer[]) RETURNS TABLE(attempt integer, job_state text, wait double precision, is_full boolean)
    LANGUAGE plpgsql
    AS $$
      BEGIN
        -- Others count after this transaction, when they see its rows. Ordered, to prevent deadlocks.
        PERFORM FROM "carillon_jobs".jobs j WHERE j.id = ANY (given_jobs) AND (j.concurrency IS NOT NULL OR j.closed_wait IS NOT NULL)
        ORDER BY j.id FOR NO KEY UPDATE;
        RETURN QUERY WITH job AS MATERIALIZED (
          SELECT j.id, j.state, j.concurrency, j.closed_wait, j.closed_until > clock_timestamp() AS is_closed,
            least(j.closed_wait, extract(epoch FROM j.closed_until - clock_timestamp()) * 1000) AS closed_for,
            (SELECT max(w.until) FROM "carillon_jobs".waits w WHERE w.name = 'account ' || j.account || ' ' || j.service AND w.until > clock) AS until,
            CASE WHEN j.concurrency IS NOT NULL THEN (
              SELECT count(*) FROM "carillon_jobs".rows r WHERE r.job = j.id AND r.state = 'sent' AND r.worker IS NOT NULL
                AND r.sent_at > clock_timestamp() - j.lookup_after * interval '1 millisecond'
            ) END AS busy
          FROM "carillon_jobs".jobs j WHERE j.id = ANY (given_jobs)
        ), want AS MATERIALIZED (
          SELECT g.*, job.state, job.until, CASE WHEN job.closed_wait IS NOT NULL THEN greatest(job.closed_for, 500) END AS closed_for,
            -- While the service fails, one row of the job tries, and only when its wait is over.
            (job.closed_wait IS NULL OR NOT job.is_closed AND row_number() OVER (PARTITION BY g.job ORDER BY g.place) = 1) AS is_open,
            coalesce(job.busy + row_number() OVER (PARTITION BY g.job ORDER BY g.place) > job.concurrency, false) AS is_full
          FROM unnest(given_jobs, given_numbers, given_attempts) WITH ORDINALITY AS g (job, number, attempt, place)
          LEFT JOIN job ON job.id = g.job
        ), marked AS (
          UPDATE "carillon_jobs".rows r
          SET state = 'sent', worker = by_worker, sender = by_worker, attempt = r.attempt + 1, sent_at = clock_timestamp()
          FROM want
          WHERE r.job = want.job AND r.number = want.number AND r.attempt = want.attempt AND r.state = 'planned'
            AND want.state = 'running' AND want.until IS NULL AND want.is_open AND NOT want.is_full
          RETURNING r.job, r.number, r.attempt
        ), tries AS (
          -- Its outcome sets the next time. Without one, as after a kill, another row tries when its request can no longer be processed.
          UPDATE "carillon_jobs".jobs j SET closed_until = clock_timestamp() + j.lookup_after * interval '1 millisecond', is_trying = true
          WHERE j.closed_wait IS NOT NULL AND j.id IN (SELECT m.job FROM marked m)
        )
        SELECT m.attempt, want.state,
          coalesce(extract(epoch FROM want.until - clock) * 1000, CASE WHEN m.attempt IS NULL THEN want.closed_for END)::float8,
          want.is_full
        FROM want LEFT JOIN marked m ON m.job = want.job AND m.number = want.number
        ORDER BY want.place;
      END $$;
CREATE FUNCTION carillon_jobs.notice_server() RETURNS text
    LANGUAGE plpgsql
    AS $$
      DECLARE
        here text := "carillon_jobs".place();
        found record;
      BEGIN
        IF EXISTS (SELECT FROM "carillon_jobs".jobs j WHERE j.place <> here) THEN
          FOR found IN SELECT j.id FROM "carillon_jobs".jobs j WHERE j.place <> here ORDER BY j.id FOR NO KEY UPDATE LOOP
            PERFORM "carillon_jobs".go_back(found.id, 'This is not the database in which the job ran last: it has failed over, or was restored or copied');
          END LOOP;
        END IF;
        RETURN (SELECT s.id || ' ' || here FROM "carillon_jobs".server s);
      END $$;
CREATE FUNCTION carillon_jobs.open_chunks(of_job bigint, numbers integer[]) RETURNS integer[]
    LANGUAGE plpgsql
    AS $$
      DECLARE
        opened int[] := ARRAY(SELECT DISTINCT n / 100 FROM unnest(numbers) n);
      BEGIN
        INSERT INTO "carillon_jobs".chunks (job, number) SELECT of_job, unnest(opened) ON CONFLICT DO NOTHING;
        UPDATE "carillon_jobs".jobs j SET state = CASE WHEN j.went_back_at IS NULL THEN 'running' ELSE 'paused' END, ended_at = NULL
        WHERE j.id = of_job AND j.state = 'finished';
        RETURN opened;
      END $$;
CREATE FUNCTION carillon_jobs.outcomes_of(outcomes jsonb) RETURNS TABLE(place integer, job bigint, number integer, attempt integer, worker integer, state text, results jsonb, step text, reason text, code text, "forgetValues" boolean, "isLate" boolean, "isClear" boolean)
    LANGUAGE sql IMMUTABLE
    AS $$
      SELECT * FROM jsonb_to_recordset(outcomes) AS g (
        place int, job bigint, number int, attempt int, worker int, state text, results jsonb, step text, reason text, code text,
        "forgetValues" boolean, "isLate" boolean, "isClear" boolean
      ) $$;
CREATE FUNCTION carillon_jobs.place() RETURNS text
    LANGUAGE plpgsql
    AS $$
      BEGIN
        -- A standby writes no WAL. Its control file has the old timeline for minutes after a promotion.
        IF pg_is_in_recovery() THEN RAISE EXCEPTION USING ERRCODE = '25006', MESSAGE = 'the server is a standby'; END IF;
        RETURN concat_ws('/', (SELECT c.system_identifier FROM pg_control_system() c),
          substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
          (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()),
          (SELECT string_agg(coalesce(to_regclass(t.name)::oid::text, '-'), '.' ORDER BY t.place)
            FROM unnest(ARRAY['"carillon_jobs".jobs', '"carillon_jobs".rows', '"carillon_jobs".chunks', '"carillon_jobs".workers', '"carillon_jobs".files', '"carillon_jobs".server', '"carillon_jobs_queue".job', '"carillon_jobs_queue".queue', '"carillon_jobs_queue".version']) WITH ORDINALITY AS t (name, place)));
      END $$;
CREATE FUNCTION carillon_jobs.repair(of_job bigint) RETURNS integer[]
    LANGUAGE plpgsql
    AS $$
      DECLARE
        repaired int[];
      BEGIN
        PERFORM FROM "carillon_jobs".jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        WITH written AS (
          UPDATE "carillon_jobs".rows r SET state = 'planned', "values" = g."values", step = NULL, reason = NULL, code = NULL, line = g.line,
            attempt = r.attempt + 1
          FROM pg_temp.carillon_repair g WHERE r.job = of_job AND r.key = g.key AND r.state = 'refused' RETURNING r.number
        ) SELECT array_agg(w.number) INTO repaired FROM written w;
        IF coalesce(cardinality(repaired), 0) < (SELECT count(*) FROM pg_temp.carillon_repair) THEN
          RAISE EXCEPTION 'The rows were changed meanwhile. Nothing was planned.';
        END IF;
        RETURN "carillon_jobs".open_chunks(of_job, repaired);
      END $$;
CREATE FUNCTION carillon_jobs.restore_sent(of_job bigint, attempts jsonb) RETURNS integer
    LANGUAGE plpgsql
    AS $$
      DECLARE
        restored int;
      BEGIN
        PERFORM FROM "carillon_jobs".jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        WITH written AS (
          UPDATE "carillon_jobs".rows r SET state = g.state, attempt = greatest(r.attempt, g.attempt) + 1, worker = NULL, sender = g.worker,
            sent_at = clock_timestamp(), step = g.step, code = g.code, results = coalesce(g.results, r.results), reason = g.reason,
            "values" = CASE WHEN g."forgetValues" THEN NULL ELSE r."values" END
          FROM jsonb_to_recordset(attempts) AS g (
            number int, seen int, attempt int, worker int, step text, state text, code text, reason text, results jsonb, "forgetValues" boolean
          )
          WHERE r.job = of_job AND r.number = g.number AND r.attempt = g.seen AND r.state <> 'done'
          RETURNING r.number, r.state
        ), opened AS (
          INSERT INTO "carillon_jobs".chunks (job, number) SELECT DISTINCT of_job, w.number / 100 FROM written w
          WHERE w.state IN ('planned', 'sent') ON CONFLICT DO NOTHING
        ) SELECT count(*) INTO restored FROM written;
        UPDATE "carillon_jobs".jobs j SET state = CASE WHEN j.went_back_at IS NULL THEN 'running' ELSE 'paused' END, ended_at = NULL
        WHERE j.id = of_job AND j.state = 'finished' AND EXISTS (SELECT FROM "carillon_jobs".chunks c WHERE c.job = of_job);
        RETURN restored;
      END $$;
CREATE FUNCTION carillon_jobs.resume(of_job bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
      BEGIN
        PERFORM FROM "carillon_jobs".jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        DELETE FROM "carillon_jobs".waits w USING "carillon_jobs".jobs j
        WHERE j.id = of_job AND j.went_back_at IS NULL AND w.name IN ('rate ' || j.id, 'account ' || j.account || ' ' || j.service);
        UPDATE "carillon_jobs".jobs j SET lost = '{}', closed_wait = NULL, closed_until = NULL, is_trying = false, outage = NULL
        WHERE j.id = of_job AND j.state IN ('running', 'paused') AND j.went_back_at IS NULL;
        -- Its last rows may have ended while it was paused.
        UPDATE "carillon_jobs".jobs j SET reason = NULL, state = CASE WHEN has_rows THEN 'running' ELSE 'finished' END,
          ended_at = CASE WHEN has_rows THEN NULL ELSE clock_timestamp() END
        FROM (SELECT EXISTS (SELECT FROM "carillon_jobs".chunks c WHERE c.job = of_job) AS has_rows) c
        WHERE j.id = of_job AND j.state = 'paused' AND j.went_back_at IS NULL;
        RETURN FOUND;
      END $$;
CREATE FUNCTION carillon_jobs.retry(of_job bigint, is_all boolean, of_keys text[], of_lines int4multirange, of_code text, is_not_done boolean, OUT count integer, OUT chunks integer[], OUT corrected integer, OUT unknown integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
      BEGIN
        PERFORM FROM "carillon_jobs".jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        WITH chosen AS MATERIALIZED (
          SELECT r.number, r.state, r.step IS NOT NULL AND r."values" IS NOT NULL AS has_values FROM "carillon_jobs".rows r
          WHERE r.job = of_job AND r.state IN ('refused', 'unknown') AND (is_all OR r.key = ANY (of_keys) OR of_lines @> r.line)
            AND (of_code IS NULL OR r.code = of_code)
        ), written AS (
          UPDATE "carillon_jobs".rows r SET state = 'planned', step = NULL, reason = NULL, code = NULL, attempt = r.attempt + 1
          FROM chosen c WHERE r.job = of_job AND r.number = c.number AND c.has_values AND (c.state = 'refused' OR is_not_done)
          RETURNING r.number
        ) SELECT array_agg(w.number),
            (SELECT count(*) FROM chosen c WHERE NOT c.has_values), (SELECT count(*) FROM chosen c WHERE c.state = 'unknown')
          INTO chunks, corrected, unknown FROM written w;
        count := coalesce(cardinality(chunks), 0);
        IF count > 0 THEN chunks := "carillon_jobs".open_chunks(of_job, chunks); END IF;
      END $$;
CREATE FUNCTION carillon_jobs.settle(outcomes jsonb) RETURNS TABLE(place integer, reopened integer)
    LANGUAGE plpgsql
    AS $$
      DECLARE
        settled int[];
      BEGIN
        PERFORM "carillon_jobs".count_replies(outcomes);
        WITH given AS MATERIALIZED (SELECT * FROM "carillon_jobs".outcomes_of(outcomes)), written AS (
          UPDATE "carillon_jobs".rows r SET state = g.state, step = g.step, reason = g.reason, code = g.code,
            results = coalesce(g.results, CASE WHEN g.state <> 'done' THEN r.results END),
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
        PERFORM FROM "carillon_jobs".jobs j WHERE j.id IN (SELECT g.job FROM "carillon_jobs".outcomes_of(outcomes) g) ORDER BY j.id FOR NO KEY UPDATE;
        RETURN QUERY WITH written AS (
          -- The new attempt invalidates the outcome of the lookup.
          UPDATE "carillon_jobs".rows r SET state = g.state, step = g.step, reason = g.reason, code = g.code,
            results = coalesce(g.results, CASE WHEN g.state <> 'done' THEN r.results END),
            attempt = r.attempt + 1, worker = g.worker, "values" = CASE WHEN g."forgetValues" THEN NULL ELSE r."values" END
          FROM "carillon_jobs".outcomes_of(outcomes) g
          WHERE r.job = g.job AND r.number = g.number AND r.attempt > g.attempt AND r.sender = g.worker
            AND r.state IN ('sent', 'unknown') AND g.state IN ('planned', 'done', 'refused')
          RETURNING g.place, g.job, g.number, g.state
        ), opened AS (
          INSERT INTO "carillon_jobs".chunks (job, number) SELECT DISTINCT w.job, w.number / 100 FROM written w WHERE w.state = 'planned'
          ON CONFLICT DO NOTHING RETURNING job, number
        ), running AS (
          UPDATE "carillon_jobs".jobs j SET state = CASE WHEN j.went_back_at IS NULL THEN 'running' ELSE 'paused' END, ended_at = NULL
          WHERE j.state = 'finished' AND j.id IN (SELECT o.job FROM opened o)
        )
        SELECT w.place, o.number FROM written w LEFT JOIN opened o ON o.job = w.job AND o.number = w.number / 100;
      END $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE carillon_jobs.rows (
    job bigint NOT NULL,
    number integer NOT NULL,
    line integer NOT NULL,
    attempt integer DEFAULT 0 NOT NULL,
    worker integer,
    sender integer,
    sent_at timestamp with time zone,
    state text NOT NULL,
    ended_at timestamp with time zone,
    is_suspect boolean DEFAULT false NOT NULL,
    key text NOT NULL,
    step text,
    code text,
    reason text,
    "values" jsonb,
    results jsonb
)
WITH (fillfactor='85');
CREATE FUNCTION carillon_jobs.take_over(of_job bigint, given_numbers integer[], given_kinds text[], by_worker integer) RETURNS SETOF carillon_jobs.rows
    LANGUAGE plpgsql
    AS $$
      DECLARE
        taken int[];
        lost jsonb;
      BEGIN
        PERFORM FROM "carillon_jobs".jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        WITH due AS MATERIALIZED (
          -- Only its sender, until the outcome is written or another worker takes the row over.
          SELECT r.number, g.kind, r.worker = r.sender AS is_lost, r.sent_at <= coalesce((j.outage->>'since')::timestamptz, 'infinity') AS was_in_flight
          FROM unnest(given_numbers, given_kinds) AS g (number, kind)
          JOIN "carillon_jobs".jobs j ON j.id = of_job JOIN "carillon_jobs".rows r ON r.job = of_job AND r.number = g.number
          WHERE r.state = 'sent' AND r.sent_at < clock_timestamp() - j.lookup_after * interval '1 millisecond'
            AND CASE WHEN r.worker IS NULL OR r.worker = by_worker THEN true ELSE "carillon_jobs".is_gone(r.worker) END
          ORDER BY r.number FOR NO KEY UPDATE OF r
        ), written AS (
          UPDATE "carillon_jobs".rows r SET worker = by_worker, attempt = r.attempt + 1 FROM due d WHERE r.job = of_job AND r.number = d.number
        )
        SELECT array_agg(d.number), (
          SELECT jsonb_agg(jsonb_build_object('job', of_job, 'kind', c.kind, 'isAnswered', false, 'failure', 'workers ended before they knew the outcome'))
          FROM (
            SELECT l.kind, count(*) FILTER (WHERE NOT l.was_in_flight) AS later, count(*) FILTER (WHERE l.was_in_flight) AS earlier
            FROM due l WHERE l.is_lost AND l.kind IS NOT NULL GROUP BY l.kind
          ) c JOIN "carillon_jobs".jobs j ON j.id = of_job,
          generate_series(1, c.later + least(c.earlier, greatest(4 - coalesce((j.lost->>c.kind)::int, 0), 0)))
        ) INTO taken, lost FROM due d;
        IF lost IS NOT NULL THEN PERFORM "carillon_jobs".count_replies(lost); END IF;
        RETURN QUERY SELECT r.* FROM "carillon_jobs".rows r WHERE r.job = of_job AND r.number = ANY (taken);
      END $$;
CREATE FUNCTION carillon_jobs.uncount_opened() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      BEGIN
        DELETE FROM "carillon_jobs".counts c USING opened o WHERE c.job = o.job AND c.chunk = o.number;
        RETURN NULL;
      END $$;
CREATE FUNCTION carillon_jobs.uncount_row() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
      BEGIN
        DELETE FROM "carillon_jobs".counts c WHERE c.job = new.job AND c.chunk = new.number / 100;
        RETURN NULL;
      END $$;
CREATE FUNCTION carillon_jobs_queue.create_queue(queue_name text, options jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $_$
    DECLARE
      tablename varchar := CASE WHEN options->>'partition' = 'true'
                            THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                            ELSE 'job_common'
                            END;
      queue_created_on timestamptz;
    BEGIN
      WITH q as (
        INSERT INTO carillon_jobs_queue.queue (
          name,
          policy,
          retry_limit,
          retry_delay,
          retry_backoff,
          retry_delay_max,
          expire_seconds,
          retention_seconds,
          deletion_seconds,
          warning_queued,
          dead_letter,
          partition,
          table_name,
          heartbeat_seconds,
          notify,
          created_on,
          updated_on
        )
        VALUES (
          queue_name,
          options->>'policy',
          COALESCE((options->>'retryLimit')::int, 2),
          COALESCE((options->>'retryDelay')::int, 0),
          COALESCE((options->>'retryBackoff')::bool, false),
          (options->>'retryDelayMax')::int,
          COALESCE((options->>'expireInSeconds')::int, 900),
          COALESCE((options->>'retentionSeconds')::int, 1209600),
          COALESCE((options->>'deleteAfterSeconds')::int, 604800),
          COALESCE((options->>'warningQueueSize')::int, 0),
          options->>'deadLetter',
          COALESCE((options->>'partition')::bool, false),
          tablename,
          (options->>'heartbeatSeconds')::int,
          COALESCE((options->>'notify')::bool, false),
          carillon_jobs_queue.job_now(),
          carillon_jobs_queue.job_now()
        )
        ON CONFLICT DO NOTHING
        RETURNING created_on
      )
      SELECT created_on into queue_created_on from q;
      IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
        RETURN;
      END IF;
      EXECUTE format('CREATE TABLE carillon_jobs_queue.%I (LIKE carillon_jobs_queue.job INCLUDING DEFAULTS)', tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$ALTER TABLE carillon_jobs_queue.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$ALTER TABLE carillon_jobs_queue.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES carillon_jobs_queue.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$ALTER TABLE carillon_jobs_queue.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES carillon_jobs_queue.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE INDEX job_i11 ON carillon_jobs_queue.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON carillon_jobs_queue.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE INDEX job_i7 ON carillon_jobs_queue.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE INDEX job_i9 ON carillon_jobs_queue.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE INDEX job_i12 ON carillon_jobs_queue.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i13 ON carillon_jobs_queue.job (name, singleton_key) WHERE state = 'created' AND upsert_by_key$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE INDEX job_i14 ON carillon_jobs_queue.job (name, state, blocked, start_after) WHERE state IN ('created', 'retry', 'active', 'failed')$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE INDEX job_i15 ON carillon_jobs_queue.job (name, created_on)$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE INDEX job_i16 ON carillon_jobs_queue.job (name, completed_on) WHERE completed_on IS NOT NULL$cmd$, tablename);
      EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE INDEX job_i17 ON carillon_jobs_queue.job (name, singleton_key, created_on) WHERE state < 'active' AND singleton_key IS NOT NULL$cmd$, tablename);
      IF options->>'policy' = 'short' THEN
        EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON carillon_jobs_queue.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
      ELSIF options->>'policy' = 'singleton' THEN
        EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON carillon_jobs_queue.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
      ELSIF options->>'policy' = 'stately' THEN
        EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON carillon_jobs_queue.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
      ELSIF options->>'policy' = 'exclusive' THEN
        EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON carillon_jobs_queue.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
      ELSIF options->>'policy' = 'key_strict_fifo' THEN
        EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON carillon_jobs_queue.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE carillon_jobs_queue.job_table_format($cmd$CREATE INDEX job_i10 ON carillon_jobs_queue.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
        EXECUTE carillon_jobs_queue.job_table_format($cmd$ALTER TABLE carillon_jobs_queue.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
      END IF;
      EXECUTE format('ALTER TABLE carillon_jobs_queue.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
      EXECUTE format('ALTER TABLE carillon_jobs_queue.job ATTACH PARTITION carillon_jobs_queue.%I FOR VALUES IN (%L)', tablename, queue_name);
    END;
    $_$;
CREATE FUNCTION carillon_jobs_queue.delete_queue(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      v_table varchar;
      v_partition bool;
    BEGIN
      
      SELECT table_name, partition
      FROM carillon_jobs_queue.queue
      WHERE name = queue_name
      INTO v_table, v_partition;
      IF v_partition THEN
        EXECUTE format('DROP TABLE IF EXISTS carillon_jobs_queue.%I', v_table);
      ELSE
        EXECUTE format('DELETE FROM carillon_jobs_queue.%I WHERE name = %L', v_table, queue_name);
      END IF;
    
      DELETE FROM carillon_jobs_queue.queue WHERE name = queue_name;
    END;
    $$;
CREATE FUNCTION carillon_jobs_queue.job_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
      SELECT pg_catalog.now();
    $$;
CREATE FUNCTION carillon_jobs_queue.job_table_format(command text, table_name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
      SELECT format(
        regexp_replace(
          regexp_replace(command, '\.job\y', '.%1$I', 'g'),
          '\yjob_i(\d+)', '%1$s_i\1', 'g'
        ),
        table_name
      );
    $_$;
CREATE FUNCTION carillon_jobs_queue.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    DECLARE
      tbl RECORD;
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM carillon_jobs_queue.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        EXECUTE carillon_jobs_queue.job_table_format(command, tbl_name);
        RETURN;
      END IF;
      EXECUTE carillon_jobs_queue.job_table_format(command, 'job_common');
      FOR tbl IN SELECT table_name FROM carillon_jobs_queue.queue WHERE partition = true
      LOOP
        EXECUTE carillon_jobs_queue.job_table_format(command, tbl.table_name);
      END LOOP;
    END;
    $$;
CREATE FUNCTION carillon_jobs_queue.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
    BEGIN
      IF queue_name IS NOT NULL THEN
        SELECT table_name INTO tbl_name FROM carillon_jobs_queue.queue WHERE name = queue_name;
      END IF;
      IF tbl_name IS NOT NULL THEN
        INSERT INTO carillon_jobs_queue.bam (name, version, status, queue, table_name, command)
        VALUES (
          command_name,
          version,
          'pending',
          queue_name,
          tbl_name,
          carillon_jobs_queue.job_table_format(command, tbl_name)
        );
        RETURN;
      END IF;
      INSERT INTO carillon_jobs_queue.bam (name, version, status, queue, table_name, command)
      SELECT
        command_name,
        version,
        'pending',
        NULL,
        'job_common',
        carillon_jobs_queue.job_table_format(command, 'job_common')
      UNION ALL
      SELECT
        command_name,
        version,
        'pending',
        queue.name,
        queue.table_name,
        carillon_jobs_queue.job_table_format(command, queue.table_name)
      FROM carillon_jobs_queue.queue
      WHERE partition = true;
    END;
    $$;
CREATE TABLE carillon_jobs.chunks (
    job bigint NOT NULL,
    number integer NOT NULL
);
CREATE TABLE carillon_jobs.counts (
    job bigint NOT NULL,
    chunk integer NOT NULL,
    planned integer NOT NULL,
    done integer NOT NULL,
    refused integer NOT NULL,
    unknown integer NOT NULL,
    begun integer NOT NULL
);
CREATE TABLE carillon_jobs.files (
    job bigint NOT NULL,
    file uuid NOT NULL,
    host text NOT NULL,
    folder text NOT NULL,
    is_back boolean DEFAULT true NOT NULL
);
CREATE TABLE carillon_jobs.jobs (
    id bigint NOT NULL,
    name text NOT NULL,
    seed uuid DEFAULT gen_random_uuid() NOT NULL,
    account text NOT NULL,
    service text NOT NULL,
    queue text NOT NULL,
    definition text NOT NULL,
    version integer NOT NULL,
    steps text[] NOT NULL,
    checksum text NOT NULL,
    options jsonb NOT NULL,
    deadline integer NOT NULL,
    lookup_after integer NOT NULL,
    concurrency integer,
    rate double precision,
    priority integer DEFAULT 0 NOT NULL,
    state text DEFAULT 'running'::text NOT NULL,
    reason text,
    total integer DEFAULT 0 NOT NULL,
    plan jsonb,
    planned_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    start_at timestamp with time zone,
    ended_at timestamp with time zone,
    place text DEFAULT carillon_jobs.place() NOT NULL,
    went_back_at timestamp with time zone,
    answered_at timestamp with time zone,
    lost jsonb DEFAULT '{}'::jsonb NOT NULL,
    closed_wait double precision,
    closed_until timestamp with time zone,
    is_trying boolean DEFAULT false NOT NULL,
    outage jsonb,
    retention double precision,
    forgotten_at timestamp with time zone,
    recheck_after double precision DEFAULT 3600000 NOT NULL,
    list uuid,
    checked_at timestamp with time zone,
    checking_until timestamp with time zone
);
ALTER TABLE carillon_jobs.jobs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME carillon_jobs.jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE carillon_jobs.opt_outs (
    job bigint NOT NULL,
    list uuid NOT NULL,
    id uuid NOT NULL
);
CREATE VIEW carillon_jobs.problems AS
 SELECT j.name AS job,
    r.line,
    r.key,
    r.state,
    r.step,
    r.code,
    r.reason,
    r.sent_at
   FROM (carillon_jobs.rows r
     JOIN carillon_jobs.jobs j ON ((j.id = r.job)))
  WHERE (r.state = ANY (ARRAY['refused'::text, 'unknown'::text]));
CREATE TABLE carillon_jobs.removed (
    seed uuid NOT NULL,
    removed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE carillon_jobs.server (
    is_only boolean DEFAULT true NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT server_is_only_check CHECK (is_only)
);
CREATE TABLE carillon_jobs.workers (
    number integer NOT NULL,
    host text NOT NULL,
    process integer NOT NULL,
    queues text[] NOT NULL,
    chunks text[] DEFAULT '{}'::text[] NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    beat_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    is_missing boolean DEFAULT false NOT NULL,
    file uuid NOT NULL
);
CREATE VIEW carillon_jobs.sessions AS
 SELECT ((l.objid)::bigint)::integer AS worker,
    l.pid
   FROM pg_locks l
  WHERE ((l.locktype = 'advisory'::text) AND (l.objsubid = 2) AND l.granted AND (l.classid = ('carillon_jobs.workers'::regclass)::oid) AND (l.database = ( SELECT d.oid
           FROM pg_database d
          WHERE (d.datname = current_database()))));
CREATE TABLE carillon_jobs.slots (
    quota text NOT NULL,
    slot integer NOT NULL,
    free_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);
CREATE VIEW carillon_jobs.unknown AS
 SELECT p.job,
    p.line,
    p.key,
    p.state,
    p.step,
    p.code,
    p.reason,
    p.sent_at
   FROM carillon_jobs.problems p
  WHERE (p.state = 'unknown'::text);
CREATE TABLE carillon_jobs.waits (
    name text NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE TABLE carillon_jobs_queue.bam (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    queue text,
    table_name text NOT NULL,
    command text NOT NULL,
    error text,
    created_on timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone
);
CREATE TABLE carillon_jobs_queue.instance (
    id uuid NOT NULL,
    name text,
    host text NOT NULL,
    pid integer NOT NULL,
    version text NOT NULL,
    node_version text NOT NULL,
    application_name text,
    heartbeat_seconds integer NOT NULL,
    supervise boolean NOT NULL,
    schedule boolean NOT NULL,
    migrate boolean NOT NULL,
    persist_queue_stats boolean NOT NULL,
    persist_warnings boolean NOT NULL,
    pool_max integer,
    pool_total integer,
    pool_idle integer,
    pool_waiting integer,
    workers jsonb DEFAULT '[]'::jsonb NOT NULL,
    metrics jsonb,
    config jsonb DEFAULT '{}'::jsonb NOT NULL,
    crash_restarts integer DEFAULT 0 NOT NULL,
    crash_restarts_since timestamp with time zone,
    started_on timestamp with time zone DEFAULT now() NOT NULL,
    heartbeat_on timestamp with time zone DEFAULT now() NOT NULL,
    stopped_on timestamp with time zone
);
CREATE TABLE carillon_jobs_queue.job (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state carillon_jobs_queue.job_state DEFAULT 'created'::carillon_jobs_queue.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid,
    trace_context jsonb,
    upsert_by_key boolean
)
PARTITION BY LIST (name);
CREATE TABLE carillon_jobs_queue.job_common (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state carillon_jobs_queue.job_state DEFAULT 'created'::carillon_jobs_queue.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid,
    trace_context jsonb,
    upsert_by_key boolean,
    CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK ((NOT ((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))
);
CREATE TABLE carillon_jobs_queue.job_dependency (
    child_name text NOT NULL,
    child_id uuid NOT NULL,
    parent_name text NOT NULL,
    parent_id uuid NOT NULL
);
CREATE TABLE carillon_jobs_queue.queue (
    name text NOT NULL,
    policy text NOT NULL,
    retry_limit integer NOT NULL,
    retry_delay integer NOT NULL,
    retry_backoff boolean NOT NULL,
    retry_delay_max integer,
    expire_seconds integer NOT NULL,
    retention_seconds integer NOT NULL,
    deletion_seconds integer NOT NULL,
    dead_letter text,
    partition boolean NOT NULL,
    table_name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    blocked_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    warning_queued integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    retained_count integer,
    retained_on timestamp with time zone,
    created_delta integer DEFAULT 0 NOT NULL,
    completed_delta integer DEFAULT 0 NOT NULL,
    failed_delta integer DEFAULT 0 NOT NULL,
    delta_on timestamp with time zone,
    delta_seconds integer,
    wait_bins integer[],
    run_bins integer[],
    ready_oldest_seconds integer,
    ready_history integer[] DEFAULT '{}'::integer[] NOT NULL,
    heartbeat_seconds integer,
    notify boolean DEFAULT false NOT NULL,
    singletons_active text[],
    monitor_claim_on timestamp with time zone,
    monitor_on timestamp with time zone,
    maintain_on timestamp with time zone,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT queue_check CHECK ((dead_letter IS DISTINCT FROM name))
);
CREATE TABLE carillon_jobs_queue.queue_stats (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    wait_bins integer[],
    run_bins integer[],
    ready_oldest_seconds integer,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (captured_on);
CREATE TABLE carillon_jobs_queue.queue_stats_20261126 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    wait_bins integer[],
    run_bins integer[],
    ready_oldest_seconds integer,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE carillon_jobs_queue.queue_stats_20261127 (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    wait_bins integer[],
    run_bins integer[],
    ready_oldest_seconds integer,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE carillon_jobs_queue.schedule (
    name text NOT NULL,
    key text DEFAULT ''::text NOT NULL,
    kind text DEFAULT 'cron'::text NOT NULL,
    cron text NOT NULL,
    timezone text DEFAULT 'UTC'::text,
    data jsonb,
    options jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    last_job_id uuid,
    CONSTRAINT schedule_kind_check CHECK ((kind = ANY (ARRAY['cron'::text, 'rrule'::text])))
);
CREATE TABLE carillon_jobs_queue.subscription (
    event text NOT NULL,
    name text NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE carillon_jobs_queue.version (
    version integer NOT NULL,
    cron_on timestamp with time zone,
    bam_on timestamp with time zone,
    flow_on timestamp with time zone,
    reindex_on timestamp with time zone,
    monitor_backoff_on timestamp with time zone
);
CREATE TABLE carillon_jobs_queue.warning (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    message text NOT NULL,
    data jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY carillon_jobs_queue.job ATTACH PARTITION carillon_jobs_queue.job_common DEFAULT;
ALTER TABLE ONLY carillon_jobs_queue.queue_stats ATTACH PARTITION carillon_jobs_queue.queue_stats_20261126 FOR VALUES FROM ('2026-11-26 00:00:00+00') TO ('2026-11-27 00:00:00+00');
ALTER TABLE ONLY carillon_jobs_queue.queue_stats ATTACH PARTITION carillon_jobs_queue.queue_stats_20261127 FOR VALUES FROM ('2026-11-27 00:00:00+00') TO ('2026-11-28 00:00:00+00');
COPY carillon_jobs.chunks (job, number) FROM stdin;
1	0
1	1
\.
COPY carillon_jobs.counts (job, chunk, planned, done, refused, unknown, begun) FROM stdin;
1	1	10	0	0	0	0
\.
COPY carillon_jobs.files (job, file, host, folder, is_back) FROM stdin;
1	53e4051a-f7e4-4559-8c83-7c887fd7c72a	worker	/tmp/w/jobs/test/releases/0.1.0/data/jobs/attempts	t
\.
COPY carillon_jobs.jobs (id, name, seed, account, service, queue, definition, version, steps, checksum, options, deadline, lookup_after, concurrency, rate, priority, state, reason, total, plan, planned_at, start_at, ended_at, place, went_back_at, answered_at, lost, closed_wait, closed_until, is_trying, outage, retention, forgotten_at, recheck_after, list, checked_at, checking_until) FROM stdin;
1	import	163674a0-b0bf-4692-8af6-03d24ff2cc2e	default	https://sandbox.example.com	default/import-contacts/1/8b01def3	import-contacts	1	{contact,emails,attributes,phone,messenger,tag}	7efceeed94caa7cd8feefddf7f8230077d03389aa06e677a730ec02a6581aea9	{"file": "contacts.csv", "responsibleId": 77}	60000	65000	\N	\N	0	running	\N	110	{"rows": 110, "leftOut": {}, "planned": 110, "repeated": 0, "sameSource": []}	2026-11-26 18:30:21.511273+00	\N	\N	7712549256630253981/00000001/17182/17191.17209.17221.17241.17252.17296.17434.17361.17356	\N	\N	{}	\N	\N	f	\N	\N	\N	3600000	\N	\N	\N
\.
COPY carillon_jobs.opt_outs (job, list, id) FROM stdin;
\.
COPY carillon_jobs.removed (seed, removed_at) FROM stdin;
\.
COPY carillon_jobs.rows (job, number, line, attempt, worker, sender, sent_at, state, ended_at, is_suspect, key, step, code, reason, "values", results) FROM stdin;
1	1	3	2	12930621	12930621	2026-11-26 18:30:21.716313+00	done	2026-11-26 18:30:21.870779+00	f	k-1	\N	\N	\N	\N	{"emails": null, "contact": 10002}
1	0	2	2	12930621	12930621	2026-11-26 18:30:21.716245+00	done	2026-11-26 18:30:21.870833+00	f	k-0	\N	\N	\N	\N	{"emails": null, "contact": 10001}
1	3	5	2	12930621	12930621	2026-11-26 18:30:21.894551+00	done	2026-11-26 18:30:21.914544+00	f	k-3	\N	\N	\N	\N	{"emails": null, "contact": 10004}
1	2	4	2	12930621	12930621	2026-11-26 18:30:21.894458+00	done	2026-11-26 18:30:21.914594+00	f	k-2	\N	\N	\N	\N	{"emails": null, "contact": 10003}
1	5	7	2	12930621	12930621	2026-11-26 18:30:22.001555+00	done	2026-11-26 18:30:22.019113+00	f	k-5	\N	\N	\N	\N	{"emails": null, "contact": 10010}
1	4	6	2	12930621	12930621	2026-11-26 18:30:22.001482+00	done	2026-11-26 18:30:22.019163+00	f	k-4	\N	\N	\N	\N	{"emails": null, "contact": 10009}
1	7	9	2	12930621	12930621	2026-11-26 18:30:22.022466+00	done	2026-11-26 18:30:22.03406+00	f	k-7	\N	\N	\N	\N	{"emails": null, "contact": 10012}
1	6	8	2	12930621	12930621	2026-11-26 18:30:22.022389+00	done	2026-11-26 18:30:22.034112+00	f	k-6	\N	\N	\N	\N	{"emails": null, "contact": 10011}
1	9	11	2	12930621	12930621	2026-11-26 18:30:22.07761+00	done	2026-11-26 18:30:22.085843+00	f	k-9	\N	\N	\N	\N	{"emails": null, "contact": 10018}
1	8	10	2	12930621	12930621	2026-11-26 18:30:22.077536+00	done	2026-11-26 18:30:22.085888+00	f	k-8	\N	\N	\N	\N	{"emails": null, "contact": 10017}
1	11	13	2	12930621	12930621	2026-11-26 18:30:22.090414+00	done	2026-11-26 18:30:22.105846+00	f	k-11	\N	\N	\N	\N	{"emails": null, "contact": 10020}
1	10	12	2	12930621	12930621	2026-11-26 18:30:22.090337+00	done	2026-11-26 18:30:22.105893+00	f	k-10	\N	\N	\N	\N	{"emails": null, "contact": 10019}
1	13	15	2	12930621	12930621	2026-11-26 18:30:22.166405+00	done	2026-11-26 18:30:22.178917+00	f	k-13	\N	\N	\N	\N	{"emails": null, "contact": 10026}
1	12	14	2	12930621	12930621	2026-11-26 18:30:22.166236+00	done	2026-11-26 18:30:22.178977+00	f	k-12	\N	\N	\N	\N	{"emails": null, "contact": 10025}
1	15	17	2	12930621	12930621	2026-11-26 18:30:22.187728+00	done	2026-11-26 18:30:22.205135+00	f	k-15	\N	\N	\N	\N	{"emails": null, "contact": 10028}
1	14	16	2	12930621	12930621	2026-11-26 18:30:22.187624+00	done	2026-11-26 18:30:22.205202+00	f	k-14	\N	\N	\N	\N	{"emails": null, "contact": 10027}
1	17	19	2	12930621	12930621	2026-11-26 18:30:22.238475+00	done	2026-11-26 18:30:22.246372+00	f	k-17	\N	\N	\N	\N	{"emails": null, "contact": 10034}
1	16	18	2	12930621	12930621	2026-11-26 18:30:22.238398+00	done	2026-11-26 18:30:22.246447+00	f	k-16	\N	\N	\N	\N	{"emails": null, "contact": 10033}
1	19	21	2	12930621	12930621	2026-11-26 18:30:22.254047+00	done	2026-11-26 18:30:22.262973+00	f	k-19	\N	\N	\N	\N	{"emails": null, "contact": 10036}
1	18	20	2	12930621	12930621	2026-11-26 18:30:22.253948+00	done	2026-11-26 18:30:22.263039+00	f	k-18	\N	\N	\N	\N	{"emails": null, "contact": 10035}
1	21	23	2	12930621	12930621	2026-11-26 18:30:22.307788+00	done	2026-11-26 18:30:22.32683+00	f	k-21	\N	\N	\N	\N	{"emails": null, "contact": 10042}
1	20	22	2	12930621	12930621	2026-11-26 18:30:22.307673+00	done	2026-11-26 18:30:22.326896+00	f	k-20	\N	\N	\N	\N	{"emails": null, "contact": 10041}
1	22	24	2	12930621	12930621	2026-11-26 18:30:22.335342+00	done	2026-11-26 18:30:22.356312+00	f	k-22	\N	\N	\N	\N	{"emails": null, "contact": 10043}
1	41	43	0	\N	\N	\N	planned	\N	f	k-41	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row41@example.com"], "phones": [], "lastName": "Row-041", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	42	44	0	\N	\N	\N	planned	\N	f	k-42	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row42@example.com"], "phones": [], "lastName": "Row-042", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	43	45	0	\N	\N	\N	planned	\N	f	k-43	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row43@example.com"], "phones": [], "lastName": "Row-043", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	44	46	0	\N	\N	\N	planned	\N	f	k-44	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row44@example.com"], "phones": [], "lastName": "Row-044", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	45	47	0	\N	\N	\N	planned	\N	f	k-45	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row45@example.com"], "phones": [], "lastName": "Row-045", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	23	25	2	12930621	12930621	2026-11-26 18:30:22.335434+00	done	2026-11-26 18:30:22.356261+00	f	k-23	\N	\N	\N	\N	{"emails": null, "contact": 10044}
1	25	27	2	12930621	12930621	2026-11-26 18:30:22.389549+00	done	2026-11-26 18:30:22.405924+00	f	k-25	\N	\N	\N	\N	{"emails": null, "contact": 10050}
1	24	26	2	12930621	12930621	2026-11-26 18:30:22.389464+00	done	2026-11-26 18:30:22.405972+00	f	k-24	\N	\N	\N	\N	{"emails": null, "contact": 10049}
1	27	29	2	12930621	12930621	2026-11-26 18:30:22.425207+00	done	2026-11-26 18:30:22.444953+00	f	k-27	\N	\N	\N	\N	{"emails": null, "contact": 10052}
1	26	28	2	12930621	12930621	2026-11-26 18:30:22.425121+00	done	2026-11-26 18:30:22.445005+00	f	k-26	\N	\N	\N	\N	{"emails": null, "contact": 10051}
1	29	31	2	12930621	12930621	2026-11-26 18:30:22.52434+00	done	2026-11-26 18:30:22.533825+00	f	k-29	\N	\N	\N	\N	{"emails": null, "contact": 10058}
1	28	30	2	12930621	12930621	2026-11-26 18:30:22.524254+00	done	2026-11-26 18:30:22.533871+00	f	k-28	\N	\N	\N	\N	{"emails": null, "contact": 10057}
1	31	33	2	12930621	12930621	2026-11-26 18:30:22.546849+00	done	2026-11-26 18:30:22.553982+00	f	k-31	\N	\N	\N	\N	{"emails": null, "contact": 10060}
1	30	32	2	12930621	12930621	2026-11-26 18:30:22.546765+00	done	2026-11-26 18:30:22.554026+00	f	k-30	\N	\N	\N	\N	{"emails": null, "contact": 10059}
1	33	35	2	12930621	12930621	2026-11-26 18:30:22.633498+00	done	2026-11-26 18:30:22.638336+00	f	k-33	\N	\N	\N	\N	{"emails": null, "contact": 10066}
1	32	34	2	12930621	12930621	2026-11-26 18:30:22.633413+00	done	2026-11-26 18:30:22.638396+00	f	k-32	\N	\N	\N	\N	{"emails": null, "contact": 10065}
1	35	37	2	12930621	12930621	2026-11-26 18:30:22.642967+00	done	2026-11-26 18:30:22.651157+00	f	k-35	\N	\N	\N	\N	{"emails": null, "contact": 10068}
1	34	36	2	12930621	12930621	2026-11-26 18:30:22.642892+00	done	2026-11-26 18:30:22.651218+00	f	k-34	\N	\N	\N	\N	{"emails": null, "contact": 10067}
1	39	41	1	12930621	12930621	2026-11-26 18:30:22.662649+00	sent	\N	f	k-39	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row39@example.com"], "phones": [], "lastName": "Row-039", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	37	39	2	12930621	12930621	2026-11-26 18:30:22.673163+00	done	2026-11-26 18:30:22.689847+00	f	k-37	\N	\N	\N	\N	{"emails": null, "contact": 10074}
1	38	40	2	12930621	12930621	2026-11-26 18:30:22.693766+00	done	2026-11-26 18:30:22.699591+00	f	k-38	\N	\N	\N	\N	{"emails": null, "contact": 10075}
1	36	38	2	12930621	12930621	2026-11-26 18:30:22.704551+00	done	2026-11-26 18:30:22.706898+00	f	k-36	\N	\N	\N	\N	{"emails": null, "contact": 10073}
1	40	42	1	12930621	12930621	2026-11-26 18:30:22.718297+00	sent	\N	f	k-40	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row40@example.com"], "phones": [], "lastName": "Row-040", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	46	48	0	\N	\N	\N	planned	\N	f	k-46	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row46@example.com"], "phones": [], "lastName": "Row-046", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	47	49	0	\N	\N	\N	planned	\N	f	k-47	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row47@example.com"], "phones": [], "lastName": "Row-047", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	48	50	0	\N	\N	\N	planned	\N	f	k-48	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row48@example.com"], "phones": [], "lastName": "Row-048", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	49	51	0	\N	\N	\N	planned	\N	f	k-49	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row49@example.com"], "phones": [], "lastName": "Row-049", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	50	52	0	\N	\N	\N	planned	\N	f	k-50	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row50@example.com"], "phones": [], "lastName": "Row-050", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	51	53	0	\N	\N	\N	planned	\N	f	k-51	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row51@example.com"], "phones": [], "lastName": "Row-051", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	52	54	0	\N	\N	\N	planned	\N	f	k-52	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row52@example.com"], "phones": [], "lastName": "Row-052", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	53	55	0	\N	\N	\N	planned	\N	f	k-53	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row53@example.com"], "phones": [], "lastName": "Row-053", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	54	56	0	\N	\N	\N	planned	\N	f	k-54	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row54@example.com"], "phones": [], "lastName": "Row-054", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	55	57	0	\N	\N	\N	planned	\N	f	k-55	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row55@example.com"], "phones": [], "lastName": "Row-055", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	56	58	0	\N	\N	\N	planned	\N	f	k-56	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row56@example.com"], "phones": [], "lastName": "Row-056", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	57	59	0	\N	\N	\N	planned	\N	f	k-57	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row57@example.com"], "phones": [], "lastName": "Row-057", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	58	60	0	\N	\N	\N	planned	\N	f	k-58	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row58@example.com"], "phones": [], "lastName": "Row-058", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	59	61	0	\N	\N	\N	planned	\N	f	k-59	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row59@example.com"], "phones": [], "lastName": "Row-059", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	60	62	0	\N	\N	\N	planned	\N	f	k-60	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row60@example.com"], "phones": [], "lastName": "Row-060", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	61	63	0	\N	\N	\N	planned	\N	f	k-61	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row61@example.com"], "phones": [], "lastName": "Row-061", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	62	64	0	\N	\N	\N	planned	\N	f	k-62	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row62@example.com"], "phones": [], "lastName": "Row-062", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	63	65	0	\N	\N	\N	planned	\N	f	k-63	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row63@example.com"], "phones": [], "lastName": "Row-063", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	64	66	0	\N	\N	\N	planned	\N	f	k-64	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row64@example.com"], "phones": [], "lastName": "Row-064", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	65	67	0	\N	\N	\N	planned	\N	f	k-65	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row65@example.com"], "phones": [], "lastName": "Row-065", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	66	68	0	\N	\N	\N	planned	\N	f	k-66	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row66@example.com"], "phones": [], "lastName": "Row-066", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	67	69	0	\N	\N	\N	planned	\N	f	k-67	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row67@example.com"], "phones": [], "lastName": "Row-067", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	68	70	0	\N	\N	\N	planned	\N	f	k-68	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row68@example.com"], "phones": [], "lastName": "Row-068", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	69	71	0	\N	\N	\N	planned	\N	f	k-69	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row69@example.com"], "phones": [], "lastName": "Row-069", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	70	72	0	\N	\N	\N	planned	\N	f	k-70	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row70@example.com"], "phones": [], "lastName": "Row-070", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	71	73	0	\N	\N	\N	planned	\N	f	k-71	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row71@example.com"], "phones": [], "lastName": "Row-071", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	72	74	0	\N	\N	\N	planned	\N	f	k-72	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row72@example.com"], "phones": [], "lastName": "Row-072", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	73	75	0	\N	\N	\N	planned	\N	f	k-73	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row73@example.com"], "phones": [], "lastName": "Row-073", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	74	76	0	\N	\N	\N	planned	\N	f	k-74	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row74@example.com"], "phones": [], "lastName": "Row-074", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	75	77	0	\N	\N	\N	planned	\N	f	k-75	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row75@example.com"], "phones": [], "lastName": "Row-075", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	76	78	0	\N	\N	\N	planned	\N	f	k-76	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row76@example.com"], "phones": [], "lastName": "Row-076", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	77	79	0	\N	\N	\N	planned	\N	f	k-77	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row77@example.com"], "phones": [], "lastName": "Row-077", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	78	80	0	\N	\N	\N	planned	\N	f	k-78	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row78@example.com"], "phones": [], "lastName": "Row-078", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	79	81	0	\N	\N	\N	planned	\N	f	k-79	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row79@example.com"], "phones": [], "lastName": "Row-079", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	80	82	0	\N	\N	\N	planned	\N	f	k-80	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row80@example.com"], "phones": [], "lastName": "Row-080", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	81	83	0	\N	\N	\N	planned	\N	f	k-81	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row81@example.com"], "phones": [], "lastName": "Row-081", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	82	84	0	\N	\N	\N	planned	\N	f	k-82	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row82@example.com"], "phones": [], "lastName": "Row-082", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	83	85	0	\N	\N	\N	planned	\N	f	k-83	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row83@example.com"], "phones": [], "lastName": "Row-083", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	84	86	0	\N	\N	\N	planned	\N	f	k-84	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row84@example.com"], "phones": [], "lastName": "Row-084", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	85	87	0	\N	\N	\N	planned	\N	f	k-85	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row85@example.com"], "phones": [], "lastName": "Row-085", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	86	88	0	\N	\N	\N	planned	\N	f	k-86	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row86@example.com"], "phones": [], "lastName": "Row-086", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	87	89	0	\N	\N	\N	planned	\N	f	k-87	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row87@example.com"], "phones": [], "lastName": "Row-087", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	88	90	0	\N	\N	\N	planned	\N	f	k-88	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row88@example.com"], "phones": [], "lastName": "Row-088", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	89	91	0	\N	\N	\N	planned	\N	f	k-89	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row89@example.com"], "phones": [], "lastName": "Row-089", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	90	92	0	\N	\N	\N	planned	\N	f	k-90	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row90@example.com"], "phones": [], "lastName": "Row-090", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	91	93	0	\N	\N	\N	planned	\N	f	k-91	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row91@example.com"], "phones": [], "lastName": "Row-091", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	92	94	0	\N	\N	\N	planned	\N	f	k-92	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row92@example.com"], "phones": [], "lastName": "Row-092", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	93	95	0	\N	\N	\N	planned	\N	f	k-93	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row93@example.com"], "phones": [], "lastName": "Row-093", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	94	96	0	\N	\N	\N	planned	\N	f	k-94	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row94@example.com"], "phones": [], "lastName": "Row-094", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	95	97	0	\N	\N	\N	planned	\N	f	k-95	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row95@example.com"], "phones": [], "lastName": "Row-095", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	96	98	0	\N	\N	\N	planned	\N	f	k-96	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row96@example.com"], "phones": [], "lastName": "Row-096", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	97	99	0	\N	\N	\N	planned	\N	f	k-97	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row97@example.com"], "phones": [], "lastName": "Row-097", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	98	100	0	\N	\N	\N	planned	\N	f	k-98	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row98@example.com"], "phones": [], "lastName": "Row-098", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	99	101	0	\N	\N	\N	planned	\N	f	k-99	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row99@example.com"], "phones": [], "lastName": "Row-099", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	100	102	0	\N	\N	\N	planned	\N	f	k-100	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row100@example.com"], "phones": [], "lastName": "Row-100", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	101	103	0	\N	\N	\N	planned	\N	f	k-101	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row101@example.com"], "phones": [], "lastName": "Row-101", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	102	104	0	\N	\N	\N	planned	\N	f	k-102	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row102@example.com"], "phones": [], "lastName": "Row-102", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	103	105	0	\N	\N	\N	planned	\N	f	k-103	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row103@example.com"], "phones": [], "lastName": "Row-103", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	104	106	0	\N	\N	\N	planned	\N	f	k-104	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row104@example.com"], "phones": [], "lastName": "Row-104", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	105	107	0	\N	\N	\N	planned	\N	f	k-105	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row105@example.com"], "phones": [], "lastName": "Row-105", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	106	108	0	\N	\N	\N	planned	\N	f	k-106	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row106@example.com"], "phones": [], "lastName": "Row-106", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	107	109	0	\N	\N	\N	planned	\N	f	k-107	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row107@example.com"], "phones": [], "lastName": "Row-107", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	108	110	0	\N	\N	\N	planned	\N	f	k-108	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row108@example.com"], "phones": [], "lastName": "Row-108", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
1	109	111	0	\N	\N	\N	planned	\N	f	k-109	\N	\N	\N	{"tags": [], "cells": {}, "emails": ["row109@example.com"], "phones": [], "lastName": "Row-109", "firstName": "Test", "attributes": [], "messengers": [], "responsibleId": 77}	\N
\.
COPY carillon_jobs.server (is_only, id) FROM stdin;
t	075226d8-3c67-4d83-aa66-8c67cb23f7a3
\.
COPY carillon_jobs.slots (quota, slot, free_at) FROM stdin;
\.
COPY carillon_jobs.waits (name, until) FROM stdin;
\.
COPY carillon_jobs.workers (number, host, process, queues, chunks, started_at, beat_at, is_missing, file) FROM stdin;
12930621	worker	23034	{default/import-contacts/1/8b01def3}	{1.0}	2026-11-26 18:30:21.588453+00	2026-11-26 18:30:21.619725+00	f	53e4051a-f7e4-4559-8c83-7c887fd7c72a
\.
COPY carillon_jobs_queue.bam (id, name, version, status, queue, table_name, command, error, created_on, started_on, completed_on) FROM stdin;
\.
COPY carillon_jobs_queue.instance (id, name, host, pid, version, node_version, application_name, heartbeat_seconds, supervise, schedule, migrate, persist_queue_stats, persist_warnings, pool_max, pool_total, pool_idle, pool_waiting, workers, metrics, config, crash_restarts, crash_restarts_since, started_on, heartbeat_on, stopped_on) FROM stdin;
b983cd6f-e392-4eb5-a5dd-91d03243e3a6	\N	worker	23034	12.38.0	v24.21.0	carillon jobs	30	t	f	t	f	f	\N	\N	\N	\N	[]	{"cpu": null, "rss": 147025920, "cgroup": 1, "cpuLimit": 2, "heapUsed": 37559752, "heapLimit": 4496293888, "loopDelay": null, "memoryUsed": null, "memoryLimit": 25325268992, "cpuThrottled": null, "loopDelayMax": null, "loopUtilization": null}	{"adapter": "custom", "backend": "postgres", "migrate": true, "reindex": true, "schedule": false, "supervise": true, "createSchema": true, "useListenNotify": false, "bamIntervalSeconds": 60, "flowIntervalSeconds": 5, "warningRetentionDays": 365, "monitorIntervalSeconds": 3, "queueStatRetentionDays": 7, "reindexIntervalSeconds": 86400, "instanceHeartbeatSeconds": 30, "superviseIntervalSeconds": 3, "cronWorkerIntervalSeconds": 5, "queueCacheIntervalSeconds": 60, "cronMonitorIntervalSeconds": 30, "maintenanceIntervalSeconds": 86400, "clockMonitorIntervalSeconds": 600}	0	\N	2026-11-26 18:30:21.236962+00	2026-11-26 18:30:21.236962+00	\N
\.
COPY carillon_jobs_queue.job_common (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, singleton_key, singleton_on, group_id, group_tier, start_after, created_on, started_on, completed_on, keep_until, output, dead_letter, policy, heartbeat_on, heartbeat_seconds, blocked, blocking, pending_dependencies, source_name, source_id, source_created_on, source_retry_count, source_output, source_root_id, trace_context, upsert_by_key) FROM stdin;
5232c4a5-af88-4896-9b7e-b1acaf7bbeea	default/import-contacts/1/8b01def3/1	0	{"job": "1", "chunk": 1}	created	2147483647	0	0	f	\N	86399	60	1.1	\N	\N	\N	2026-11-26 18:30:21.277377+00	2026-11-26 18:30:21.277377+00	\N	\N	2027-11-26 18:30:21.277377+00	\N	\N	exclusive	\N	10	f	f	0	\N	\N	\N	\N	\N	\N	\N	\N
886c4ade-da6a-4445-bd31-b0b919914672	default/import-contacts/1/8b01def3/1	0	{"job": "1", "chunk": 0}	active	2147483647	0	0	f	\N	86399	60	1.0	\N	\N	\N	2026-11-26 18:30:21.277377+00	2026-11-26 18:30:21.277377+00	2026-11-26 18:30:21.612262+00	\N	2027-11-26 18:30:21.277377+00	\N	\N	exclusive	2026-11-26 18:30:21.612262+00	10	f	f	0	\N	\N	\N	\N	\N	\N	\N	\N
\.
COPY carillon_jobs_queue.job_dependency (child_name, child_id, parent_name, parent_id) FROM stdin;
\.
COPY carillon_jobs_queue.queue (name, policy, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, retention_seconds, deletion_seconds, dead_letter, partition, table_name, deferred_count, blocked_count, queued_count, ready_count, warning_queued, active_count, failed_count, total_count, retained_count, retained_on, created_delta, completed_delta, failed_delta, delta_on, delta_seconds, wait_bins, run_bins, ready_oldest_seconds, ready_history, heartbeat_seconds, notify, singletons_active, monitor_claim_on, monitor_on, maintain_on, created_on, updated_on) FROM stdin;
default/import-contacts/1/8b01def3/1	exclusive	2147483647	0	f	\N	86399	31536000	60	\N	f	job_common	0	0	0	0	0	0	0	0	\N	\N	0	0	0	\N	\N	\N	\N	\N	{}	10	f	\N	\N	\N	\N	2026-11-26 18:30:21.5125+00	2026-11-26 18:30:21.5125+00
\.
COPY carillon_jobs_queue.queue_stats_20261126 (id, name, deferred_count, queued_count, ready_count, active_count, failed_count, total_count, created_delta, completed_delta, failed_delta, delta_seconds, delta_on, wait_bins, run_bins, ready_oldest_seconds, captured_on) FROM stdin;
\.
COPY carillon_jobs_queue.queue_stats_20261127 (id, name, deferred_count, queued_count, ready_count, active_count, failed_count, total_count, created_delta, completed_delta, failed_delta, delta_seconds, delta_on, wait_bins, run_bins, ready_oldest_seconds, captured_on) FROM stdin;
\.
COPY carillon_jobs_queue.schedule (name, key, kind, cron, timezone, data, options, created_on, updated_on, last_job_id) FROM stdin;
\.
COPY carillon_jobs_queue.subscription (event, name, created_on, updated_on) FROM stdin;
\.
COPY carillon_jobs_queue.version (version, cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on) FROM stdin;
46	\N	2026-11-26 18:30:21.24934+00	2026-11-26 18:30:21.217285+00	\N	\N
\.
COPY carillon_jobs_queue.warning (id, type, message, data, created_on) FROM stdin;
\.
SELECT pg_catalog.setval('carillon_jobs.jobs_id_seq', 1, true);
ALTER TABLE ONLY carillon_jobs.chunks
    ADD CONSTRAINT chunks_pkey PRIMARY KEY (job, number);
ALTER TABLE ONLY carillon_jobs.counts
    ADD CONSTRAINT counts_pkey PRIMARY KEY (job, chunk);
ALTER TABLE ONLY carillon_jobs.files
    ADD CONSTRAINT files_pkey PRIMARY KEY (job, file);
ALTER TABLE ONLY carillon_jobs.jobs
    ADD CONSTRAINT jobs_name_key UNIQUE (name);
ALTER TABLE ONLY carillon_jobs.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY carillon_jobs.opt_outs
    ADD CONSTRAINT opt_outs_pkey PRIMARY KEY (job, list, id);
ALTER TABLE ONLY carillon_jobs.removed
    ADD CONSTRAINT removed_pkey PRIMARY KEY (seed);
ALTER TABLE ONLY carillon_jobs.rows
    ADD CONSTRAINT rows_pkey PRIMARY KEY (job, number);
ALTER TABLE ONLY carillon_jobs.server
    ADD CONSTRAINT server_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY carillon_jobs.slots
    ADD CONSTRAINT slots_pkey PRIMARY KEY (quota, slot);
ALTER TABLE ONLY carillon_jobs.waits
    ADD CONSTRAINT waits_pkey PRIMARY KEY (name);
ALTER TABLE ONLY carillon_jobs.workers
    ADD CONSTRAINT workers_pkey PRIMARY KEY (number);
ALTER TABLE ONLY carillon_jobs_queue.bam
    ADD CONSTRAINT bam_pkey PRIMARY KEY (id);
ALTER TABLE ONLY carillon_jobs_queue.instance
    ADD CONSTRAINT instance_pkey PRIMARY KEY (id);
ALTER TABLE ONLY carillon_jobs_queue.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY carillon_jobs_queue.job_common
    ADD CONSTRAINT job_common_pkey PRIMARY KEY (name, id);
ALTER TABLE ONLY carillon_jobs_queue.job_dependency
    ADD CONSTRAINT job_dependency_pkey PRIMARY KEY (child_name, child_id, parent_name, parent_id);
ALTER TABLE ONLY carillon_jobs_queue.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (name);
ALTER TABLE ONLY carillon_jobs_queue.queue_stats
    ADD CONSTRAINT queue_stats_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY carillon_jobs_queue.queue_stats_20261126
    ADD CONSTRAINT queue_stats_20261126_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY carillon_jobs_queue.queue_stats_20261127
    ADD CONSTRAINT queue_stats_20261127_pkey PRIMARY KEY (id, captured_on);
ALTER TABLE ONLY carillon_jobs_queue.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name, key);
ALTER TABLE ONLY carillon_jobs_queue.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (event, name);
ALTER TABLE ONLY carillon_jobs_queue.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY carillon_jobs_queue.warning
    ADD CONSTRAINT warning_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX rows_key ON carillon_jobs.rows USING btree (job, key);
CREATE INDEX rows_problem ON carillon_jobs.rows USING btree (job, number) WHERE (state = ANY (ARRAY['refused'::text, 'unknown'::text]));
CREATE INDEX rows_sent ON carillon_jobs.rows USING btree (job, number) WHERE (state = 'sent'::text);
CREATE UNIQUE INDEX job_common_i1 ON carillon_jobs_queue.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'created'::carillon_jobs_queue.job_state) AND (policy = 'short'::text));
CREATE INDEX job_common_i10 ON carillon_jobs_queue.job_common USING btree (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE ((state < 'active'::carillon_jobs_queue.job_state) AND (NOT blocked) AND (policy = 'key_strict_fifo'::text));
CREATE INDEX job_common_i11 ON carillon_jobs_queue.job_common USING btree (name, priority DESC, created_on, start_after) WHERE ((state < 'active'::carillon_jobs_queue.job_state) AND (NOT blocked));
CREATE INDEX job_common_i12 ON carillon_jobs_queue.job_common USING btree (source_root_id) WHERE (source_root_id IS NOT NULL);
CREATE UNIQUE INDEX job_common_i13 ON carillon_jobs_queue.job_common USING btree (name, singleton_key) WHERE ((state = 'created'::carillon_jobs_queue.job_state) AND upsert_by_key);
CREATE INDEX job_common_i14 ON carillon_jobs_queue.job_common USING btree (name, state, blocked, start_after) WHERE (state = ANY (ARRAY['created'::carillon_jobs_queue.job_state, 'retry'::carillon_jobs_queue.job_state, 'active'::carillon_jobs_queue.job_state, 'failed'::carillon_jobs_queue.job_state]));
CREATE INDEX job_common_i15 ON carillon_jobs_queue.job_common USING btree (name, created_on);
CREATE INDEX job_common_i16 ON carillon_jobs_queue.job_common USING btree (name, completed_on) WHERE (completed_on IS NOT NULL);
CREATE INDEX job_common_i17 ON carillon_jobs_queue.job_common USING btree (name, singleton_key, created_on) WHERE ((state < 'active'::carillon_jobs_queue.job_state) AND (singleton_key IS NOT NULL));
CREATE UNIQUE INDEX job_common_i2 ON carillon_jobs_queue.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'active'::carillon_jobs_queue.job_state) AND (policy = 'singleton'::text));
CREATE UNIQUE INDEX job_common_i3 ON carillon_jobs_queue.job_common USING btree (name, state, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::carillon_jobs_queue.job_state) AND (policy = 'stately'::text));
CREATE UNIQUE INDEX job_common_i4 ON carillon_jobs_queue.job_common USING btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::carillon_jobs_queue.job_state) AND (singleton_on IS NOT NULL));
CREATE UNIQUE INDEX job_common_i6 ON carillon_jobs_queue.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::carillon_jobs_queue.job_state) AND (policy = 'exclusive'::text));
CREATE INDEX job_common_i7 ON carillon_jobs_queue.job_common USING btree (name, group_id) WHERE ((state = 'active'::carillon_jobs_queue.job_state) AND (group_id IS NOT NULL));
CREATE UNIQUE INDEX job_common_i8 ON carillon_jobs_queue.job_common USING btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active'::carillon_jobs_queue.job_state, 'retry'::carillon_jobs_queue.job_state, 'failed'::carillon_jobs_queue.job_state])) AND (policy = 'key_strict_fifo'::text));
CREATE INDEX job_common_i9 ON carillon_jobs_queue.job_common USING btree (name, id) WHERE (blocking AND (state = 'completed'::carillon_jobs_queue.job_state));
CREATE INDEX job_dep_parent_idx ON carillon_jobs_queue.job_dependency USING btree (parent_name, parent_id);
CREATE INDEX queue_stats_i1 ON ONLY carillon_jobs_queue.queue_stats USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX queue_stats_20261126_name_captured_on_deferred_count_queued_idx ON carillon_jobs_queue.queue_stats_20261126 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX queue_stats_20261127_name_captured_on_deferred_count_queued_idx ON carillon_jobs_queue.queue_stats_20261127 USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);
CREATE INDEX warning_i1 ON carillon_jobs_queue.warning USING btree (created_on DESC);
ALTER INDEX carillon_jobs_queue.job_pkey ATTACH PARTITION carillon_jobs_queue.job_common_pkey;
ALTER INDEX carillon_jobs_queue.queue_stats_i1 ATTACH PARTITION carillon_jobs_queue.queue_stats_20261126_name_captured_on_deferred_count_queued_idx;
ALTER INDEX carillon_jobs_queue.queue_stats_pkey ATTACH PARTITION carillon_jobs_queue.queue_stats_20261126_pkey;
ALTER INDEX carillon_jobs_queue.queue_stats_i1 ATTACH PARTITION carillon_jobs_queue.queue_stats_20261127_name_captured_on_deferred_count_queued_idx;
ALTER INDEX carillon_jobs_queue.queue_stats_pkey ATTACH PARTITION carillon_jobs_queue.queue_stats_20261127_pkey;
CREATE TRIGGER count_closed AFTER DELETE ON carillon_jobs.chunks FOR EACH ROW EXECUTE FUNCTION carillon_jobs.count_closed();
CREATE TRIGGER end_new BEFORE INSERT ON carillon_jobs.rows FOR EACH ROW WHEN (((new.state <> ALL (ARRAY['planned'::text, 'sent'::text])) AND (new.ended_at IS NULL))) EXECUTE FUNCTION carillon_jobs.end_row();
CREATE TRIGGER end_row BEFORE UPDATE OF state ON carillon_jobs.rows FOR EACH ROW WHEN (((old.state <> new.state) AND ((old.ended_at IS NOT NULL) OR (new.state <> ALL (ARRAY['planned'::text, 'sent'::text]))))) EXECUTE FUNCTION carillon_jobs.end_row();
CREATE TRIGGER uncount_opened AFTER INSERT ON carillon_jobs.chunks REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION carillon_jobs.uncount_opened();
CREATE TRIGGER uncount_row AFTER UPDATE OF state ON carillon_jobs.rows FOR EACH ROW WHEN (((old.state <> new.state) AND (old.state <> 'sent'::text) AND ((old.state <> 'planned'::text) OR (new.state <> 'sent'::text)))) EXECUTE FUNCTION carillon_jobs.uncount_row();
ALTER TABLE ONLY carillon_jobs.chunks
    ADD CONSTRAINT chunks_job_fkey FOREIGN KEY (job) REFERENCES carillon_jobs.jobs(id) ON DELETE CASCADE;
ALTER TABLE ONLY carillon_jobs.counts
    ADD CONSTRAINT counts_job_fkey FOREIGN KEY (job) REFERENCES carillon_jobs.jobs(id) ON DELETE CASCADE;
ALTER TABLE ONLY carillon_jobs.files
    ADD CONSTRAINT files_job_fkey FOREIGN KEY (job) REFERENCES carillon_jobs.jobs(id) ON DELETE CASCADE;
ALTER TABLE ONLY carillon_jobs.opt_outs
    ADD CONSTRAINT opt_outs_job_fkey FOREIGN KEY (job) REFERENCES carillon_jobs.jobs(id) ON DELETE CASCADE;
ALTER TABLE ONLY carillon_jobs_queue.job_common
    ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES carillon_jobs_queue.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY carillon_jobs_queue.job_common
    ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES carillon_jobs_queue.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY carillon_jobs_queue.queue
    ADD CONSTRAINT queue_dead_letter_fkey FOREIGN KEY (dead_letter) REFERENCES carillon_jobs_queue.queue(name);
ALTER TABLE ONLY carillon_jobs_queue.schedule
    ADD CONSTRAINT schedule_name_fkey FOREIGN KEY (name) REFERENCES carillon_jobs_queue.queue(name) ON DELETE CASCADE;
ALTER TABLE ONLY carillon_jobs_queue.subscription
    ADD CONSTRAINT subscription_name_fkey FOREIGN KEY (name) REFERENCES carillon_jobs_queue.queue(name) ON DELETE CASCADE;
