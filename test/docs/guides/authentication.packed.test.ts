import { expect, onTestFinished, test } from 'vitest';
import { missingRedis, startRedis } from '../../client/tokens/redis-server.ts';
import { type Ended, prepareGuide, shownOutputs } from './program.ts';

const client = { CLIENT_ID: 'id', CLIENT_SECRET: 's3cret-of-the-client' };

/** The program's three calls run concurrently and end in any order. */
function calls({ stdout, stderr, code }: Omit<Ended, 'signal'>): string[] {
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return stdout.trimEnd().split('\n').sort();
}

async function shown(index: number): Promise<string[]> {
  return ((await shownOutputs('authentication'))[index] ?? '').trimEnd().split('\n').sort();
}

test('client credentials request one token for all calls, before the calls', async () => {
  const { run } = await prepareGuide('authentication');
  const ended = await run(client);
  expect(calls(ended)).toEqual(await shown(0));
  expect(ended.stdout).toMatch(/^createToken: 200\n/);
});

test('an API key needs no token', async () => {
  const { run } = await prepareGuide('authentication', { apiKeys: ['k3y-of-the-account'] });
  expect(calls(await run({ CARILLON_API_KEY: 'k3y-of-the-account' }))).toEqual(await shown(1));
});

test("with Redis the next process reuses the previous one's token", async ({ skip }) => {
  skip(missingRedis !== undefined, missingRedis);
  const redis = await startRedis();
  onTestFinished(() => redis.kill());
  const { run } = await prepareGuide('authentication');
  const environment = { ...client, REDIS_URL: redis.url };
  expect(calls(await run(environment))).toEqual(await shown(0));
  expect(calls(await run(environment))).toEqual(await shown(1));
});

test('without a credential the program names the variables to set', async () => {
  const { run } = await prepareGuide('authentication');
  expect(await run()).toMatchObject({
    stdout: '',
    stderr: 'Set CARILLON_API_KEY, or CLIENT_ID and CLIENT_SECRET\n',
    code: 1,
  });
});

test('a rejected secret is not printed', async () => {
  const { run } = await prepareGuide('authentication', { clients: [{ clientId: 'id', clientSecret: 'another' }] });
  const { stdout, stderr, code } = await run(client);
  expect(stderr).toContain('TokenError');
  expect(stdout + stderr).not.toContain(client.CLIENT_SECRET);
  expect(code).toBe(1);
});
