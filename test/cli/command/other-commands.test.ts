import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { connectionTo } from '../../../src/cli/catalogue/connect.ts';
import { products } from '../../../src/cli/catalogue/index.ts';
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import { readCredentials } from '../../../src/shared/credentials.ts';
import { carillon } from '../../support/terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { XDG_CONFIG_HOME: folder };
const url = 'https://api.example.com';

describe('carillon whoami', () => {
  it('shows the address, the kind of credential and their source, but no secret', async () => {
    const own = { CARILLON_BASE_URL: url, CARILLON_API_KEY: 'my-secret-key', XDG_CONFIG_HOME: join(folder, 'who') };
    expect(await carillon(['whoami'], { env: own })).toMatchObject({
      code: 0,
      output: `address     ${url}\ncredential  API key\nfrom        the environment\n`,
    });
    const client = {
      ...own,
      CARILLON_API_KEY: undefined,
      CARILLON_CLIENT_ID: 'id',
      CARILLON_CLIENT_SECRET: 'my-secret',
    };
    const { output } = await carillon(['whoami'], { env: client });
    expect(output).toContain('credential  client credentials of id\n');
    expect(output).not.toContain('my-secret');
  });

  it('exits with 3 if the environment has an address but no key, even if the file has credentials', async () => {
    const own = { XDG_CONFIG_HOME: join(folder, 'both') };
    await carillon(['login', '--base-url', url], { env: own, input: 'my-key' });
    const env = { ...own, CARILLON_BASE_URL: 'http://127.0.0.1:4012' };
    for (const args of [['whoami'], ['crm', 'tags', 'create', '--name', 'VIP']]) {
      const { code, errors } = await carillon(args, { env });
      expect([code, errors]).toEqual([
        exitCodes.configuration,
        expect.stringContaining('unset CARILLON_BASE_URL to use the credentials'),
      ]);
    }
  });
});

describe('carillon login --changes-need-terminal', () => {
  it('stops changing calls without a terminal, even with --yes or other credentials, and allows reads', async () => {
    const own = { XDG_CONFIG_HOME: join(folder, 'strict') };
    await carillon(['login', '--base-url', url, '--changes-need-terminal'], { env: own, input: 'my-key' });
    expect((await carillon(['whoami'], { env: own })).output).toContain('changes     need a terminal\n');
    const calls: string[] = [];
    const fetch = async (address: string, { method }: { method: string }) => {
      calls.push(address);
      return Response.json({ data: method === 'GET' ? [] : { id: 1 } });
    };
    const connect = async () => connectionTo({ baseUrl: url, auth: { apiKey: 'any' }, fetch });
    const other = { ...own, CARILLON_BASE_URL: url, CARILLON_API_KEY: 'other' };
    for (const env of [own, other]) {
      for (const args of [
        ['crm', 'deals', 'delete', '501', '--yes'],
        ['crm', 'tags', 'create', '--name', 'VIP'],
      ]) {
        const { code, errors } = await carillon(args, { env, connect });
        expect([code, errors]).toEqual([
          exitCodes.unconfirmed,
          expect.stringContaining('calls that change data must be run in a terminal'),
        ]);
      }
    }
    expect(calls).toEqual([]);
    expect((await carillon(['crm', 'tags', 'list'], { env: own, connect })).code).toBe(0);
    expect(
      (await carillon(['crm', 'tags', 'create', '--name', 'VIP'], { env: own, connect, isTerminal: true })).code,
    ).toBe(0);
    expect(calls).toHaveLength(2);
  });
});

