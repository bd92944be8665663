import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot, specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';
import { isNightly } from '../../support/amounts.ts';
import { compile } from '../../support/compile.ts';
import { startPrism } from '../../support/prism.ts';
import { specMock } from '../../support/spec-mock.ts';
import { useProject } from '../../system/package/installed.ts';

const project = useProject('program');
const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));

/** The commands of docs/guides/specs.md that begin with `npx` and this tool. */
function commandsOf(tool: string): string[][] {
  const guide = readFileSync(join(repositoryRoot, 'docs', 'guides', 'specs.md'), 'utf8');
  const found = [...guide.matchAll(/^npx (\S+) (.+)$/gm)].filter(([, name]) => name === tool);
  if (found.length === 0) throw new Error(`The guide has no command that begins with npx ${tool}`);
  return found.map(([, , rest = '']) => rest.split(' '));
}

/** Runs the guide's commands of a tool in the project, as the guide shows them. */
async function run(tool: string): Promise<void> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  for (const args of commandsOf(tool)) {
    const file = join(repositoryRoot, 'node_modules', '.bin', tool);
    await promisify(execFile)(file, args, { cwd: project(), env, timeout: 60_000 });
  }
}

const read = (file: string): string => readFileSync(join(project(), file), 'utf8');

describe('openapi-typescript', () => {
  it('writes types that compile and have every path', async () => {
    await run('openapi-typescript');
    const types = read('api.ts');
    for (const { base, path } of operations) expect(types).toContain(`"${base}${path}": {`);
    const sources = new Map([['api.ts', types]]);
    expect(await compile({ sources })).toEqual([]);
  });
});

describe('@hey-api/openapi-ts', () => {
  it('writes a function for each operation', async () => {
    await run('openapi-ts');
    const sdk = read('client/sdk.gen.ts');
    for (const { operationId } of operations) expect(sdk).toMatch(new RegExp(`export const ${operationId} =`, 'i'));
    expect(readdirSync(join(project(), 'client'))).toContain('types.gen.ts');
  });
});

describe('redocly', () => {
  it('finds no problem in the structure, and builds one page', async () => {
    await run('redocly');
    expect(read('reference.html')).toContain('/crm/v1/deals/{dealId}');
  });

  it.runIf(isNightly)('does not join the three files, which is why there is one', async () => {
    const files = specNames.map((name) => join('node_modules', 'carillon-mock', 'dist', 'spec', `${name}.yaml`));
    const file = join(repositoryRoot, 'node_modules', '.bin', 'redocly');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const joining = promisify(execFile)(file, ['join', ...files], { cwd: project(), env, timeout: 60_000 });
    await expect(joining).rejects.toThrow(/conflict/i);
    expect(existsSync(join(project(), 'openapi.yaml'))).toBe(false);
  });
});

// Prism changes only with our specs and its pinned version.
describe.runIf(isNightly)('the command of Prism and carillon-mock', () => {
  let prism: Awaited<ReturnType<typeof startPrism>>;
  /** Prism with one of the YAML files. */
  let ofSpec: Awaited<ReturnType<typeof startPrism>>;
  let mock: RunningServer;
  beforeAll(async () => {
    const [command, ...others] = commandsOf('@stoplight/prism-cli').map(([name, file]) => [name, file]);
    expect([command?.[0], others]).toEqual(['mock', []]);
    prism = await startPrism(project(), command?.[1] ?? '');
    ofSpec = await startPrism(project(), 'node_modules/carillon-mock/dist/spec/crm.yaml');
    mock = await serve(await specMock(), { port: 0 });
  });
  afterAll(async () => {
    prism?.end();
    ofSpec?.end();
    await mock?.close();
  });

  const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
  const deal = JSON.stringify({ pipelineId: 1, stepId: 11, name: 'Annual plan renewal' });

  /** Status and body, or `never` if there is no response in two seconds. */
  async function ask(url: string, path: string, init: RequestInit = {}): Promise<unknown[]> {
    try {
      const signal = AbortSignal.timeout(2_000);
      const response = await fetch(url + path, { signal, headers, ...init });
      return [response.status, await response.json()];
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError') return ['never'];
      throw error;
    }
  }

  it('return the same examples', async () => {
    for (const path of ['/crm/v1/users', '/crm/v1/deals/501', '/push/websites/'])
      expect(await ask(prism.url, path)).toEqual(await ask(mock.url, path));
  });

  it.each<[what: string, path: string, init: RequestInit, command: unknown[], own: unknown[]]>([
    ['a path without the slash at its end', '/push/websites', {}, [404, expect.anything()], [200, expect.any(Array)]],
    [
      'a wrong body',
      '/crm/v1/deals',
      { method: 'POST', body: '{}' },
      [422, {}],
      [422, expect.objectContaining({ violationCount: 2 })],
    ],
    [
      'a body that is not JSON',
      '/crm/v1/deals',
      { method: 'POST', body: '{' },
      ['never'],
      [400, expect.objectContaining({ detail: expect.stringContaining('not JSON') })],
    ],
    [
      'a compressed body',
      '/crm/v1/deals',
      { method: 'POST', body: new Uint8Array(gzipSync(deal)), headers: { ...headers, 'content-encoding': 'gzip' } },
      ['never'],
      [415, expect.objectContaining({ detail: expect.stringContaining('gzip') })],
    ],
  ])('differ: %s', async (_, path, init, command, own) => {
    expect(await ask(prism.url, path, init)).toEqual(command);
    expect(await ask(mock.url, path, init)).toEqual(own);
  });

  it('differ: the base of a file with a base', async () => {
    expect((await ask(ofSpec.url, '/crm/v1/users'))[0]).toBe(404);
    expect((await ask(ofSpec.url, '/users'))[0]).toBe(200);
    expect((await ask(mock.url, '/crm/v1/users'))[0]).toBe(200);
  });
});
