import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { repositoryRoot } from '../../scripts/spec/files.ts';

const workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      container: z.string().optional(),
      steps: z.array(z.looseObject({ run: z.string().optional() })),
    }),
  ),
});

/** Jobs that use the scripts of `.ci/`, which install packages of Debian. */
const jobs = globSync('.github/workflows/*.yml', { cwd: repositoryRoot }).flatMap((file) => {
  const { jobs } = workflow.parse(parse(readFileSync(join(repositoryRoot, file), 'utf8')));
  return Object.entries(jobs).flatMap(([name, job]) => {
    const commands = job.steps.flatMap(({ run }) => run ?? []);
    return commands.some((command) => command.includes('.ci/')) ? [{ name: `${file} ${name}`, commands, ...job }] : [];
  });
});

test('three workflows run the scripts of .ci', () => {
  expect(jobs.map(({ name }) => name.replace(/^.*\//, '')).sort()).toEqual([
    'ci.yml ci',
    'nightly.yml nightly',
    'release.yml check',
  ]);
});

test.each(jobs)('$name runs in the container that ci.yml uses, as its root, and trusts its folder', (job) => {
  expect(job.container).toBe(jobs.find(({ name }) => name.endsWith('ci.yml ci'))?.container);
  expect(job.container).toMatch(/bookworm$/);
  expect(job.commands).toContain('git config --global --add safe.directory "$GITHUB_WORKSPACE"');
  expect(job.commands.join()).not.toContain('sudo');
});
