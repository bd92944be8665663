/**
 * Tables, indexes and views.
 *
 * @param schema - quoted name of the schema
 */
export function createTables(schema: string): string {
  return `
    CREATE TABLE ${schema}.jobs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE,
      seed uuid NOT NULL DEFAULT gen_random_uuid(),
      account text NOT NULL,
      service text NOT NULL,
      queue text NOT NULL,
      definition text NOT NULL,
      version int NOT NULL,
      steps text[] NOT NULL,
      checksum text NOT NULL,
      options jsonb NOT NULL,
      -- Milliseconds: the deadline of a request, and the time after a mark from which its request can no longer be processed.
      deadline int NOT NULL,
      lookup_after int NOT NULL,
      concurrency int,
      rate float8,
      -- Jobs with a higher priority go first.
      priority int NOT NULL DEFAULT 0,
      state text NOT NULL DEFAULT 'running',
      reason text,
      total int NOT NULL DEFAULT 0,
      -- Counts of the source rows when the job was planned.
      plan jsonb,
      planned_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- When its first row may be sent.
      start_at timestamptz,
      ended_at timestamptz,
      -- Where the job may run; since when its sent rows are not known; and until when a person has answered that.
      place text NOT NULL DEFAULT ${schema}.place(),
      went_back_at timestamptz,
      answered_at timestamptz,
      -- The gate. Requests in a row without a sure outcome, by step. While there are many, the wait before the next try in milliseconds, its time,
      -- and whether a row is trying. Since when the service fails, and why.
      lost jsonb NOT NULL DEFAULT '{}',
      closed_wait float8,
      closed_until timestamptz,
      is_trying boolean NOT NULL DEFAULT false,
      outage jsonb,
      -- Days after its end for which it keeps personal data, and when it last forgot some.
      retention float8,
      forgotten_at timestamptz,
      -- Milliseconds for which lists of people who do not want what the job sends are valid, the current list, when it was read, and until when a
      -- worker that reads it is considered alive.
      recheck_after float8 NOT NULL DEFAULT 3600000,
      list uuid,
      checked_at timestamptz,
      checking_until timestamptz
    );
    CREATE TABLE ${schema}.rows (
      job bigint NOT NULL,
      number int NOT NULL,
      line int NOT NULL,
      attempt int NOT NULL DEFAULT 0,
      -- The worker that holds the row, and the one that sent it, which stays after another one takes the row over.
      worker int,
      sender int,
      sent_at timestamptz,
      state text NOT NULL,
      -- When its last outcome was written. Its end, if it is done, refused or unknown.
      ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- The data may have lost the marks of its next steps, so each of them is looked up before it is sent.
      is_suspect boolean NOT NULL DEFAULT false,
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
    -- Chunks that have rows to send or to look up.
    CREATE TABLE ${schema}.chunks (
      job bigint NOT NULL REFERENCES ${schema}.jobs ON DELETE CASCADE,
      number int NOT NULL,
      PRIMARY KEY (job, number)
    );
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
    CREATE TABLE ${schema}.workers (
      number int PRIMARY KEY,
      host text NOT NULL,
      process int NOT NULL,
      queues text[] NOT NULL,
      -- Chunks that it works on, as job.chunk.
      chunks text[] NOT NULL DEFAULT '{}',
      started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      beat_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- The worker was active before the data went back, and has not yet reported what it had sent.
      is_missing boolean NOT NULL DEFAULT false,
      file uuid NOT NULL
    );
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
    CREATE TABLE ${schema}.slots (
      quota text NOT NULL,
      slot int NOT NULL,
      free_at timestamptz NOT NULL DEFAULT '-infinity',
      PRIMARY KEY (quota, slot)
    );
    CREATE TABLE ${schema}.waits (name text PRIMARY KEY, until timestamptz NOT NULL);
    -- People who do not want what a job sends, as hashes. Removed when the job has ended.
    CREATE TABLE ${schema}.opt_outs (
      job bigint NOT NULL REFERENCES ${schema}.jobs ON DELETE CASCADE,
      list uuid NOT NULL,
      id uuid NOT NULL,
      PRIMARY KEY (job, list, id)
    );
    -- Identifies the tables, in one row. Unchanged after a failover or in a restored backup.
    CREATE TABLE ${schema}.server (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      id uuid NOT NULL DEFAULT gen_random_uuid()
    );
    INSERT INTO ${schema}.server DEFAULT VALUES;

    -- The workers with a live session, by their locks.
    CREATE VIEW ${schema}.sessions AS
      SELECT l.objid::bigint::int AS worker, l.pid FROM pg_locks l
      WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted AND l.classid = '${schema}.workers'::regclass::oid
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());

    -- For people and dashboards: the rows that a person should check, and those of them with an unknown outcome.
    CREATE VIEW ${schema}.problems AS
      SELECT j.name AS job, r.line, r.key, r.state, r.step, r.code, r.reason, r.sent_at
      FROM ${schema}.rows r JOIN ${schema}.jobs j ON j.id = r.job WHERE r.state IN ('refused', 'unknown');
    CREATE VIEW ${schema}.unknown AS SELECT * FROM ${schema}.problems p WHERE p.state = 'unknown';
  `;
}
