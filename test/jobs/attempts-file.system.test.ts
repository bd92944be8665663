import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attemptsFolder } from './attempts-folder.ts';
import { missingPostgres } from './start-postgres.ts';
import { open, tagJob } from './tag-job.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';

test.skipIf(missingPostgres)(
  `only the user can read the file of a worker, and it keeps no results of rows that are done${skipped}`,
  async () => {
    const folder = await attemptsFolder();
    await rm(folder, { recursive: true });
    const job = tagJob({ steps: [{ name: 'tag', send: async () => 'personal-result' }] });
    const { jobs } = await open(job, { folder });
    await jobs.plan(job, { options: ['one', 'two'] });
    await jobs.work({ until: 'tags' });
    const files = await readdir(folder);
    expect(files).not.toEqual([]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of files) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
      expect((await readFile(join(folder, name), 'latin1')).includes('personal-result'), name).toBe(false);
    }
  },
);

test.skipIf(missingPostgres)(`the next start removes what a file has of a removed job${skipped}`, async () => {
  const folder = await attemptsFolder();
  const job = tagJob({
    steps: [
      {
        name: 'tag',
        async send({ name }) {
          if (name === 'lost') throw new Error('personal-reason');
          return 1;
        },
      },
    ],
  });
  const { jobs } = await open(job, { folder });
  await jobs.plan(job, { options: ['one'] });
  await jobs.plan(job, { name: 'kept', options: ['two'] });
  for (const name of ['tags', 'kept']) await jobs.work({ until: name });
  await jobs.remove('tags');
  await jobs.work({ until: 'kept' });
  const { AttemptsFile } = await import('../../src/jobs/journal/attempts-file.ts');
  const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.sqlite'));
  const file = await AttemptsFile.open(folder, name.slice(0, 8));
  try {
    expect(file.jobs).toHaveLength(1);
  } finally {
    file.close();
  }
});
