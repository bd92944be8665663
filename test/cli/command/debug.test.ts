import { describe, expect, it } from 'vitest';
import { connectionTo } from '../../../src/cli/catalogue/connect.ts';
import type { Connection, ConnectOptions } from '../../../src/cli/catalogue/index.ts';
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import type { createClient } from '../../../src/client/client.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { carillon } from '../../support/terminal.ts';

const baseUrl = 'https://api.example.com';
const env = { CARILLON_BASE_URL: baseUrl, CARILLON_API_KEY: 'my-secret-key' };

/** A sandbox service that first fails a given number of times, and the requests that it received. */
function service(failures = 0) {
  const sandbox = createSandbox();
  const sent: string[] = [];
  let left = failures;
  const connect = async ({ options }: ConnectOptions): Promise<Connection> => {
    const fetch: NonNullable<Parameters<typeof createClient>[0]['fetch']> = async (url, init) => {
      sent.push(`${init.method} ${String(url).replace(baseUrl, '')}`);
      left -= 1;
      return left >= 0 ? new Response('', { status: 503, headers: { 'retry-after': '0' } }) : sandbox.fetch(url, init);
    };
    return connectionTo({ ...options, baseUrl, auth: { apiKey: 'my-secret-key' }, fetch });
  };
  return { env, connect, sent };
}

describe('--debug', () => {
  it('writes each request and response to standard error, without credentials or contents', async () => {
    const { code, output, errors } = await carillon(['crm', 'contacts', 'get', '3001', '--debug'], service(1));
    expect([code, JSON.parse(output).id]).toEqual([0, 3001]);
    expect(errors).toMatch(/^> GET https:\/\/api\.example\.com\/crm\/v1\/contacts\/3001 \(getContact\)$/m);
    expect(errors).toMatch(/^< 503 in \d+ ms$/m);
    expect(errors).toMatch(/^> GET .* \(getContact, attempt 2\)$/m);
    expect(errors).toMatch(/^< content-type: application\/json/m);
    expect(errors).not.toMatch(/my-secret-key|authorization|Kowal/);
  });

  it('--debug-bodies adds bodies, except those that contain a token', async () => {
    const create = ['crm', 'tags', 'create', '--name', 'Partner', '--debug-bodies'];
    const { errors } = await carillon(create, service());
    expect(errors).toContain('> {"name":"Partner"}');
    expect(errors).toMatch(/^< .*"name":"Partner"/m);
    const input = JSON.stringify({ grant_type: 'client_credentials', client_id: 'id', client_secret: 'my-secret' });
    const token = await carillon(['crm', 'oauth', 'create-token', '--input', '-', '--yes', '--debug-bodies'], {
      ...service(),
      input,
    });
    expect(token.code).toBe(0);
    expect(token.errors).not.toMatch(/my-secret|"access_token"/);
  });
});

describe('--quiet', () => {
  it('hides notes but shows failures and questions', async () => {
    const create = ['crm', 'tags', 'create', '--name', 'Partner', '--quiet'];
    expect((await carillon(create, service())).errors).toBe('');
    expect((await carillon(['-q', ...create.slice(0, -1)], service())).errors).toBe('');
    expect((await carillon(['crm', 'contacts', 'list', '--limit', '1', '-q'], service())).errors).toBe('');
    expect((await carillon(['crm', 'deals', 'get', '9', '-q'], service())).errors).toContain('There is no such deal');
    const asked = await carillon(['crm', 'deals', 'delete', '501', '-q'], {
      ...service(),
      isTerminal: true,
      answers: ['n'],
    });
    expect(asked.errors).toContain('Continue? [y/N]');
  });
});

