import { createClient } from 'carillon';
import { expect, test, vi } from 'vitest';
import { runJobs } from '../../../src/jobs/command/command.ts';
import { describeFailure } from '../../../src/jobs/command/failure.ts';

test('with --json, a failure is one JSON object on the last line of standard error, also a usage error', async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((text: string) => void lines.push(text));
  const last = (): unknown => JSON.parse(lines.at(-1) ?? '');
  expect(await runJobs('carillon-jobs', ['status', '--nonsense', '--json'])).toBe(2);
  expect(last()).toEqual({
    message: expect.stringContaining('--nonsense'),
    next: 'carillon-jobs --help shows the usage.',
    exitCode: 2,
  });
  vi.stubEnv('DATABASE_URL', '');
  expect(await runJobs('carillon-jobs', ['status', '--json'])).toBe(3);
  expect(last()).toMatchObject({ message: expect.stringMatching(/^DATABASE_URL is empty/), exitCode: 3 });
  expect(await runJobs('carillon-jobs', ['status'])).toBe(3);
  expect(lines.at(-1)).toMatch(/^carillon-jobs: DATABASE_URL is empty/);
});

test('a failed call has its operation, status, code and whether it was sent', async () => {
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'any' },
    maxRetries: 0,
    fetch: async () => Response.json({ code: 'accessDenied', message: 'No' }, { status: 403 }),
  });
  const error = await api.crm.tags.create({ name: 'a' }).catch((thrown: unknown) => thrown);
  expect(JSON.parse(describeFailure('carillon-jobs', error, true))).toMatchObject({
    operation: 'createTag',
    status: 403,
    sent: 'yes',
    exitCode: 1,
    message: expect.any(String),
  });
});
