import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';
import { missingRedis, type RedisServer, startRedis } from '../../client/tokens/redis-server.ts';
import { createDatabase, missingPostgres, type Postgres, startPostgres } from '../../jobs/start-postgres.ts';
import {
  normaliseOutput,
  packagePages,
  pages,
  pagesWithoutPrograms,
  readFixtures,
  readSnippets,
} from '../../support/snippets.ts';
import { specMock } from '../../support/spec-mock.ts';

const run = promisify(execFile);
const snippets = [...pages, ...packagePages].flatMap(readSnippets);
/** Guides whose first program has tests of its own, in test/docs/guides. */
const tested = ['authentication', 'export-contacts', 'import-contacts'].map(
  (name) => readSnippets(`docs/guides/${name}.md`).find(({ runs }) => runs)?.name,
);

/** Inside the repository, so that `import 'carillon'` resolves to the built package. */
let folder = '';
let mock: RunningServer;
let sandbox: RunningServer;
/** A new one for each program, so that programs do not affect each other. */
let current: Sandbox;
let redis: RedisServer | undefined;
let postgres: Postgres | undefined;
let database: string | undefined;

beforeAll(async () => {
  await mkdir(join(repositoryRoot, '.cache'), { recursive: true });
  folder = await mkdtemp(join(repositoryRoot, '.cache', 'snippets-'));
  mock = await serve(await specMock(), { port: 0 });
  // The server that readers start.
  sandbox = await serve({ respond: (request) => current.respond(request) }, { port: 0 });
  if (!missingRedis) redis = await startRedis();
  if (!missingPostgres) {
    postgres = await startPostgres();
    database = await createDatabase(postgres.port);
  }
  await writeFile(join(folder, 'contract.pdf'), 'a contract');
  for (const { name, content } of pages.flatMap(readFixtures)) await writeFile(join(folder, name), content);
  for (const [index, { code }] of snippets.entries()) {
    const local = code.replaceAll('http://127.0.0.1:4010', mock.url).replaceAll('http://127.0.0.1:4012', sandbox.url);
    await writeFile(join(folder, `${index}.ts`), `${local}\nexport {};\n`);
  }
});

afterAll(async () => {
  await mock?.close();
  await sandbox?.close();
  await redis?.kill();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

test.for(pages.filter((page) => !pagesWithoutPrograms.includes(page)))('%s has code blocks', (page) => {
  expect(readSnippets(page).length).toBeGreaterThan(0);
});

test.for(
  snippets.flatMap((snippet, index) => (snippet.runs && !tested.includes(snippet.name) ? [{ ...snippet, index }] : [])),
)('$name runs, and its output matches the page', async ({ index, code, output }, { skip }) => {
  current = createSandbox({ control: true });
  if (code.includes('REDIS_URL')) skip(missingRedis !== undefined, missingRedis);
  if (code.includes('DATABASE_URL')) skip(missingPostgres !== undefined, missingPostgres);
  const urls = { REDIS_URL: redis?.url, DATABASE_URL: database };
  const env = { ...process.env, CLIENT_ID: 'id', CLIENT_SECRET: 'secret', ...urls };
  const file = join(folder, `${index}.ts`);
  // In a process, as readers run it: with its output, and nothing left of other programs.
  const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder, env, timeout: 30_000 });
  // The mock returns the same example for every page, and the client warns about that.
  expect(stderr.replaceAll(/^.* repeats a page; the list ends here\n/gm, '')).toBe('');
  if (output !== undefined) expect(normaliseOutput(stdout, sandbox.url)).toBe(normaliseOutput(output));
});
