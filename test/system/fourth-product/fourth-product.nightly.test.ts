import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPackages } from '../../../scripts/build/packages.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const files = join(import.meta.dirname, 'files');
const minutes = 60_000;
let root: string;

beforeAll(() => {
  root = copyRepository();
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

/** The files of the repository in a folder of their own. Its workspace links to its own packages. */
function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-fourth-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const file of listed.split('\0').filter(Boolean)) {
    if (!existsSync(join(repositoryRoot, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repositoryRoot, file), join(folder, file));
  }
  const own = listPackages();
  const modules = join(repositoryRoot, 'node_modules');
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(modules)) {
    if (!own.some((one) => one.name === name)) symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  }
  for (const one of own) {
    symlinkSync(join(folder, one.folder), join(folder, 'node_modules', one.name));
    const inner = join(repositoryRoot, one.folder, 'node_modules');
    if (existsSync(inner)) symlinkSync(inner, join(folder, one.folder, 'node_modules'));
  }
  return folder;
}

/** Runs a script of the copy. Resolves to its output, whatever its exit code. */
function run(...args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=carillon-source', ...args],
      { cwd: root, maxBuffer: 2 ** 26, env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' } },
      (_, output, log) => resolve(output + log),
    );
  });
}

/** Runs a program of the copy as users do. Returns its output. */
function execute(...args: string[]): string {
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' };
  return execFileSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

const lint = (): Promise<string> => run('scripts/check/main.ts', 'lint');
const generate = (): Promise<string> => run('scripts/generate/main.ts');
const typecheck = (): Promise<string> => run('node_modules/typescript-7/bin/tsc', '--pretty', 'false');
const contract = (): Promise<string> =>
  run('node_modules/vitest/vitest.mjs', 'run', 'test/client/contract/', '-t', 'telephony');

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function add(from: string, to: string): void {
  write(to, readFileSync(join(files, from), 'utf8'));
}

function edit(file: string, before: string, after: string): void {
  const text = read(file);
  if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`);
  write(file, text.replace(before, after));
}

/** The entry of a new product is a copy of another one with its name. */
const asTelephony = (text: string): string => text.replaceAll('email', 'telephony').replaceAll('Email', 'Telephony');

const coverage = `# Coverage: Document 4, telephony

| Document | Row | Place |
|---|---|---|
| 4 §0 | title | \`#/info/title\` |
`;

/** The files with errors of the compiler. */
const filesIn = (output: string): string[] =>
  [...new Set([...output.matchAll(/^([\w/.-]+\.ts)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))].sort();

test(
  'each piece of a fourth product that is missing is a message, and then it works everywhere',
  async () => {
    add('telephony.yaml', 'spec/telephony.yaml');
    expect(await lint()).toContain(
      'spec/telephony.yaml:1:1 file-read nothing reads this file: add its name to `products` in scripts/spec/files.ts',
    );

    edit(
      'scripts/spec/files.ts',
      '\n} as const satisfies Record<string, ProductNames>',
      "\n  telephony: { label: 'Telephony', menu: 'Telephony', contents: 'Calls' },\n} as const satisfies Record<string, ProductNames>",
    );
    expect(await generate()).toContain('there is no spec/coverage/telephony.md');
    write('spec/coverage/telephony.md', coverage);
    expect(await generate()).toMatch(/generated\/: \d+ files, \d+ changed/);

    // The compiler names the lists of resources and handlers, and those that use them.
    const errors = await typecheck();
    expect(errors).toContain('src/sandbox/products/products.ts');
    expect(errors).toContain("Property 'telephony' is missing");
    expect(filesIn(errors)).toEqual([
      'src/sandbox/products/handlers.ts',
      'src/sandbox/products/products.ts',
      'src/sandbox/products/state.ts',
    ]);
    for (const name of ['resources', 'handlers']) add(`${name}.ts.txt`, `src/sandbox/telephony/${name}.ts`);
    edit(
      'src/sandbox/products/products.ts',
      "import { type MessagingState, messaging } from './messaging/resources.ts';",
      "import { type MessagingState, messaging } from './messaging/resources.ts';\nimport { type TelephonyState, telephony } from './telephony/resources.ts';",
    );
    edit('src/sandbox/products/products.ts', '{ crm, messaging, email }', '{ crm, messaging, email, telephony }');
    edit(
      'src/sandbox/products/products.ts',
      '  email: EmailState;',
      '  email: EmailState;\n  telephony: TelephonyState;',
    );
    edit(
      'src/sandbox/products/handlers.ts',
      "import { messagingHandlers } from './messaging/handlers.ts';",
      "import { messagingHandlers } from './messaging/handlers.ts';\nimport { telephonyHandlers } from './telephony/handlers.ts';",
    );
    edit(
      'src/sandbox/products/handlers.ts',
      '  email: emailHandlers,',
      '  email: emailHandlers,\n  telephony: telephonyHandlers,',
    );
    edit(
      'src/sandbox/products/handlers.ts',
      '  email: merge(Object.values(emailHandlers)),',
      '  email: merge(Object.values(emailHandlers)),\n  telephony: merge(Object.values(telephonyHandlers)),',
    );
    expect(await typecheck()).toBe('');

    for (const file of ['email.ts', 'types/email-types.ts'])
      write(`src/client/${asTelephony(file)}`, asTelephony(read(`src/client/${file}`)));
    const manifest = JSON.parse(read('src/client/package.json'));
    manifest.exports['./telephony'] = JSON.parse(asTelephony(JSON.stringify(manifest.exports['./email'])));
    manifest.typesVersions['*'].telephony = ['./dist/types/src/client/telephony.d.ts'];
    write('src/client/package.json', JSON.stringify(manifest));
    for (const [file, type, names] of [
      ['index', '', '{ TelephonyClient }'],
      ['paths', 'type ', '{}'],
    ])
      edit(
        `src/client/${file}.ts`,
        `export ${type}* as Messaging from './types/messaging-types.ts';`,
        `export ${type}* as Messaging from './types/messaging-types.ts';\nexport ${type}* as Telephony from './types/telephony-types.ts';\nexport type ${names} from './telephony.ts';`,
      );
    // Methods, mock, validators and sandbox agree about each operation.
    const agreed = await contract();
    expect(agreed).not.toContain('FAIL');
    expect(Number(/Tests +(\d+) passed/.exec(agreed)?.[1])).toBeGreaterThan(60);

    expect(await run('scripts/build/main.ts')).not.toContain('not built');
    add('calls.mjs', 'calls.mjs');
    const { results, sent } = JSON.parse(execute('calls.mjs'));
    expect(results).toEqual({
      created: [101, true],
      listed: 2,
      missing: 404,
      byPart: '+15550100199',
      byPath: '+15550100123',
      key: ['telephony', 'calls', 'get'],
      mocked: 1,
    });
    expect(sent).toEqual([
      'POST /telephony/v1/calls {"number":"+15550100199"}',
      'GET /telephony/v1/calls?limit=50',
      'GET /telephony/v1/calls/7',
      'GET /telephony/v1/calls/101',
      'GET /telephony/v1/calls/1',
      'GET /telephony/v1/calls?limit=5',
    ]);
    const list = ['telephony', 'calls', 'list', '--sandbox', '--output', 'json'];
    expect(JSON.parse(execute('--conditions=carillon-source', 'src/cli/bin/carillon.ts', ...list))).toMatchObject([
      { id: 1, number: '+15550100123' },
    ]);
  },
  20 * minutes,
);
