/**
 * Migration to version 3: what people ask about a job and its rows.
 *
 * @param schema - quoted name of the schema
 */
export function addAnswers(schema: string): string {
  return `
    ALTER TABLE ${schema}.jobs
      -- What became of the rows of the source when the job was planned.
      ADD COLUMN plan jsonb;
  `;
}
