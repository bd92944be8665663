import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { messagingReference } from '../../../generated/messaging/reference.ts';
import { type Connection, connectionTo } from '../../../src/cli/catalogue/connect.ts';
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import type { ClientOptions } from '../../../src/client/core/options.ts';
import { carillon } from '../../support/terminal.ts';

const baseUrl = 'https://api.example.com';
const key = 'my-secret-key';

function answering(fetch: NonNullable<ClientOptions['fetch']>): { connect: () => Promise<Connection> } {
  const options = { baseUrl, auth: { apiKey: key }, fetch, maxRetries: 0, logger: { warn() {} } };
  return { connect: async () => connectionTo(options) };
}

const status = (code: number, body: unknown = { message: 'No.' }, headers: Record<string, string> = {}) =>
  answering(async () => Response.json(body, { status: code, headers }));

const create = ['crm', 'deals', 'create', '--pipeline-id', '1', '--step-id', '11'];

it('a documented code has its meaning in help, and its advice in help and after a failure', async () => {
  const { meaning, advice } = messagingReference.createCampaign.errors['3085'];
  const words = ['messaging', 'campaigns', 'create'];
  const { errors } = await carillon([...words, '--input', '-', '--yes'], {
    ...status(422, { message: '3085' }),
    input: JSON.stringify(messagingReference.createCampaign.example),
  });
  expect(errors).toContain(`next: ${advice}`);
  const help = (await carillon([...words, '--help'])).output.replace(/\s+/g, ' ');
  expect(help).toContain(`code 3085: ${meaning} ${advice}`);
});

describe('with --output json or ndjson, the last line of standard error of a failure is JSON', () => {
  const lastLine = async (args: readonly string[], surroundings?: Parameters<typeof carillon>[1]) => {
    const { code, errors } = await carillon(args, surroundings);
    const { message, ...facts } = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '');
    expect([typeof message, facts.exitCode]).toEqual(['string', code]);
    return facts;
  };
  const json = ['--output', 'json'];

  it('with status, code, sent and the next step', async () => {
    const words = ['messaging', 'campaigns', 'create', '--input', '-', '--yes', '--output=json'];
    const facts = await lastLine(words, {
      ...status(422, { message: '3085' }),
      input: JSON.stringify(messagingReference.createCampaign.example),
    });
    const next = `${messagingReference.createCampaign.errors['3085'].advice} Do not repeat the same call.`;
    const expected = { operation: 'createCampaign', status: 422, code: '3085', sent: 'yes', next };
    expect(facts).toEqual({ ...expected, exitCode: exitCodes.rejected });
  });

  it('for a lost response', async () => {
    const lost = answering(async () => Promise.reject(new TypeError('terminated')));
    expect(await lastLine([...create, '--output', 'ndjson'], lost)).toMatchObject({
      operation: 'createDeal',
      sent: 'maybe',
      next: expect.stringContaining('carillon crm deals list'),
    });
  });

  it.each([
    ['an unknown option', ['crm', 'deals', 'get', '501', '--nope', ...json], 'getDeal'],
    ['a missing argument', ['crm', 'deals', 'get', ...json], 'getDeal'],
    ['a value that cannot be sent', [...create, '--price', 'much', ...json], 'createDeal'],
    ['no method', ['crm', 'deals', ...json], undefined],
    ['an unknown method', ['crm', 'deals', 'getone', ...json], undefined],
  ])('for %s', async (_, args, operation) => {
    expect(await lastLine(args)).toMatchObject({
      sent: 'no',
      exitCode: exitCodes.usage,
      ...(operation && { operation }),
    });
  });

  it('for missing credentials, and a question that nobody answers', async () => {
    expect(await lastLine(['crm', 'users', 'list', ...json])).toEqual({
      operation: 'listUsers',
      sent: 'no',
      exitCode: exitCodes.configuration,
    });
    expect(await lastLine(['crm', 'contacts', 'delete', '3001', ...json], status(204))).toMatchObject({
      sent: 'no',
      exitCode: exitCodes.unconfirmed,
    });
  });

  it('and not without the option', async () => {
    const { errors } = await carillon(['crm', 'deals', 'get', '501'], status(404));
    expect(errors).toMatch(/^carillon: .*\nsent: yes .*\nnext: .*\n$/);
  });
});

