/** Requests in a row without a sure outcome that may leave before rows wait for each other. */
export const maxLostOpen = 3;

/** Requests in a row without a sure outcome after which the job pauses. */
const maxLost = 20;

/** First wait before a row tries again, in milliseconds. Each one is twice the last. */
export const firstWait = 500;

/** Longest wait before a row tries again, in milliseconds. */
const maxWait = 30_000;

/**
 * SQL function that closes and opens the gate of a job.
 *
 * @param schema - quoted name of the schema
 */
export function createGate(schema: string): string {
  return `
    -- Counts requests in a row without a sure outcome, by job and step, over all workers. After some of them, or if the service is away, only
    -- one row of the job at a time tries, with growing waits. After many, the job pauses. Only an answer to a request of the same step ends this.
    CREATE FUNCTION ${schema}.count_replies(outcomes jsonb) RETURNS void LANGUAGE plpgsql AS $$
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
            FROM ${schema}.jobs j
            WHERE j.id = found.job AND (found.failures > found.lost OR (j.lost->>found.kind)::int > ${maxLostOpen} OR j.closed_wait IS NOT NULL);
            UPDATE ${schema}.jobs j SET is_trying = false, closed_wait = next_wait, closed_until = clock_timestamp() + next_wait * interval '1 millisecond'
            WHERE j.id = found.job AND next_wait IS NOT NULL;
            UPDATE ${schema}.jobs j SET state = 'paused', reason = format(
              '%s requests in a row had no sure outcome (step %s). Check the service, then resume the job', j.lost->>found.kind, found.kind)
            WHERE j.id = found.job AND j.state = 'running' AND (j.lost->>found.kind)::int >= ${maxLost};
          END IF;
        END LOOP;
      END $$;
  `;
}