describe('carillon api', () => {
  it('calls a documented path through the client and prints the response unchanged', async () => {
    const { sent, ...surroundings } = service(1);
    const { code, output } = await carillon(['api', 'GET', '/crm/v1/users'], surroundings);
    expect([code, Object.keys(JSON.parse(output))]).toEqual([0, ['data']]);
    expect(sent).toEqual(['GET /crm/v1/users', 'GET /crm/v1/users']);
  });

  it('writes fields into the query of a GET; for other methods, into the body, where they override the document', async () => {
    const query = service();
    await carillon(['api', 'get', '/crm/v1/contact-tags?search=VI', '--set', 'name=VIP'], query);
    expect(query.sent).toEqual(['GET /crm/v1/contact-tags?search=VI&name=VIP']);
    const body = service();
    const create = ['api', 'POST', '/crm/v1/contact-tags', '--set', 'name=@name.txt', '--input', 'tag.json'];
    const files = { 'name.txt': 'Partner', 'tag.json': '{"name":"VIP","colorText":"#000000"}' };
    const { output } = await carillon(create, { ...body, files });
    expect(JSON.parse(output).data).toMatchObject({ name: 'Partner', colorText: '#000000' });
  });

  it('fails like the named method', async () => {
    const { code, errors } = await carillon(['api', 'GET', '/crm/v1/deals/9'], service());
    expect([code, errors]).toEqual([exitCodes.notFound, expect.stringContaining('There is no such deal')]);
  });

  it('asks like the named method, and before a change at an undocumented path', async () => {
    const { sent, ...surroundings } = service();
    for (const args of [
      ['DELETE', '/crm/v1/deals/501'],
      ['POST', '/crm/v1/nothing', '--set', 'a=1'],
    ])
      expect((await carillon(['api', ...args], surroundings)).code).toBe(exitCodes.unconfirmed);
    const no = await carillon(['api', 'POST', '/x'], { ...surroundings, isTerminal: true, answers: ['n'] });
    expect([no.code, no.errors]).toEqual([exitCodes.unconfirmed, expect.stringContaining('POST /x is not documented')]);
    expect(sent).toEqual([]);
    expect((await carillon(['api', 'DELETE', '/crm/v1/deals/501', '--yes'], surroundings)).code).toBe(0);
    expect(sent).toEqual(['DELETE /crm/v1/deals/501']);
  });

  it('calls an undocumented path once, with the credential', async () => {
    const { code, errors } = await carillon(['--sandbox', 'api', 'GET', '/crm/v1/nothing']);
    expect([code, errors]).toEqual([
      exitCodes.notFound,
      expect.stringMatching(/GET \/crm\/v1\/nothing failed with HTTP status \d+/),
    ]);
  });

  it('suggests the documented path if the base path is missing', async () => {
    const { errors } = await carillon(['--sandbox', 'api', 'GET', '/users']);
    expect(errors).toContain('The path is not documented. Did you mean /crm/v1/users?');
  });

  it.each([
    [['TRACE', '/crm/v1/users'], 'The method must be one of GET, POST'],
    [['GET', '/crm/v1/contacts/%zz'], 'with special characters percent-encoded'],
    [['DELETE', '/crm/v1/contacts/%E0%A4%A', '--yes'], 'with special characters percent-encoded'],
    [['POST', '/crm/v1/contact-tags', '--set', '__proto__={"name":"A"}'], 'no field can have the name __proto__'],
    [['GET', '/crm/v1/contact-tags?search=a&search=b'], 'The query contains search twice'],
    [['GET', 'crm/v1/users'], 'The path must begin with a slash'],
    [['GET', '/crm/v1/../users'], 'The path must begin with a slash'],
    [['GET', '//example.com/users'], 'The path must begin with a slash'],
    [['GET', '/crm/v1/users', '--input', '-'], 'A GET request has no body'],
    [['POST', '/crm/v1/contact-tags', '--set', 'name'], '--set takes name=value'],
    [['POST', '/crm/v1/contact-tags', '--input', '-'], 'standard input is not JSON'],
    [['POST', '/oauth/access_token'], 'Use carillon crm oauth create-token'],
  ])('does not accept %j', async (args, message) => {
    const { sent, ...surroundings } = service();
    const { code, errors } = await carillon(['api', ...args], { ...surroundings, input: '{' });
    expect([code, errors, sent]).toEqual([exitCodes.usage, expect.stringContaining(message), []]);
  });
});