describe('profiles', () => {
  const own = { XDG_CONFIG_HOME: join(folder, 'profiles') };

  it('login, whoami, calls and logout use the profile from --profile or CARILLON_PROFILE', async () => {
    await carillon(['login', '--base-url', url], { env: own, input: 'first-key' });
    const staging = 'https://staging.example.com';
    const stored = await carillon(['login', '--profile', 'staging', '--base-url', staging], {
      env: own,
      input: 'key-2',
    });
    expect([stored.code, stored.errors]).toEqual([0, expect.stringContaining('Stored as profile staging in ')]);
    const shown = `address     ${staging}\ncredential  API key\nfrom        ${own.XDG_CONFIG_HOME}/carillon/credentials.json\nprofile     staging\n`;
    for (const [args, env] of [
      [['whoami', '--profile', 'staging'], own],
      [['--profile', 'staging', 'whoami'], own],
      [['--profile=staging', 'whoami'], own],
      [['whoami'], { ...own, CARILLON_PROFILE: 'staging' }],
    ] as const)
      expect((await carillon(args, { env })).output).toBe(shown);
    const request = await carillon(['crm', 'users', 'list', '--profile', 'staging', '--dry-run'], { env: own });
    expect(request.output).toContain(`GET ${staging}/crm/v1/users`);
    expect((await carillon(['logout', '--profile', 'staging'], { env: own })).errors).toContain(
      'Removed the profile staging',
    );
    const gone = await carillon(['crm', 'users', 'list', '--profile', 'staging'], { env: own });
    expect([gone.code, gone.errors]).toEqual([
      exitCodes.configuration,
      expect.stringContaining('There is no profile staging. The profiles are default.'),
    ]);
    expect((await carillon(['logout', '--profile', 'staging'], { env: own })).code).toBe(exitCodes.configuration);
    expect((await carillon(['logout', '--all'], { env: own })).code).toBe(0);
    expect((await carillon(['whoami'], { env: own })).errors).toContain('There are no credentials.');
  });

  it('profiles lists all, and logout keeps the others', async () => {
    const env = { XDG_CONFIG_HOME: join(folder, 'used') };
    const staging = 'https://staging.example.com';
    expect((await carillon(['profiles'], { env })).errors).toContain('There are no profiles. Run carillon login.');
    await carillon(['login', '--base-url', url], { env, input: 'first-key' });
    await carillon(['login', '--profile', 'staging', '--base-url', staging], { env, input: 'key-2' });
    expect((await carillon(['profiles'], { env })).output).toBe(`* default  ${url}\n  staging  ${staging}\n`);
    const own = { ...env, CARILLON_PROFILE: 'staging' };
    expect((await carillon(['profiles'], { env: own })).output).toBe(`  default  ${url}\n* staging  ${staging}\n`);
    expect((await carillon(['crm', 'users', 'list', '--dry-run'], { env: own })).output).toContain(`GET ${staging}/`);
    expect(readCredentials(own)).toMatchObject({ baseUrl: staging, profile: 'staging' });
    const variables = { ...env, CARILLON_BASE_URL: url, CARILLON_API_KEY: 'any' };
    expect(readCredentials(variables)).toMatchObject({ baseUrl: url, from: 'the environment' });
    expect((await carillon(['logout'], { env })).errors).toContain('Removed the profile default');
    expect((await carillon(['profiles'], { env })).output).toBe(`  staging  ${staging}\n`);
  });

  it('does not accept two profiles for a call', async () => {
    const words = 'crm tags list --profile one --profile other'.split(' ');
    const { code, errors } = await carillon(words, { env: own });
    expect([code, errors]).toEqual([
      exitCodes.usage,
      expect.stringContaining('--profile is given twice, but a call uses one account.'),
    ]);
  });

  it('does not accept a profile combined with credentials in variables, and an empty name', async () => {
    const both = { ...own, CARILLON_BASE_URL: url, CARILLON_API_KEY: 'key' };
    for (const args of [['whoami'], ['crm', 'users', 'list']])
      expect((await carillon([...args, '--profile', 'staging'], { env: both })).code).toBe(exitCodes.configuration);
    expect((await carillon(['whoami', '--profile', ''], { env: own })).code).toBe(exitCodes.configuration);
  });

  it('passes the profile on to other commands', async () => {
    const started: unknown[] = [];
    const start = async (...given: unknown[]) => {
      started.push(...given);
      return 0;
    };
    await carillon(['--profile', 'staging', 'jobs', 'status'], { start });
    expect(started).toEqual(['jobs', ['status'], 'staging']);
  });
});

describe('carillon login', () => {
  it('asks for the address and key, and stores them with mode 600', async () => {
    const ran = await carillon(['login'], { env, isTerminal: true, answers: [url, 'my-secret-key'] });
    const file = join(folder, 'carillon', 'credentials.json');
    expect([ran.code, ran.errors]).toEqual([0, expect.stringContaining(`Stored in ${file}`)]);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readCredentials(env)).toMatchObject({ baseUrl: url, auth: { apiKey: 'my-secret-key' } });
    expect(ran.output + ran.errors).not.toContain('my-secret-key');
  });

  it('reads the secret from standard input in scripts', async () => {
    const args = ['login', '--base-url', url, '--client-id', 'id'];
    expect((await carillon(args, { env, input: 'my-secret\n' })).code).toBe(0);
    expect(readCredentials(env).auth).toEqual({ clientId: 'id', clientSecret: 'my-secret' });
  });

  it.each([
    ['no address in a script', ['login'], 'my-key', exitCodes.usage],
    ['an empty key', ['login', '--base-url', url], '\n', exitCodes.usage],
    ['an address without TLS', ['login', '--base-url', 'http://api.example.com'], 'my-key', exitCodes.configuration],
    ['a path as the address', ['login', '--base-url', '/api'], 'my-key', exitCodes.configuration],
    ['a key with a line break', ['login', '--base-url', url], 'my\nkey', exitCodes.configuration],
  ])('does not accept %s and stores nothing', async (_, args, input, code) => {
    const own = { CARILLON_CREDENTIALS: join(folder, 'none', 'credentials.json') };
    expect((await carillon(args, { env: own, input })).code).toBe(code);
    expect(() => readCredentials(own)).toThrow('There are no credentials');
  });

  it('no command takes a key in a flag', async () => {
    const { output } = await carillon(['login', '--help']);
    const token = await carillon(['crm', 'oauth', 'create-token', '--help']);
    expect(output + token.output).not.toMatch(/--\S*(?:key|secret|token) </);
  });
});

