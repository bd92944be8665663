import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runStart } from '../../../scripts/serve/start.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { Crm } from '../../../src/client/index.ts';
import { serve } from '../../../src/shared/server/serve.ts';

interface Started {
  child: ChildProcess;
  /** Its output so far. */
  output: () => string;
  /** Resolves to its exit code. */
  ended: Promise<number | null>;
}

/** Runs `npm start` without npm, in a process, which has an output, a signal and an exit code. It ends with the test. */
function spawnStart(...args: string[]): Started {
  const program = join(repositoryRoot, 'scripts', 'serve', 'main.ts');
  const child = spawn(process.execPath, [program, 'start', ...args], { cwd: repositoryRoot });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, output: () => text, ended: new Promise((resolve) => child.on('exit', resolve)) };
}

/** Runs the program in the output in a process, like a reader who copies it into a file. Returns what it prints. */
async function paste(output: string): Promise<string> {
  const [program = ''] = /^import .*(?=\n\nSandbox )/ms.exec(output) ?? [];
  // Inside the repository, so that `import 'carillon'` resolves to the package.
  const folder = await mkdtemp(join(repositoryRoot, '.cache', 'start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'pasted.ts'), program);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=carillon-source', join(folder, 'pasted.ts')],
    { timeout: 20_000 },
  );
  return stdout;
}

test('npm start builds, serves mock, docs and sandbox, shows calls that can be pasted, prints all addresses, and exits cleanly on Ctrl+C', async () => {
  const { child, output: printed, ended } = spawnStart('--port', '0');
  await vi.waitUntil(() => printed().includes('Ctrl+C ends it.') || child.exitCode !== null, 300_000);
  const output = printed();

  const [mock, docs, sandbox] = ['Mock', 'Docs', 'Sandbox'].map(
    (name) => new RegExp(`^${name} +(http://\\S+)`, 'm').exec(output)?.[1] ?? '',
  );
  const headers = { authorization: 'Bearer any' };
  for (const url of [mock, sandbox]) {
    const users = await fetch(`${url}/crm/v1/users`, { headers });
    expect(await users.json()).toHaveProperty('data.0.id');
  }
  expect(await (await fetch(`${docs}/`)).text()).toContain('<title>');

  // The results of the calls remain: the deal was created and has failed.
  const [, id] = /deals\.create\(.*? id: (\d+)/s.exec(output) ?? [];
  const deal = await fetch(`${sandbox}/crm/v1/deals/${id}`, { headers });
  expect(await deal.json()).toMatchObject({ data: { name: 'First week', status: Crm.DealStatus.Fail } });
  expect(output).toContain('// PUT /deals/{dealId} (updateDeal) failed with HTTP status 422');
  expect(output).not.toMatch(/^ +at |Warning|Error:/m);

  expect(await paste(output)).toMatch(/^PUT .* 422: .*\n3001 Ann\n$/);

  child.kill('SIGINT');
  // It prints no more.
  expect([await ended, printed()]).toEqual([0, output]);
}, 300_000);

test('npm start reports a busy port before it builds, and names the option', async () => {
  const other = await serve({ fetch: () => new Response() }, { port: 0 });
  onTestFinished(() => other.close());
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(await runStart(['--port', new URL(other.url).port])).toBe(1);
  expect(errors.mock.calls).toEqual([[expect.stringMatching(/^Port \d+ on 127\.0\.0\.1 is in use\. .*--port.*$/)]]);
  expect(printed).not.toHaveBeenCalled();
});
