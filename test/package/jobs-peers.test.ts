import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { once } from '../support/once/once.ts';

/** The installed package, without the optional packages. */
let nodeModules = '';
beforeAll(async () => {
  ({ nodeModules } = await once('installed'));
});

const advice = 'carillon/jobs needs two more packages and Node 22.12 or newer: run "npm install pg pg-boss".';

async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = {
    cwd: dirname(nodeModules),
    timeout: 30_000,
    env: { ...process.env, DATABASE_URL: 'postgres://127.0.0.1:1/none' },
  };
  return promisify(execFile)(process.execPath, args, options).then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

test.each(['pg', 'pg-boss'])('the package does not install %s', async (name) => {
  await expect(access(join(nodeModules, name))).rejects.toThrow('ENOENT');
});

test('without its optional packages, carillon/jobs says in one sentence what to install, and the client works', async () => {
  const program = `
    import { createClient } from 'carillon';
    import { importContacts, JobsError, openJobs } from 'carillon/jobs';
    const client = { baseUrl: 'http://127.0.0.1', auth: null, fetch: async () => Response.json({ data: [] }) };
    console.log(JSON.stringify(await createClient(client).crm.tags.list()));
    await openJobs({ database: 'postgres://127.0.0.1:1/none', definitions: [importContacts], client }).catch((error) =>
      console.log(error instanceof JobsError, error.message),
    );`;
  const { code, stdout, stderr } = await run('--input-type=module', '--eval', program);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `[]\ntrue ${advice}\n`, stderr: '' });
});

test('without its optional packages, carillon-jobs prints this sentence, and still answers --help', async () => {
  const command = join(nodeModules, 'carillon', 'dist', 'bin', 'jobs.js');
  expect(await run(command, 'status')).toEqual({ code: 1, stdout: '', stderr: `${advice}\n` });
  expect(await run(command, '--help')).toMatchObject({ code: 0, stderr: '' });
});
