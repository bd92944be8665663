import { chunkSize } from './sizes.ts';

/**
 * Migration to version 3: what people ask about a job and its rows.
 *
 * @param schema - quoted name of the schema
 */
export function addAnswers(schema: string): string {
  /** SQL that counts the rows of chunks of one job. */
  const count = (of: string): string => `
    INSERT INTO ${schema}.counts (job, chunk, planned, done, refused, unknown, begun)
    SELECT r.job, r.number / ${chunkSize}, count(*) FILTER (WHERE r.state = 'planned'), count(*) FILTER (WHERE r.state = 'done'),
      count(*) FILTER (WHERE r.state = 'refused'), count(*) FILTER (WHERE r.state = 'unknown'),
      count(*) FILTER (WHERE r.state = 'planned' AND coalesce(r.results, '{}') <> '{}')
    FROM ${schema}.rows r JOIN ${schema}.jobs j ON j.id = r.job WHERE ${of} GROUP BY 1, 2
    ON CONFLICT (job, chunk) DO UPDATE SET planned = excluded.planned, done = excluded.done, refused = excluded.refused,
      unknown = excluded.unknown, begun = excluded.begun`;
  return `
    ALTER TABLE ${schema}.jobs
      -- Counts of the source rows when the job was planned.
      ADD COLUMN plan jsonb,
      -- When its first row may be sent.
      ADD COLUMN start_at timestamptz,
      -- Days after its end for which it keeps personal data, and when it last forgot some.
      ADD COLUMN retention float8,
      ADD COLUMN forgotten_at timestamptz,
      -- Milliseconds for which lists of people who do not want what the job sends are valid, the current list, when it was read, and until when a
      -- worker that reads it is considered alive.
      ADD COLUMN recheck_after float8 NOT NULL DEFAULT 3600000,
      ADD COLUMN list uuid,
      ADD COLUMN checked_at timestamptz,
      ADD COLUMN checking_until timestamptz;

    -- People who do not want what a job sends, as hashes. Removed when the job has ended.
    CREATE TABLE ${schema}.opt_outs (
      job bigint NOT NULL REFERENCES ${schema}.jobs ON DELETE CASCADE,
      list uuid NOT NULL,
      id uuid NOT NULL,
      PRIMARY KEY (job, list, id)
    );

    -- Takes people out of a planned row, and lists them as refused rows. True if the row has not changed meanwhile.
    CREATE FUNCTION ${schema}.leave_out(of_job bigint, of_number int, of_attempt int, kept jsonb, left_out jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM ${schema}.jobs j WHERE j.id = of_job FOR NO KEY UPDATE;
        UPDATE ${schema}.rows r SET attempt = r.attempt + 1, state = CASE WHEN kept IS NULL THEN 'refused' ELSE r.state END,
          step = NULL, code = NULL, reason = CASE WHEN kept IS NULL THEN left_out->0->>'reason' ELSE r.reason END, "values" = coalesce(kept, r."values")
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

    -- Numbers of rows by state, of the chunks that are not being worked on. A status reads the rows of the other chunks.
    CREATE TABLE ${schema}.counts (
      job bigint NOT NULL REFERENCES ${schema}.jobs ON DELETE CASCADE,
      chunk int NOT NULL,
      planned int NOT NULL,
      done int NOT NULL,
      refused int NOT NULL,
      unknown int NOT NULL,
      begun int NOT NULL,
      PRIMARY KEY (job, chunk)
    );

    -- Counts all rows of a job that was just planned.
    CREATE FUNCTION ${schema}.count_job(of_job bigint) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN ${count('r.job = of_job')}; END $$;

    -- A chunk that is closed is counted. The job is locked, so no other statement opens it meanwhile.
    CREATE FUNCTION ${schema}.count_closed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        ${count(`r.job = old.job AND r.number >= old.number * ${chunkSize} AND r.number < (old.number + 1) * ${chunkSize}`)};
        RETURN NULL;
      END $$;
    CREATE TRIGGER count_closed AFTER DELETE ON ${schema}.chunks FOR EACH ROW EXECUTE FUNCTION ${schema}.count_closed();

    -- The counts of a chunk that is opened again, or in which a row leaves an end, are not valid any more.
    CREATE FUNCTION ${schema}.uncount_opened() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM ${schema}.counts c USING opened o WHERE c.job = o.job AND c.chunk = o.number;
        RETURN NULL;
      END $$;
    CREATE TRIGGER uncount_opened AFTER INSERT ON ${schema}.chunks REFERENCING NEW TABLE AS opened
      FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.uncount_opened();
    CREATE FUNCTION ${schema}.uncount_row() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM ${schema}.counts c WHERE c.job = new.job AND c.chunk = new.number / ${chunkSize};
        RETURN NULL;
      END $$;
    CREATE TRIGGER uncount_row AFTER UPDATE OF state ON ${schema}.rows FOR EACH ROW
      WHEN (old.state <> new.state AND old.state <> 'sent' AND (old.state <> 'planned' OR new.state <> 'sent'))
      EXECUTE FUNCTION ${schema}.uncount_row();

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

    -- For people and dashboards: the rows that a person should check, and those of them with an unknown outcome.
    CREATE VIEW ${schema}.problems AS
      SELECT j.name AS job, r.line, r.key, r.state, r.step, r.code, r.reason, r.sent_at
      FROM ${schema}.rows r JOIN ${schema}.jobs j ON j.id = r.job WHERE r.state IN ('refused', 'unknown');
    CREATE VIEW ${schema}.unknown AS SELECT * FROM ${schema}.problems p WHERE p.state = 'unknown';

    ${count(`NOT EXISTS (SELECT FROM ${schema}.chunks c WHERE c.job = r.job AND c.number = r.number / ${chunkSize})`)};
  `;
}
