/** Requests in a row without a sure outcome: as many may leave before rows wait for each other, and after as many, the job pauses. */
const { maxLostOpen, maxLost } = { maxLostOpen: 3, maxLost: 20 };

/** Waits before a row tries again, in milliseconds. Each one is twice the last. */
const { firstWait, maxWait } = { firstWait: 500, maxWait: 30_000 };

/**
 * Migration to version 4: jobs share workers. Each has a priority and a gate of its own.
 *
 * @param schema - quoted name of the schema
 */
export function addSharing(schema: string): string {
  return `
    -- Jobs with a higher priority go first.
    ALTER TABLE ${schema}.jobs ADD COLUMN priority int NOT NULL DEFAULT 0;
    -- Jobs have gates instead.
    DELETE FROM ${schema}.waits WHERE name LIKE 'queue %';

    -- Marks planned rows as sent, in the order in which they are given: the commit that precedes every request. A row that another
    -- worker changed has another attempt, and is not marked. 'wait' is in milliseconds. 'is_full': the limit of rows in flight is reached.
    DROP FUNCTION ${schema}.mark(int, timestamptz, bigint[], int[], int[]);
    CREATE FUNCTION ${schema}.mark(by_worker int, clock timestamptz, given_jobs bigint[], given_numbers int[], given_attempts int[])
    RETURNS TABLE (attempt int, job_state text, wait float8, is_full boolean) LANGUAGE plpgsql AS $$
      BEGIN
        -- Others count after this transaction, when they see its rows. Ordered, to prevent deadlocks.
        PERFORM FROM ${schema}.jobs j WHERE j.id = ANY (given_jobs) AND (j.concurrency IS NOT NULL OR j.closed_wait IS NOT NULL) ORDER BY j.id FOR NO KEY UPDATE;
        RETURN QUERY WITH job AS MATERIALIZED (
          SELECT j.id, j.state, j.concurrency, j.closed_wait, j.closed_until > clock_timestamp() AS is_closed,
            least(j.closed_wait, extract(epoch FROM j.closed_until - clock_timestamp()) * 1000) AS closed_for,
            (SELECT max(w.until) FROM ${schema}.waits w WHERE w.name = 'account ' || j.account || ' ' || j.service AND w.until > clock) AS until,
            CASE WHEN j.concurrency IS NOT NULL THEN (
              SELECT count(*) FROM ${schema}.rows r WHERE r.job = j.id AND r.state = 'sent' AND r.worker IS NOT NULL
                AND r.sent_at > clock_timestamp() - j.lookup_after * interval '1 millisecond'
            ) END AS busy
          FROM ${schema}.jobs j WHERE j.id = ANY (given_jobs)
        ), want AS MATERIALIZED (
          SELECT g.*, job.state, job.until, CASE WHEN job.closed_wait IS NOT NULL THEN greatest(job.closed_for, ${firstWait}) END AS closed_for,
            -- While the service fails, one row of the job tries, and only when its wait is over.
            (job.closed_wait IS NULL OR NOT job.is_closed AND row_number() OVER (PARTITION BY g.job ORDER BY g.place) = 1) AS is_open,
            coalesce(job.busy + row_number() OVER (PARTITION BY g.job ORDER BY g.place) > job.concurrency, false) AS is_full
          FROM unnest(given_jobs, given_numbers, given_attempts) WITH ORDINALITY AS g (job, number, attempt, place)
          LEFT JOIN job ON job.id = g.job
        ), marked AS (
          UPDATE ${schema}.rows r
          SET state = 'sent', worker = by_worker, sender = by_worker, attempt = r.attempt + 1, sent_at = clock_timestamp()
          FROM want
          WHERE r.job = want.job AND r.number = want.number AND r.attempt = want.attempt AND r.state = 'planned'
            AND want.state = 'running' AND want.until IS NULL AND want.is_open AND NOT want.is_full
          RETURNING r.job, r.number, r.attempt
        ), tries AS (
          -- Its outcome sets the next time. Without one, as after a kill, another row tries when its request can no longer be processed.
          UPDATE ${schema}.jobs j SET closed_until = clock_timestamp() + j.lookup_after * interval '1 millisecond', is_trying = true
          WHERE j.closed_wait IS NOT NULL AND j.id IN (SELECT m.job FROM marked m)
        )
        SELECT m.attempt, want.state, coalesce(extract(epoch FROM want.until - clock) * 1000, CASE WHEN m.attempt IS NULL THEN want.closed_for END)::float8,
          want.is_full
        FROM want LEFT JOIN marked m ON m.job = want.job AND m.number = want.number
        ORDER BY want.place;
      END $$;

    -- Counts requests in a row without a sure outcome, by job and step, over all workers. After some of them, or if the service is away, only
    -- one row of the job at a time tries, with growing waits. After many, the job pauses. Only an answer to a request of the same step ends this.
    CREATE OR REPLACE FUNCTION ${schema}.count_replies(outcomes jsonb) RETURNS void LANGUAGE plpgsql AS $$
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
            PERFORM pg_notify('${schema.slice(1, -1)}', found.job::text) FROM ${schema}.jobs j
            WHERE j.id = found.job AND j.closed_wait IS NOT NULL AND j.lost - found.kind = '{}';
            UPDATE ${schema}.jobs j SET lost = j.lost - found.kind, is_trying = false,
              closed_wait = CASE WHEN j.lost - found.kind = '{}' THEN NULL ELSE j.closed_wait END,
              closed_until = CASE WHEN j.lost - found.kind = '{}' THEN NULL ELSE clock_timestamp() + j.closed_wait * interval '1 millisecond' END,
              outage = CASE WHEN j.lost - found.kind = '{}' THEN NULL ELSE j.outage END
            WHERE j.id = found.job AND j.lost <> '{}';
          ELSIF found.lost = 0 AND found.failures = 0 THEN
            -- The row that tried sent nothing.
            UPDATE ${schema}.jobs j SET is_trying = false, closed_until = clock_timestamp() + j.closed_wait * interval '1 millisecond'
            WHERE j.id = found.job AND j.is_trying;
          ELSE
            -- Without lost requests, an entry says only that the step has to be answered.
            UPDATE ${schema}.jobs j SET lost = j.lost || jsonb_build_object(found.kind, coalesce((j.lost->>found.kind)::int, 0) + found.lost),
              outage = jsonb_build_object('since', coalesce(j.outage->'since', to_jsonb(clock_timestamp())), 'reason', found.failure)
            WHERE j.id = found.job;
            -- Those that were in flight when it began do not make the wait grow.
            SELECT CASE WHEN j.is_trying THEN least(j.closed_wait * 2, ${maxWait}) WHEN j.closed_wait IS NULL THEN ${firstWait} END INTO next_wait
            FROM ${schema}.jobs j WHERE j.id = found.job AND (found.failures > found.lost OR (j.lost->>found.kind)::int > ${maxLostOpen} OR j.closed_wait IS NOT NULL);
            UPDATE ${schema}.jobs j SET is_trying = false, closed_wait = next_wait, closed_until = clock_timestamp() + next_wait * interval '1 millisecond'
            WHERE j.id = found.job AND next_wait IS NOT NULL;
            UPDATE ${schema}.jobs j SET state = 'paused', reason = format(
              '%s requests in a row had no sure outcome (step %s). Check the service, then resume the job', j.lost->>found.kind, found.kind)
            WHERE j.id = found.job AND j.state = 'running' AND (j.lost->>found.kind)::int >= ${maxLost};
          END IF;
        END LOOP;
      END $$;

    -- Takes over sent rows when their requests can no longer be processed, if their workers have ended or do not hold them. A request whose
    -- worker ended before it wrote an outcome counts as lost, by its step. Requests that left before the first loss was noticed were in
    -- flight together: they close the gate, and do not pause the job, which a healthy service answers again.
    CREATE FUNCTION ${schema}.take_over(of_job bigint, given_numbers int[], given_kinds text[], by_worker int)
    RETURNS SETOF ${schema}.rows LANGUAGE plpgsql AS $$
      DECLARE
        taken int[];
        lost jsonb;
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        WITH due AS MATERIALIZED (
          -- Only its sender, until the outcome is written or another worker takes the row over.
          SELECT r.number, g.kind, r.worker = r.sender AS is_lost, r.sent_at <= coalesce((j.outage->>'since')::timestamptz, 'infinity') AS was_in_flight
          FROM unnest(given_numbers, given_kinds) AS g (number, kind)
          JOIN ${schema}.jobs j ON j.id = of_job JOIN ${schema}.rows r ON r.job = of_job AND r.number = g.number
          WHERE r.state = 'sent' AND r.sent_at < clock_timestamp() - j.lookup_after * interval '1 millisecond'
            AND CASE WHEN r.worker IS NULL OR r.worker = by_worker THEN true ELSE ${schema}.is_gone(r.worker) END
          ORDER BY r.number FOR NO KEY UPDATE OF r
        ), written AS (
          UPDATE ${schema}.rows r SET worker = by_worker, attempt = r.attempt + 1 FROM due d WHERE r.job = of_job AND r.number = d.number
        )
        SELECT array_agg(d.number), (
          SELECT jsonb_agg(jsonb_build_object('job', of_job, 'kind', c.kind, 'isAnswered', false, 'failure', 'workers ended before they knew the outcome'))
          FROM (
            SELECT l.kind, count(*) FILTER (WHERE NOT l.was_in_flight) AS later, count(*) FILTER (WHERE l.was_in_flight) AS earlier
            FROM due l WHERE l.is_lost AND l.kind IS NOT NULL GROUP BY l.kind
          ) c JOIN ${schema}.jobs j ON j.id = of_job,
          generate_series(1, c.later + least(c.earlier, greatest(${maxLostOpen + 1} - coalesce((j.lost->>c.kind)::int, 0), 0)))
        ) INTO taken, lost FROM due d;
        IF lost IS NOT NULL THEN PERFORM ${schema}.count_replies(lost); END IF;
        RETURN QUERY SELECT r.* FROM ${schema}.rows r WHERE r.job = of_job AND r.number = ANY (taken);
      END $$;

    -- Ends all waits of a job, and continues it if it is paused.
    CREATE OR REPLACE FUNCTION ${schema}.resume(of_job bigint) RETURNS boolean LANGUAGE plpgsql AS $$
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
