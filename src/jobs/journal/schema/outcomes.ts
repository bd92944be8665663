import { chunkSize } from '../sizes.ts';

/** SQL that sets the columns of a row `r` to its outcome `g`. */
export const outcomeColumns = `state = g.state, step = g.step, reason = g.reason, code = g.code,
  results = coalesce(g.results, CASE WHEN g.state <> 'done' THEN r.results END), ended_at = clock_timestamp(),
  worker = CASE WHEN g.state = 'sent' THEN NULL ELSE g.worker END, is_suspect = r.is_suspect AND g."isClear" IS NOT TRUE,
  "values" = CASE WHEN g."forgetValues" THEN NULL ELSE r."values" END,
  sent_at = CASE WHEN g."isLate" THEN clock_timestamp() ELSE r.sent_at END`;

/** SQL condition that a row `r` still shows the attempt of its outcome `g`. */
export const currentRow =
  "r.job = g.job AND r.number = g.number AND r.attempt = g.attempt AND r.worker = g.worker AND r.state = 'sent'";

/**
 * SQL functions that write outcomes of rows, and that plan rows again.
 *
 * @param schema - quoted name of the schema
 */
export function createOutcomes(schema: string): string {
  return `
    -- Writes outcomes, each if the row still shows its attempt as sent by its worker. A certain outcome also counts after another worker
    -- has taken the row over: it replaces 'unknown', and ends a lookup. Returns the places of those that count, and the chunk if it was
    -- opened again.
    CREATE FUNCTION ${schema}.settle(outcomes jsonb) RETURNS TABLE (place int, reopened int) LANGUAGE plpgsql AS $$
      DECLARE
        settled int;
      BEGIN
        -- An answer changes nothing while no step of its job has lost requests.
        IF EXISTS (
          SELECT FROM ${schema}.outcomes_of(outcomes) g JOIN ${schema}.jobs j ON j.id = g.job
          WHERE g.kind IS NOT NULL AND (g."isAnswered" IS NOT TRUE OR j.lost <> '{}')
        ) THEN PERFORM ${schema}.count_replies(outcomes); END IF;
        RETURN QUERY UPDATE ${schema}.rows r SET ${outcomeColumns}
        FROM ${schema}.outcomes_of(outcomes) g WHERE ${currentRow}
        RETURNING g.place, NULL::int;
        GET DIAGNOSTICS settled = ROW_COUNT;
        IF settled = jsonb_array_length(outcomes) THEN RETURN; END IF;
        -- Prevents chunks from being closed meanwhile.
        PERFORM FROM ${schema}.jobs j WHERE j.id IN (SELECT g.job FROM ${schema}.outcomes_of(outcomes) g) ORDER BY j.id FOR NO KEY UPDATE;
        RETURN QUERY WITH written AS (
          -- The new attempt invalidates the outcome of the lookup.
          UPDATE ${schema}.rows r SET state = g.state, step = g.step, reason = g.reason, code = g.code,
            results = coalesce(g.results, CASE WHEN g.state <> 'done' THEN r.results END), ended_at = clock_timestamp(),
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

    CREATE FUNCTION ${schema}.outcomes_of(outcomes jsonb) RETURNS TABLE (
      place int, job bigint, number int, attempt int, worker int, state text, results jsonb, step text, reason text, code text,
      "forgetValues" boolean, "isLate" boolean, "isClear" boolean, kind text, "isAnswered" boolean
    ) LANGUAGE sql IMMUTABLE AS $$
      SELECT * FROM jsonb_to_recordset(outcomes) AS g (
        place int, job bigint, number int, attempt int, worker int, state text, results jsonb, step text, reason text, code text,
        "forgetValues" boolean, "isLate" boolean, "isClear" boolean, kind text, "isAnswered" boolean
      ) $$;

    -- Records the outcome of an unknown row, determined by a person. Returns its chunk, or NULL if there is no such row. The attempt
    -- increases, so that the file of its worker does not contradict.
    CREATE FUNCTION ${schema}.decide(of_job bigint, of_key text, is_done boolean, result jsonb) RETURNS int LANGUAGE plpgsql AS $$
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
    CREATE FUNCTION ${schema}.repair(of_job bigint) RETURNS int[] LANGUAGE plpgsql AS $$
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

    -- Plans refused rows again with the same values, and unknown ones if they were not done. Returns how many, their chunks, and how many of
    -- the chosen ones need other values or a decision.
    CREATE FUNCTION ${schema}.retry(
      of_job bigint, is_all boolean, of_keys text[], of_lines int4multirange, of_code text, is_not_done boolean,
      OUT count int, OUT chunks int[], OUT corrected int, OUT unknown int
    ) LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        WITH chosen AS MATERIALIZED (
          SELECT r.number, r.state, r.step IS NOT NULL AND r."values" IS NOT NULL AS has_values FROM ${schema}.rows r
          WHERE r.job = of_job AND r.state IN ('refused', 'unknown') AND (is_all OR r.key = ANY (of_keys) OR of_lines @> r.line)
            AND (of_code IS NULL OR r.code = of_code)
        ), written AS (
          UPDATE ${schema}.rows r SET state = 'planned', step = NULL, reason = NULL, code = NULL, attempt = r.attempt + 1
          FROM chosen c WHERE r.job = of_job AND r.number = c.number AND c.has_values AND (c.state = 'refused' OR is_not_done)
          RETURNING r.number
        ) SELECT array_agg(w.number),
            (SELECT count(*) FROM chosen c WHERE NOT c.has_values), (SELECT count(*) FROM chosen c WHERE c.state = 'unknown')
          INTO chunks, corrected, unknown FROM written w;
        count := coalesce(cardinality(chunks), 0);
        IF count > 0 THEN chunks := ${schema}.open_chunks(of_job, chunks); END IF;
      END $$;

    -- Takes people out of a planned row, and lists them as refused rows. True if the row has not changed meanwhile.
    CREATE FUNCTION ${schema}.leave_out(of_job bigint, of_number int, of_attempt int, kept jsonb, left_out jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        UPDATE ${schema}.rows r SET attempt = r.attempt + 1, state = CASE WHEN kept IS NULL THEN 'refused' ELSE r.state END,
          ended_at = clock_timestamp(), step = NULL, code = NULL,
          reason = CASE WHEN kept IS NULL THEN left_out->0->>'reason' ELSE r.reason END, "values" = coalesce(kept, r."values")
        WHERE r.job = of_job AND r.number = of_number AND r.attempt = of_attempt AND r.state = 'planned';
        IF NOT FOUND THEN RETURN false; END IF;
        IF kept IS NULL THEN RETURN true; END IF;
        INSERT INTO ${schema}.rows (job, number, line, key, state, reason, "values")
        SELECT of_job, j.total + o.place - 1, r.line, o.row->>'key', 'refused', o.row->>'reason', o.row->'values'
        FROM jsonb_array_elements(left_out) WITH ORDINALITY AS o (row, place)
        JOIN ${schema}.jobs j ON j.id = of_job JOIN ${schema}.rows r ON r.job = of_job AND r.number = of_number;
        UPDATE ${schema}.jobs j SET total = j.total + jsonb_array_length(left_out) WHERE j.id = of_job;
        RETURN true;
      END $$;
  `;
}