describe('exit codes', () => {
  it.each([
    ['401', status(401), exitCodes.authentication],
    ['403', status(403), exitCodes.authentication],
    ['404', status(404), exitCodes.notFound],
    ['422', status(422), exitCodes.rejected],
    ['429', status(429), exitCodes.quota],
    ['500', status(500), exitCodes.service],
    ['a response that is not JSON', answering(async () => new Response('<html>')), exitCodes.service],
    [
      'no connection',
      answering(async () => {
        throw new TypeError('fetch failed');
      }),
      exitCodes.connection,
    ],
  ])('%s', async (_, surroundings, code) => {
    expect((await carillon(['crm', 'users', 'list'], surroundings)).code).toBe(code);
  });

  it.each([
    ['a call', ['crm', 'users', 'list']],
    ['a path that is not documented', ['api', 'GET', '/crm/v1/nothing']],
  ])('%s without a connection: names the proxy first, without its password', async (_, args) => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const env = {
      CARILLON_BASE_URL: baseUrl,
      CARILLON_API_KEY: key,
      HTTPS_PROXY: 'http://me:hunter2@proxy.example.com:3128',
      CARILLON_CREDENTIALS: '/nowhere/credentials.json',
    };
    const options = { baseUrl, auth: { apiKey: key }, maxRetries: 0, logger: { warn() {} } };
    const ran = await carillon(args, { env, connect: async () => connectionTo(options) });
    expect(ran.code).toBe(exitCodes.connection);
    expect(ran.errors).toMatch(
      /^carillon: First check that the proxy responds: proxy\.example\.com:3128 \(HTTPS_PROXY\)\.\ncarillon: GET .*ECONNREFUSED/,
    );
    expect(ran.errors).not.toContain('hunter2');
  });

  it('a value that is invalid for the client', async () => {
    const { code, errors } = await carillon(['email', 'messages', 'get', '..', '--dry-run']);
    expect([code, errors]).toEqual([
      exitCodes.usage,
      "carillon: GET /smtp/emails/{id}: id must not be '.' or '..', even if percent-encoded; nothing was sent\nsent: no (the call was certainly not processed)\nnext: Fix the request. For parameters and rules, run carillon email messages get --help. Do not repeat the same call.\n",
    ]);
  });

  it('does not suggest a search for a value in place of a command', async () => {
    const { code, errors } = await carillon(['crm', 'pipelines', 'steps', '1']);
    expect([code, errors]).toEqual([
      exitCodes.usage,
      "carillon: Unknown command '1'. carillon crm pipelines steps --help shows the usage.\n",
    ]);
  });

  it.each([
    [
      'an unknown command',
      ['crm', 'contact'],
      "carillon: Unknown command 'contact'. Did you mean contacts? carillon crm --help shows the usage.\nnext: Find a method with: carillon search contact\n",
    ],
    [
      'an unknown option',
      ['crm', 'users', 'list', '--limt', '1'],
      "carillon: Unknown option '--limt'. carillon crm users list --help shows the usage.\n",
    ],
    ['a missing argument', ['crm', 'deals', 'get'], "Missing required argument 'deal-id'"],
    ['a missing field', ['crm', 'deals', 'create', '--pipeline-id', '1'], 'crm.deals.create needs stepId.'],
    [
      'a missing field that can be null',
      ['messaging', 'campaigns', 'create', '--message-type', '3'],
      '--message <string>|null\n',
    ],
    [
      'a value without its flag',
      ['crm', 'contacts', 'list-by-email', 'x@y.example'],
      "crm.contacts.listByEmail takes no argument 'x@y.example'. Did you mean --email x@y.example? carillon crm contacts list-by-email --help",
    ],
    [
      'values without their flags',
      ['crm', 'deals', 'create', '1', '11'],
      "takes no argument '1'. Pass values as flags: --pipeline-id <integer> --step-id <integer>. ",
    ],
    [
      'an argument too many',
      ['crm', 'deals', 'get', '501', '502'],
      "takes only <deal-id>, not '502'. carillon crm deals get --help",
    ],
    ['text for a number', ['crm', 'deals', 'get', '5x'], "<deal-id> must be an integer, not '5x'."],
    [
      'a value outside an enum',
      ['crm', 'deals', 'update', '1', '--status', '9'],
      '--status must be one of 0, 1, 2, 3, not',
    ],
    ['a document that is not JSON', [...create, '--input', 'deal.json'], '--input: deal.json is not JSON.'],
    ['a document that is missing', [...create, '--input', 'none.json'], 'none.json cannot be read.'],
    ['a misspelt field', [...create, '--input', '-'], 'Did you mean price?'],
  ])('%s is a usage error, and opens no connection', async (_, args, message) => {
    const ran = await carillon(args, {
      files: { 'deal.json': '{' },
      input: '{"pric": 1}',
      connect: () => Promise.reject(new Error('connected')),
    });
    expect([ran.code, ran.errors]).toEqual([exitCodes.usage, expect.stringContaining(message)]);
  });

  it('missing credentials exit with the configuration code and say what to do', async () => {
    const { code, errors } = await carillon(['crm', 'users', 'list']);
    expect([code, errors]).toEqual([
      exitCodes.configuration,
      expect.stringContaining('run carillon login, or use --sandbox'),
    ]);
  });

  it('Ctrl+C', async () => {
    const stop = new AbortController();
    const ran = await carillon(create, {
      signal: stop.signal,
      ...answering(async () => {
        stop.abort(new Error('Interrupted'));
        throw stop.signal.reason;
      }),
    });
    expect([ran.code, ran.errors]).toEqual([
      exitCodes.interrupted,
      expect.stringContaining(
        'Interrupted.\nsent: maybe (the call may have been processed)\nnext: Before you repeat the call, check with carillon crm deals list whether it was processed.\n',
      ),
    ]);
  });

  it('Ctrl+C at the question sends nothing', async () => {
    const stop = new AbortController();
    const ran = await carillon(['crm', 'deals', 'delete', '501'], {
      signal: stop.signal,
      isTerminal: true,
      ask: async () => {
        stop.abort(new Error('Interrupted'));
        return '';
      },
      ...answering(() => Promise.reject(new Error('sent'))),
    });
    expect([ran.code, ran.errors]).toEqual([exitCodes.interrupted, expect.stringMatching(/\nInterrupted\.\n$/)]);
  });

  it.each([
    ['nonsense', 'CARILLON_BASE_URL must be an address such as https://api.example.com'],
    [
      '/api',
      'CARILLON_BASE_URL must be an address such as https://api.example.com; a path works only in a web page, not on a server',
    ],
    ['http://other.example', 'CARILLON_BASE_URL must use https to protect the credential'],
  ])('the address %s: names the variable', async (address, message) => {
    const env = { CARILLON_BASE_URL: address, CARILLON_API_KEY: key };
    expect(await carillon(['crm', 'users', 'list'], { env })).toEqual({
      code: exitCodes.configuration,
      output: '',
      errors: `carillon: ${message}\nnext: Correct the environment, or run carillon login.\n`,
    });
  });

  it.each([
    ['csv', 'nope,id', 'carillon: --columns: no record has nope. The fields are id, name.\n'],
    [
      'json',
      'id',
      '{"operation":"listUsers","message":"--columns needs --output table, csv or text. For json, use --json id.","sent":"no","exitCode":2}\n',
    ],
  ])('does not accept columns that %s cannot show (%s)', async (format, columns, message) => {
    const users = answering(async () => Response.json({ data: [{ id: 1, name: 'Ann' }] }));
    const ran = await carillon(['crm', 'users', 'list', '--output', format, '--columns', columns], users);
    expect(ran).toEqual({ code: exitCodes.usage, output: '', errors: message });
  });

  it('only notes a column that a created record lacks, because the call succeeded', async () => {
    const created = answering(async () => Response.json({ data: { id: 1 } }));
    const ran = await carillon([...create, '--output', 'table', '--columns', 'id,nope'], created);
    expect([ran.code, ran.errors]).toEqual([
      0,
      expect.stringMatching(/^At https.*\n--columns: no record has nope\. The fields are id\.\n$/),
    ]);
  });

  it('reports a list that ends below its total', async () => {
    let page = 0;
    const surroundings = answering(async () => {
      page += 1;
      const list = page === 1 ? [{ id: 1 }] : [];
      return Response.json({ data: { list, total: 3 } });
    });
    const { code, errors } = await carillon(['crm', 'contacts', 'list', '--all'], surroundings);
    expect([code, errors]).toEqual([exitCodes.incomplete, expect.stringContaining('1 of 3 items')]);
  });
});

