import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { Crm } from '../../../src/client/index.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { spawnStart } from '../../support/once/npm-start.ts';
import { once } from '../../support/once/once.ts';

beforeAll(() => once('dist'));

/** Runs the program in the output, as a reader who copies it into a file. Returns what it prints. */
async function paste(output: string): Promise<string> {
  const [program = ''] = /^import .*(?=\n\nSandbox )/ms.exec(output) ?? [];
  // Below the package, so that `import 'carillon'` finds the built one by its own name.
  const folder = await mkdtemp(join(repositoryRoot, '.cache', 'start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'pasted.ts'), program);
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'pasted.ts')], { timeout: 20_000 });
  return stdout;
}

test('npm start builds, serves mock, docs and sandbox, shows calls that can be pasted, says where everything is, and ends cleanly on Ctrl+C', async () => {
  const { output } = await once('start');

  const [mock, docs, sandbox] = ['Mock', 'Docs', 'Sandbox'].map(
    (name) => new RegExp(`^${name} +(http://\\S+)`, 'm').exec(output)?.[1] ?? '',
  );
  const headers = { authorization: 'Bearer any' };
  for (const url of [mock, sandbox]) {
    const users = await fetch(`${url}/crm/v1/users`, { headers });
    expect(await users.json()).toHaveProperty('data.0.id');
  }
  expect(await (await fetch(`${docs}/`)).text()).toContain('<title>');

  // What the calls did is there: the deal has been made, and has failed.
  const [, id] = /deals\.create\(.*? id: (\d+)/s.exec(output) ?? [];
  const deal = await fetch(`${sandbox}/crm/v1/deals/${id}`, { headers });
  expect(await deal.json()).toMatchObject({ data: { name: 'First week', status: Crm.DealStatus.Fail } });
  expect(output).toContain('// PUT /deals/{dealId} (updateDeal) failed with HTTP status 422');
  expect(output).not.toMatch(/^ +at |Warning|Error:/m);

  expect(await paste(output)).toMatch(/^PUT .* 422: .*\n3001 Ann\n$/);

  // Nothing more is printed.
  expect(await once('stopped')).toEqual({ code: 0, output });
});

test('npm start says that a port is busy before it works for a minute, and names the option', async () => {
  const other = await serve({ fetch: () => new Response() }, { port: 0 });
  onTestFinished(() => other.close());
  const { child, output, ended } = spawnStart('--port', new URL(other.url).port);
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await ended).toBe(1);
  expect(output()).toMatch(/^Port \d+ on 127\.0\.0\.1 is in use\. .*--port.*\n$/);
});