describe('carillon search', () => {
  it('prints the matching commands with their effects', async () => {
    const { code, output } = await carillon(['search', 'note', 'deal']);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^carillon crm deals comments create +write +Add a note to a deal$/m),
    ]);
  });

  it.each(['import csv', 'csv import', 'import contacts'])(
    "'%s' finds --each and the ready-made jobs",
    async (words) => {
      const { output } = await carillon(['search', ...words.split(' ')]);
      expect(output).toMatch(/^carillon crm contacts create --each contacts\.csv /m);
      expect(output).toMatch(/^carillon jobs run import-contacts contacts\.csv /m);
    },
  );

  it('says if there are no matches', async () => {
    const { code, errors } = await carillon(['search', 'xyzzy']);
    expect([code, errors]).toEqual([exitCodes.notFound, expect.stringContaining("No method matches 'xyzzy'")]);
  });
});

describe('completion', () => {
  it.each([
    [[''], [...products, 'search']],
    [['cr'], ['crm']],
    [
      ['crm', 'contacts', 'li'],
      ['list', 'list-by-email', 'list-deals'],
    ],
    [['crm', 'contacts', 'list', '--last'], ['--last-name']],
    [
      ['crm', 'contacts', 'list', '--output', ''],
      ['table', 'json', 'ndjson', 'csv', 'text'],
    ],
    [
      ['crm', 'deals', 'update', '501', '--status', ''],
      ['0', '1', '2', '3'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['crm', 'contacts', 'list', '--output=n'], ['--output=ndjson']],
    [['crm', 'contacts', 'list', '--output', '=', 'n'], ['ndjson']],
    [
      ['crm', 'deals', 'update', '501', '--status', '='],
      ['0', '1', '2', '3'],
    ],
    [['crm', 'contacts', 'list', '--last-name=K'], []],
    [['crm', 'nothing', ''], []],
    [['log'], ['login', 'logout']],
    [['login', '--client'], ['--client-id']],
    [['logout', '--a'], ['--all']],
    [['api', 'D'], ['DELETE']],
    [['api', 'GET', '/crm/v1/us'], ['/crm/v1/users']],
    [['api', 'GET', '/crm/v1/users', '--se'], ['--set']],
    [['crm', 'contacts', 'create', '--each-'], ['--each-template']],
  ])('after %j suggests %j', async (words, expected) => {
    const { output } = await carillon(['__complete', ...words]);
    expect(output.split('\n')).toEqual(expect.arrayContaining(expected));
    if (expected.length < 4) expect(output.trimEnd().split('\n').filter(Boolean)).toEqual(expected);
  });

  it("completes other programs' commands and options from their help", async () => {
    const helps: Record<string, string> = {
      'jobs ':
        'Options:\n  --version  show\nCommands:\n  run [options] <job>  Plans\n  \n  Jobs:\n    import-contacts <file>  a\n\n  status  Shows\n\nEnvironment:\n',
      'jobs run': 'Options:\n  -h, --help  show\n  --rate <n>  rows\n\nJobs:\n  import-contacts <file>   a contact\n',
      'mcp ': 'Options:\n  --read-only  no\n  -p, --port <number>  port\n',
    };
    const helpOf = async (program: string, args: readonly string[]) => helps[`${program} ${args.join(' ')}`] ?? '';
    const offered = async (...words: string[]) =>
      (await carillon(['__complete', ...words], { helpOf })).output.split('\n');
    expect(await offered('jobs', '')).toEqual(['run', 'status', '']);
    expect(await offered('jobs', 'run', '--ra')).toEqual(['--rate', '']);
    expect(await offered('jobs', 'run', 'imp')).toEqual(['import-contacts', '']);
    expect(await offered('mcp', '--')).toEqual(['--read-only', '--port', '']);
    expect(await offered('sandbox', '--po')).toEqual(['']);
  });

  it('completes profile names', async () => {
    const own = { XDG_CONFIG_HOME: join(folder, 'completed') };
    await carillon(['login', '--base-url', url, '--profile', 'staging'], { env: own, input: 'key' });
    expect((await carillon(['__complete', 'crm', 'users', 'list', '--profile', 's'], { env: own })).output).toBe(
      'staging\n',
    );
  });

  it('supports no other shells', async () => {
    expect((await carillon(['completion', 'constructor'])).code).toBe(exitCodes.usage);
  });
});

it.each(['sandbox', 'jobs', 'mcp'] as const)('carillon %s starts the command with its own options', async (name) => {
  const started: unknown[] = [];
  const { code } = await carillon([name, '--port', '0'], {
    start: async (program, args) => {
      started.push(program, ...args);
      return 7;
    },
  });
  expect([code, started]).toEqual([7, [name, '--port', '0']]);
});

it('--version prints the package version', async () => {
  expect(await carillon(['--version'], { version: () => '1.2.3' })).toEqual({ code: 0, output: '1.2.3\n', errors: '' });
});
