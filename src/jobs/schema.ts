/** Rows of one message of the queue: few enough to be redone quickly, enough that the queue costs little. */
export const chunkSize = 100;

/**
 * The tables, by the version that they lead to.
 *
 * @param schema - name of the schema, quoted
 */
export const migrations: ((schema: string) => string)[] = [
  (schema) => `
    CREATE TABLE ${schema}.jobs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE,
      seed uuid NOT NULL DEFAULT gen_random_uuid(),
      account text NOT NULL,
      definition text NOT NULL,
      version int NOT NULL,
      steps text[] NOT NULL,
      checksum text NOT NULL,
      options jsonb NOT NULL,
      concurrency int,
      rate float8,
      state text NOT NULL DEFAULT 'running',
      reason text,
      total int NOT NULL DEFAULT 0,
      planned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      ended_at timestamptz
    );
    CREATE TABLE ${schema}.rows (
      job bigint NOT NULL,
      number int NOT NULL,
      line int NOT NULL,
      attempt int NOT NULL DEFAULT 0,
      worker int,
      sent_at timestamptz,
      state text NOT NULL,
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
    CREATE TABLE ${schema}.chunks (
      job bigint NOT NULL REFERENCES ${schema}.jobs ON DELETE CASCADE,
      number int NOT NULL,
      worker int,
      message uuid,
      PRIMARY KEY (job, number)
    );
    CREATE INDEX chunks_worker ON ${schema}.chunks (worker) WHERE worker IS NOT NULL;
    CREATE TABLE ${schema}.slots (
      quota text NOT NULL,
      slot int NOT NULL,
      free_at timestamptz NOT NULL DEFAULT '-infinity',
      PRIMARY KEY (quota, slot)
    );
    CREATE TABLE ${schema}.waits (name text PRIMARY KEY, until timestamptz NOT NULL);
    CREATE SEQUENCE ${schema}.workers AS int;
    -- True if the session of a worker has ended. Then the caller holds the lock until its transaction ends.
    CREATE FUNCTION ${schema}.is_gone(worker int) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN RETURN pg_try_advisory_xact_lock('${schema}.workers'::regclass::oid::int, worker); END $$;
  `,
  // The worker that sent a row, also after another one has taken it over.
  (schema) => `ALTER TABLE ${schema}.rows ADD COLUMN sender int`,
  // The service for which a job was planned, and why it fails now.
  (schema) => `ALTER TABLE ${schema}.jobs ADD COLUMN service text, ADD COLUMN outage jsonb`,
];

/** Version of the tables. */
export const schemaVersion = migrations.length;
