import { chunkSize } from './sizes.ts';

/** Tables whose identity counts, of ours and of pg-boss. Tables that users add do not count. */
const tables = {
  own: ['jobs', 'rows', 'chunks', 'workers', 'files', 'server'],
  queue: ['job', 'queue', 'version'],
};

/** Requests in a row without a sure outcome: as many may leave before rows wait for each other, and after as many, the job pauses. */
const { maxLostOpen, maxLost } = { maxLostOpen: 3, maxLost: 20 };

/** Waits before a row tries again, in milliseconds. Each one is twice the last. */
const { firstWait, maxWait } = { firstWait: 500, maxWait: 30_000 };

/**
 * Migration to version 2: each job knows the place in which it may run, and which workers' files have what was sent there.
 *
 * @param schema - quoted name of the schema
 */
export function addPlaces(schema: string): string {
  const queueSchema = `"${schema.slice(1, -1)}_queue"`;
  const names = [
    ...tables.own.map((name) => `${schema}.${name}`),
    ...tables.queue.map((name) => `${queueSchema}.${name}`),
  ];
  const utc = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  return `
    -- Files of workers that have sent rows of a job. After data went back, those that are not back may know of more requests.
    CREATE TABLE ${schema}.files (
      job bigint NOT NULL REFERENCES ${schema}.jobs ON DELETE CASCADE,
      file uuid NOT NULL,
      host text NOT NULL,
      folder text NOT NULL,
      is_back boolean NOT NULL DEFAULT true,
      PRIMARY KEY (job, file)
    );
    -- Seeds of jobs that were removed, so that workers remove what their files have of them.
    CREATE TABLE ${schema}.removed (seed uuid PRIMARY KEY, removed_at timestamptz NOT NULL DEFAULT clock_timestamp());

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

    -- Where the job may run; since when nobody knows which of its rows were sent; and until when a person has answered that.
    ALTER TABLE ${schema}.jobs ADD COLUMN place text NOT NULL DEFAULT ${schema}.place(),
      ADD COLUMN went_back_at timestamptz, ADD COLUMN answered_at timestamptz,
      -- Requests in a row without a sure outcome, by step. While there are many, the wait before the next try in milliseconds, its time, and
      -- whether a row is trying.
      ADD COLUMN lost jsonb NOT NULL DEFAULT '{}', ADD COLUMN closed_wait float8, ADD COLUMN closed_until timestamptz,
      ADD COLUMN is_trying boolean NOT NULL DEFAULT false;

    -- The data went back, so rows that were sent may look planned: the job pauses until a person resumes it.
    CREATE FUNCTION ${schema}.go_back(of_job bigint, why text) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        last_commit timestamptz;
      BEGIN
        SELECT greatest((SELECT max(w.beat_at) FROM ${schema}.workers w),
          (SELECT max(r.sent_at) FROM ${schema}.rows r WHERE r.job = of_job AND r.state = 'sent')) INTO last_commit;
        UPDATE ${schema}.workers w SET is_missing = true WHERE w.beat_at > last_commit - interval '1 minute';
        UPDATE ${schema}.files f SET is_back = false WHERE f.job = of_job;
        UPDATE ${schema}.jobs j SET state = CASE WHEN j.state = 'running' THEN 'paused' ELSE j.state END,
          place = ${schema}.place(), went_back_at = clock_timestamp(), reason = format(
            '%s (noticed at %s). Its last commit of a worker was at %s: rows that were sent after it may look planned. %s'
            'If another database still has this job, stop it there. Look at what the service has received since then. '
            'Start the workers that are missing in their folders, wait for them, and resume the job.', why,
            ${utc('clock_timestamp()')}, coalesce(${utc('last_commit')}, 'an unknown time'),
            (SELECT coalesce(string_agg(format('%s (process %s) worked on rows %s. ', w.host, w.process, (
              SELECT string_agg(format('%s to %s', split_part(c, '.', 2)::int * ${chunkSize}, split_part(c, '.', 2)::int * ${chunkSize} + ${chunkSize - 1}), ', ')
              FROM unnest(w.chunks) c WHERE split_part(c, '.', 1) = j.id::text)), ''), '')
              FROM ${schema}.workers w WHERE w.is_missing AND EXISTS (SELECT FROM unnest(w.chunks) c WHERE split_part(c, '.', 1) = j.id::text))
          ) WHERE j.id = of_job;
      END $$;

    -- Pauses the jobs that last ran elsewhere. Returns the identity of the tables and the place.
    CREATE OR REPLACE FUNCTION ${schema}.notice_server() RETURNS text LANGUAGE plpgsql AS $$
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

    -- Writes what the file of a worker has beyond the tables: a row that lost its mark gets the outcome that the worker knows, or is
    -- looked up. A row that has changed since the comparison stays. Returns how many.
    CREATE FUNCTION ${schema}.restore_sent(of_job bigint, attempts jsonb) RETURNS int LANGUAGE plpgsql AS $$
      DECLARE
        restored int;
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        WITH written AS (
          UPDATE ${schema}.rows r SET state = g.state, attempt = greatest(r.attempt, g.attempt) + 1, worker = NULL, sender = g.worker,
            sent_at = clock_timestamp(), step = g.step, code = g.code, results = coalesce(g.results, r.results), reason = g.reason,
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

    -- Writes outcomes, each if the row still shows its attempt as sent by its worker. A certain outcome also counts after another worker
    -- has taken the row over: it replaces 'unknown', and ends a lookup. Returns the places of those that count, and the chunk if it was
    -- opened again.
    CREATE OR REPLACE FUNCTION ${schema}.settle(outcomes jsonb) RETURNS TABLE (place int, reopened int) LANGUAGE plpgsql AS $$
      DECLARE
        settled int[];
      BEGIN
        PERFORM ${schema}.count_replies(outcomes);
        WITH given AS MATERIALIZED (SELECT * FROM ${schema}.outcomes_of(outcomes)), written AS (
          UPDATE ${schema}.rows r SET state = g.state, step = g.step, reason = g.reason, code = g.code, results = coalesce(g.results, CASE WHEN g.state <> 'done' THEN r.results END),
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
          UPDATE ${schema}.rows r SET state = g.state, step = g.step, reason = g.reason, code = g.code, results = coalesce(g.results, CASE WHEN g.state <> 'done' THEN r.results END),
            attempt = r.attempt + 1, worker = g.worker, "values" = CASE WHEN g."forgetValues" THEN NULL ELSE r."values" END
          FROM ${schema}.outcomes_of(outcomes) g
          WHERE r.job = g.job AND r.number = g.number AND r.attempt > g.attempt AND r.sender = g.worker
            AND r.state IN ('sent', 'unknown') AND g.state IN ('planned', 'done', 'refused')
          RETURNING g.place, g.job, g.number, g.state
        ), opened AS (
          INSERT INTO ${schema}.chunks (job, number) SELECT DISTINCT w.job, w.number / ${chunkSize} FROM written w WHERE w.state = 'planned'
          ON CONFLICT DO NOTHING RETURNING job, number
        ), running AS (
          UPDATE ${schema}.jobs j SET state = CASE WHEN j.went_back_at IS NULL THEN 'running' ELSE 'paused' END, ended_at = NULL
          WHERE j.state = 'finished' AND j.id IN (SELECT o.job FROM opened o)
        )
        SELECT w.place, o.number FROM written w LEFT JOIN opened o ON o.job = w.job AND o.number = w.number / ${chunkSize};
      END $$;

    -- Marks planned rows as sent, in the order in which they are given: the commit that precedes every request. A row that another
    -- worker changed has another attempt, and is not marked. 'wait' is in milliseconds.
    CREATE OR REPLACE FUNCTION ${schema}.mark(by_worker int, clock timestamptz, given_jobs bigint[], given_numbers int[], given_attempts int[])
    RETURNS TABLE (attempt int, job_state text, wait float8) LANGUAGE plpgsql AS $$
      BEGIN
        -- Others count after this transaction, when they see its rows. Ordered, to prevent deadlocks.
        PERFORM FROM ${schema}.jobs j WHERE j.id = ANY (given_jobs) AND (j.concurrency IS NOT NULL OR j.closed_wait IS NOT NULL) ORDER BY j.id FOR NO KEY UPDATE;
        RETURN QUERY WITH job AS MATERIALIZED (
          SELECT j.id, j.state, j.concurrency, j.closed_wait, j.closed_until > clock_timestamp() AS is_closed,
            least(j.closed_wait, extract(epoch FROM j.closed_until - clock_timestamp()) * 1000) AS closed_for,
            (SELECT max(w.until) FROM ${schema}.waits w
              WHERE w.name IN ('account ' || j.account || ' ' || j.service, 'queue ' || j.queue) AND w.until > clock) AS until,
            CASE WHEN j.concurrency IS NOT NULL THEN (
              SELECT count(*) FROM ${schema}.rows r WHERE r.job = j.id AND r.state = 'sent' AND r.worker IS NOT NULL
                AND r.sent_at > clock_timestamp() - j.lookup_after * interval '1 millisecond'
            ) END AS busy
          FROM ${schema}.jobs j WHERE j.id = ANY (given_jobs)
        ), want AS MATERIALIZED (
          SELECT g.*, job.state, job.until, CASE WHEN job.closed_wait IS NOT NULL THEN greatest(job.closed_for, 500) END AS closed_for,
            -- While the service fails, one row of the job tries, and only when its wait is over.
            (job.closed_wait IS NULL OR NOT job.is_closed AND row_number() OVER (PARTITION BY g.job ORDER BY g.place) = 1) AND (
            job.concurrency IS NULL OR job.busy + row_number() OVER (PARTITION BY g.job ORDER BY g.place) <= job.concurrency) AS has_room
          FROM unnest(given_jobs, given_numbers, given_attempts) WITH ORDINALITY AS g (job, number, attempt, place)
          LEFT JOIN job ON job.id = g.job
        ), marked AS (
          UPDATE ${schema}.rows r
          SET state = 'sent', worker = by_worker, sender = by_worker, attempt = r.attempt + 1, sent_at = clock_timestamp()
          FROM want
          WHERE r.job = want.job AND r.number = want.number AND r.attempt = want.attempt AND r.state = 'planned'
            AND want.state = 'running' AND want.until IS NULL AND want.has_room
          RETURNING r.job, r.number, r.attempt
        ), trying AS (
          -- Its outcome sets the next time. Without one, as after a kill, another row tries when its request can no longer be processed.
          UPDATE ${schema}.jobs j SET closed_until = clock_timestamp() + j.lookup_after * interval '1 millisecond', is_trying = true
          WHERE j.closed_wait IS NOT NULL AND j.id IN (SELECT m.job FROM marked m)
        )
        SELECT m.attempt, want.state, coalesce(extract(epoch FROM want.until - clock) * 1000, CASE WHEN m.attempt IS NULL THEN want.closed_for END)::float8
        FROM want LEFT JOIN marked m ON m.job = want.job AND m.number = want.number
        ORDER BY want.place;
      END $$;

    -- Counts requests in a row without a sure outcome, by job and step, over all workers. After some of them, only one row at a time
    -- tries, with growing waits, and after many, the job pauses. Only an answer to a request of the same step ends this.
    CREATE FUNCTION ${schema}.count_replies(outcomes jsonb) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        found record;
      BEGIN
        FOR found IN
          SELECT (o->>'job')::bigint AS job, o->>'kind' AS kind, bool_or((o->>'isAnswered')::boolean) AS is_answered, count(*)::int AS count
          FROM jsonb_array_elements(outcomes) o WHERE o->>'kind' IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
        LOOP
          IF found.is_answered IS NULL THEN
            -- The row that tried sent nothing.
            UPDATE ${schema}.jobs j SET is_trying = false, closed_until = clock_timestamp() + j.closed_wait * interval '1 millisecond'
            WHERE j.id = found.job AND j.is_trying;
          ELSIF found.is_answered THEN
            UPDATE ${schema}.jobs j SET lost = j.lost - found.kind, is_trying = false,
              closed_wait = CASE WHEN j.lost - found.kind = '{}' THEN NULL ELSE j.closed_wait END,
              closed_until = CASE WHEN j.lost - found.kind = '{}' THEN NULL ELSE clock_timestamp() + j.closed_wait * interval '1 millisecond' END
            WHERE j.id = found.job AND j.lost <> '{}';
          ELSE
            UPDATE ${schema}.jobs j SET lost = j.lost || jsonb_build_object(found.kind, coalesce((j.lost->>found.kind)::int, 0) + found.count)
            WHERE j.id = found.job;
            -- Those that were in flight when it began do not make the wait grow.
            UPDATE ${schema}.jobs j SET is_trying = false,
              closed_wait = CASE WHEN j.is_trying THEN least(j.closed_wait * 2, ${maxWait}) ELSE coalesce(j.closed_wait, ${firstWait}) END,
              closed_until = CASE WHEN j.is_trying OR j.closed_wait IS NULL
                THEN clock_timestamp() + CASE WHEN j.is_trying THEN least(j.closed_wait * 2, ${maxWait}) ELSE ${firstWait} END * interval '1 millisecond'
                ELSE j.closed_until END
            WHERE j.id = found.job AND (j.lost->>found.kind)::int > ${maxLostOpen};
            UPDATE ${schema}.jobs j SET state = 'paused', reason = format(
              '%s requests in a row had no sure outcome (step %s). Check the service, then resume the job', j.lost->>found.kind, found.kind)
            WHERE j.id = found.job AND j.state = 'running' AND (j.lost->>found.kind)::int >= ${maxLost};
          END IF;
        END LOOP;
      END $$;

    -- Opens the chunks of rows that were planned again. The caller has locked the job.
    CREATE OR REPLACE FUNCTION ${schema}.open_chunks(of_job bigint, numbers int[]) RETURNS int[] LANGUAGE plpgsql AS $$
      DECLARE
        opened int[] := ARRAY(SELECT DISTINCT n / ${chunkSize} FROM unnest(numbers) n);
      BEGIN
        INSERT INTO ${schema}.chunks (job, number) SELECT of_job, unnest(opened) ON CONFLICT DO NOTHING;
        UPDATE ${schema}.jobs j SET state = CASE WHEN j.went_back_at IS NULL THEN 'running' ELSE 'paused' END, ended_at = NULL
        WHERE j.id = of_job AND j.state = 'finished';
        RETURN opened;
      END $$;

    -- Records the outcome of an unknown row, determined by a person. Returns its chunk, or NULL if there is no such row. The attempt
    -- increases, so that the file of its worker does not contradict.
    CREATE OR REPLACE FUNCTION ${schema}.decide(of_job bigint, of_key text, is_done boolean, result jsonb) RETURNS int LANGUAGE plpgsql AS $$
      DECLARE
        decided int;
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        -- The row keeps the name of its step, whose result follows.
        UPDATE ${schema}.rows r SET state = 'planned', reason = NULL, code = NULL, attempt = r.attempt + 1,
          results = CASE WHEN is_done THEN coalesce(r.results, '{}') || jsonb_build_object(r.step, result) ELSE r.results END
        WHERE r.job = of_job AND r.key = of_key AND r.state = 'unknown' RETURNING r.number INTO decided;
        RETURN CASE WHEN decided IS NOT NULL THEN (${schema}.open_chunks(of_job, ARRAY[decided]))[1] END;
      END $$;

    -- Plans refused rows again with the values in the caller's temporary table carillon_repair. Fails if any of them has changed.
    CREATE OR REPLACE FUNCTION ${schema}.repair(of_job bigint) RETURNS int[] LANGUAGE plpgsql AS $$
      DECLARE
        repaired int[];
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        WITH written AS (
          UPDATE ${schema}.rows r SET state = 'planned', "values" = g."values", step = NULL, reason = NULL, code = NULL, line = g.line,
            attempt = r.attempt + 1
          FROM pg_temp.carillon_repair g WHERE r.job = of_job AND r.key = g.key AND r.state = 'refused' RETURNING r.number
        ) SELECT array_agg(w.number) INTO repaired FROM written w;
        IF coalesce(cardinality(repaired), 0) < (SELECT count(*) FROM pg_temp.carillon_repair) THEN
          RAISE EXCEPTION 'The rows were changed meanwhile. Nothing was planned.';
        END IF;
        RETURN ${schema}.open_chunks(of_job, repaired);
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
        PERFORM ${schema}.resume(of_job);
        RETURN suspects;
      END $$;

    CREATE OR REPLACE FUNCTION ${schema}.resume(of_job bigint) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        -- Its last rows may have ended while it was paused.
        UPDATE ${schema}.jobs j SET reason = NULL, lost = '{}', closed_wait = NULL, closed_until = NULL, state = CASE WHEN has_rows THEN 'running' ELSE 'finished' END,
          ended_at = CASE WHEN has_rows THEN NULL ELSE clock_timestamp() END
        FROM (SELECT EXISTS (SELECT FROM ${schema}.chunks c WHERE c.job = of_job) AS has_rows) c
        WHERE j.id = of_job AND j.state = 'paused' AND j.went_back_at IS NULL;
        RETURN FOUND;
      END $$;

    ALTER TABLE ${schema}.workers ADD COLUMN file uuid;
    ALTER TABLE ${schema}.server DROP COLUMN system, DROP COLUMN timeline, DROP COLUMN since;
  `;
}
