import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runJobs } from '../../../src/jobs/command/command.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { createDatabase, missingPostgres, startPostgres } from '../start-postgres.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';

test.skipIf(missingPostgres)(
  `status --watch waits while Postgres restarts, and shows the end of the job${skipped}`,
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const server = await serve(createSandbox(), { port: 0 });
    const folder = await mkdtemp(join(tmpdir(), 'carillon-jobs-'));
    onTestFinished(async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    });
    vi.stubEnv('CARILLON_BASE_URL', server.url);
    vi.stubEnv('CARILLON_API_KEY', 'any');
    vi.stubEnv('CARILLON_JOBS_FOLDER', join(folder, 'record'));
    vi.stubEnv('DATABASE_URL', await createDatabase(postgres.port));
    const printed: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
    const file = join(folder, 'people.csv');
    await writeFile(file, 'key,lastName,phones\np-1,Adler,15550100\n');
    await runJobs('carillon-jobs', ['run', 'import-contacts', file, '--responsible', '77', '--plan']);
    let shown = '';
    const show = (text: unknown): boolean => {
      shown += String(text);
      return true;
    };
    vi.spyOn(console, 'error').mockImplementation((text: string) => void show(text));
    vi.spyOn(process.stdout, 'write').mockImplementation(show);
    const shows = async (text: string): Promise<void> => {
      await vi.waitFor(() => expect(shown).toContain(text), { timeout: 40_000, interval: 20 });
    };
    const watched = runJobs('carillon-jobs', ['status', 'people', '--watch']);
    await shows('0 workers');
    await postgres.interrupt(() => shows('Waiting for the database.'));
    await shows('The database is back.');
    await runJobs('carillon-jobs', ['cancel', 'people']);
    expect(await watched).toBe(1);
    expect(printed.at(-1)).toMatch(/^people: .*cancelled/);
  },
);
