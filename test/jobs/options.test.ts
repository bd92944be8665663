import { expect, test } from 'vitest';
import { openJobs } from '../../src/jobs/index.ts';

test("rejects a path as the service's address before it connects to the database", async () => {
  const client = { baseUrl: '/api', auth: null };
  const opened = openJobs({ database: 'postgres://127.0.0.1:1/jobs', definitions: [], client });
  await expect(opened).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/not on a server/),
  });
});

test('an unknown option is invalid, before it connects to the database', async () => {
  const client = { baseUrl: 'https://api.example.com', auth: null };
  const options = { database: 'postgres://127.0.0.1:1/jobs', definitions: [], client, foldr: 'x' };
  await expect(openJobs(options)).rejects.toMatchObject({
    name: 'JobsError',
    message: expect.stringContaining('There is no option foldr. Did you mean folder?'),
  });
});
