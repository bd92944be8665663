import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';
import { listen } from '../../support/server.ts';

const command = join(inject('installed'), 'carillon-cli', 'dist', 'bin', 'carillon.js');

/** Runs the installed command in a process, which has loaded nothing before, and returns the addresses of the modules that it loaded. */
async function modulesOf(...args: string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-modules-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { url } = await listen((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"data":[{"id":1,"name":"A"}]}');
  });
  // An invalid value ends the command with 2.
  await promisify(execFile)(process.execPath, [command, ...args], {
    env: { ...process.env, NODE_V8_COVERAGE: folder, CARILLON_BASE_URL: url, CARILLON_API_KEY: 'any' },
  }).catch(({ code }: { code: number }) => expect(code).toBe(2));
  return readdirSync(folder).flatMap((file) => {
    const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return result.map((script) => script.url).filter((address) => address.startsWith('file:'));
  });
}

const isValidator = (address: string): boolean => /\/zod\//.test(address);

it('zod is loaded only for a call whose values do not certainly fit', async () => {
  expect((await modulesOf('crm', 'users', 'list')).filter(isValidator)).toEqual([]);
  expect((await modulesOf('crm', 'tags', 'list', '--name', 'A')).filter(isValidator)).toEqual([]);
  expect((await modulesOf('crm', 'tags', 'list', '--name', 'A'.repeat(65))).filter(isValidator)).not.toEqual([]);
});
