import { chunkSize } from '../sizes.ts';

/**
 * SQL functions and triggers that open, close and count chunks.
 *
 * @param schema - quoted name of the schema
 */
export function createChunks(schema: string): string {
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
        UPDATE ${schema}.jobs j SET state = CASE WHEN j.went_back_at IS NULL THEN 'running' ELSE 'paused' END, ended_at = NULL
        WHERE j.id = of_job AND j.state = 'finished';
        RETURN opened;
      END $$;

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
  `;
}
