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
      -- What became of the rows of the source when the job was planned.
      ADD COLUMN plan jsonb;

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
    ${count(`NOT EXISTS (SELECT FROM ${schema}.chunks c WHERE c.job = r.job AND c.number = r.number / ${chunkSize})`)};
  `;
}
