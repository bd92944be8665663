import { firstWait, maxLostOpen } from './gate.ts';

/** SQL that sets the columns of a row `r` that a worker sends. */
export const sentColumns = (worker: string): string =>
  `state = 'sent', worker = ${worker}, sender = ${worker}, attempt = r.attempt + 1, sent_at = clock_timestamp()`;

/**
 * SQL functions that mark rows as sent, and that take over the rows of workers that have ended.
 *
 * @param schema - quoted name of the schema
 */
export function createSending(schema: string): string {
  return `
    -- True if the session of a worker has ended. The caller then holds the lock until its transaction ends.
    CREATE FUNCTION ${schema}.is_gone(worker int) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN RETURN pg_try_advisory_xact_lock('${schema}.workers'::regclass::oid::int, worker); END $$;

    CREATE FUNCTION ${schema}.mark(by_worker int, clock timestamptz, given_jobs bigint[], given_numbers int[], given_attempts int[])
    RETURNS TABLE (attempt int, job_state text, wait float8, is_full boolean) LANGUAGE plpgsql AS $$
      BEGIN
        -- Others count after this transaction, when they see its rows. Ordered, to prevent deadlocks.
        PERFORM FROM ${schema}.jobs j WHERE j.id = ANY (given_jobs) AND (j.concurrency IS NOT NULL OR j.closed_wait IS NOT NULL)
        ORDER BY j.id FOR NO KEY UPDATE;
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
          SET ${sentColumns('by_worker')}
          FROM want
          WHERE r.job = want.job AND r.number = want.number AND r.attempt = want.attempt AND r.state = 'planned'
            AND want.state = 'running' AND want.until IS NULL AND want.is_open AND NOT want.is_full
          RETURNING r.job, r.number, r.attempt
        ), tries AS (
          -- Its outcome sets the next time. Without one, as after a kill, another row tries when its request can no longer be processed.
          UPDATE ${schema}.jobs j SET closed_until = clock_timestamp() + j.lookup_after * interval '1 millisecond', is_trying = true
          WHERE j.closed_wait IS NOT NULL AND j.id IN (SELECT m.job FROM marked m)
        )
        SELECT m.attempt, want.state,
          coalesce(extract(epoch FROM want.until - clock) * 1000, CASE WHEN m.attempt IS NULL THEN want.closed_for END)::float8,
          want.is_full
        FROM want LEFT JOIN marked m ON m.job = want.job AND m.number = want.number
        ORDER BY want.place;
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
  `;
}