describe('standard error', () => {
  const lost = answering(async () => {
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } });
  });

  it('says that a lost call may have been processed, and suggests a command to check', async () => {
    const { errors } = await carillon(create, lost);
    expect(errors).toContain('sent: maybe (the call may have been processed)\n');
    expect(errors).toContain(
      'next: Before you repeat the call, check with carillon crm deals list whether it was processed.\n',
    );
  });

  it('suggests no check after a call that only reads', async () => {
    const { errors } = await carillon(['crm', 'deals', 'get', '501'], lost);
    expect(errors).toContain('next: You can repeat the call.');
  });

  it('says how long to wait after too many requests', async () => {
    const { errors } = await carillon(create, status(429, { message: 'Slow down.' }, { 'retry-after': '30' }));
    expect(errors).toContain('next: Wait 30 s before the next call.');
  });

  it('explains after a 403 which credentials apply, and after a 404 how to list records', async () => {
    const denied = await carillon(['crm', 'deals', 'get', '501'], status(403));
    expect(denied.errors).toContain(
      'next: The credentials do not permit this call. The environment overrides the file',
    );
    const missing = await carillon(['crm', 'deals', 'delete', '501', '--yes'], status(404));
    expect(missing.errors).toContain('next: List the existing records with: carillon crm deals list\n');
  });

  it("shows the service's message without control characters", async () => {
    const { errors } = await carillon(create, status(422, { message: 'Bad \u001b[2J name' }));
    expect(errors).toContain('Bad ');
    expect(errors.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it.each([401, 422, 500])(
    'and standard output hide the key after %i, even if the service repeats it',
    async (code) => {
      const { output, errors } = await carillon(create, status(code, { message: `Key ${key} is not valid` }));
      expect(output + errors).not.toContain(key);
    },
  );

  it('and the dry run hide the secret of the token operation', async () => {
    const { code, output, errors } = await carillon(['crm', 'oauth', 'create-token', '--input', '-', '--dry-run'], {
      env: { CARILLON_BASE_URL: baseUrl, CARILLON_API_KEY: key },
      input: JSON.stringify({ grant_type: 'client_credentials', client_id: 'id', client_secret: key }),
    });
    expect([code, output]).toEqual([0, expect.stringContaining('"client_secret": "***"')]);
    expect(output + errors).not.toContain(key);
  });

  describe("and the token operation's token", () => {
    const token = answering(async () => Response.json({ access_token: key, token_type: 'Bearer', expires_in: 3600 }));
    const args = ['crm', 'oauth', 'create-token', '--yes', '--input', '-'];
    const input = JSON.stringify({ grant_type: 'client_credentials', client_id: 'id', client_secret: 'secret' });

    it.each([true, false])('is hidden (on a terminal: %s)', async (isTerminal) => {
      const { code, output, errors } = await carillon(args, { ...token, input, isTerminal });
      expect([code, output]).toEqual([0, expect.stringContaining('[hidden]')]);
      expect(output + errors).not.toContain(key);
      expect(errors).toContain('Add --show-secret to print it.');
    });

    it('is printed with --show-secret, as the help explains', async () => {
      const { output } = await carillon([...args, '--show-secret'], { ...token, input });
      expect(JSON.parse(output)).toMatchObject({ access_token: key });
      const help = await carillon([...args.slice(0, 3), '--help']);
      expect(help.output).toContain('The response contains a token, which is hidden unless you pass --show-secret.');
    });
  });
});
