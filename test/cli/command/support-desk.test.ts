import { describe, expect, it } from 'vitest';
import { type Connection, connectionTo } from '../../../src/cli/catalogue/connect.ts';
import type { ClientOptions } from '../../../src/client/core/options.ts';
import { carillon, type Surroundings } from '../../support/terminal.ts';

const baseUrl = 'https://api.example.com';

/** A connection to a service that is a sandbox, or answers as the test says. */
function serviceOf(fetch: NonNullable<ClientOptions['fetch']>, options = {}): Connection {
  return connectionTo({ ...options, baseUrl, auth: { apiKey: 'key-of-the-test' }, maxRetries: 0, fetch });
}

describe('an argument', () => {
  it.each([
    ['as a flag', ['--deal-id', '501']],
    ['as a flag with a sign', ['--deal-id=501']],
    ['as a literal flag', ['--deal-id', '@=501']],
    ['in its place', ['501']],
  ])('can be given %s', async (_, words) => {
    const { code, output } = await carillon(['--sandbox', 'crm', 'deals', 'get', ...words, '--json', 'id']);
    expect([code, JSON.parse(output)]).toEqual([0, { id: 501 }]);
  });

  it('can be a flag while another one is in its place', async () => {
    for (const words of [
      ['--tag-id', '15', '3002'],
      ['15', '--contact-id', '3002'],
      ['--contact-id', '3002', '--tag-id', '15'],
    ]) {
      const { output } = await carillon(['crm', 'tags', 'assign', ...words, '--dry-run']);
      expect(output).toContain('/contact-tags/15/contact/3002');
    }
  });

  it('cannot be given twice, and is needed once', async () => {
    const twice = await carillon(['crm', 'deals', 'get', '501', '--deal-id', '502']);
    expect([twice.code, twice.errors]).toEqual([2, expect.stringContaining("takes no argument '501'")]);
    const missing = await carillon(['crm', 'deals', 'get']);
    expect([missing.code, missing.errors]).toEqual([2, expect.stringContaining("Missing required argument 'deal-id'")]);
  });

  it('is a column of --each, or a flag for all rows', async () => {
    const rows = 'contactId\n3002\n';
    const { output } = await carillon(['crm', 'tags', 'assign', '--each', 'r.csv', '--tag-id', '15', '--dry-run'], {
      files: { 'r.csv': rows },
    });
    expect(output).toContain('/contact-tags/15/contact/3002');
  });
});

describe('carillon api', () => {
  const body =
    '{\n\t"id" : 12345678901234567890, "name":"\\u00e9\\/x", "id": 1.0,\n "list":[ {"api_key":"hush", "b":[1]} ],"access_token" : {"a":"hush"}, "z":1e2 }\n';
  const service = (text: string): Surroundings => ({
    connect: async ({ options }) =>
      serviceOf(async () => new Response(text, { headers: { 'content-type': 'application/json' } }), options),
  });

  it('prints the body as it came, without credentials', async () => {
    const { output } = await carillon(['api', 'GET', '/crm/v1/deals/501'], service(body));
    expect(output).toBe(body.replace('"hush", "b"', '"[hidden]", "b"').replace('{"a":"hush"}', '"[hidden]"'));
  });

  it.each([
    ['a method', '/crm/v1/deals/501', '[redacted]'],
    ['an undocumented path', '/crm/v1/extras', '[hidden]'],
  ])('hides the own key in any field of a response of %s', async (_, path, shown) => {
    const hex = Buffer.from('key-of-the-test').toString('hex');
    const { output } = await carillon(
      ['api', 'GET', path],
      service(`{"echo": "Bearer key-of-the-test", "hex": "${hex}", "name":"key-of"}\n`),
    );
    expect(output).toBe(`{"echo": "Bearer ${shown}", "hex": "[hidden]", "name":"key-of"}\n`);
  });

  it('hides the access token in the response of an undocumented path', async () => {
    const sent: string[] = [];
    const fetch: NonNullable<ClientOptions['fetch']> = async (url, { headers }) => {
      sent.push(String(url));
      const response = String(url).endsWith('/oauth/access_token')
        ? { access_token: 'token-of-the-test', token_type: 'Bearer', expires_in: 3600 }
        : { echo: headers.authorization };
      return Response.json(response);
    };
    const auth = { clientId: 'shop', clientSecret: 'hush-hush' };
    const { output } = await carillon(['api', 'GET', '/crm/v1/extras'], {
      connect: async ({ options }) => connectionTo({ ...options, baseUrl, auth, fetch }),
    });
    expect(output).toBe('{"echo":"Bearer [hidden]"}');
    expect(sent).toEqual([`${baseUrl}/oauth/access_token`, `${baseUrl}/crm/v1/extras`]);
  });

  it('finds the ends of texts after escaped quotes and backslashes', async () => {
    const text = '{"a":"\\"x\\"", "b":"\\\\", "token_type":"x", "secret" : "hush" }';
    const { output } = await carillon(['api', 'GET', '/crm/v1/deals/501'], service(text));
    expect(output).toBe(text.replace('"hush"', '"[hidden]"'));
  });

  it('ends the line on a terminal, and replaces control characters there', async () => {
    const { output } = await carillon(['api', 'GET', '/crm/v1/deals/501'], {
      ...service('{"a":"\u009b31m"}'),
      isTerminal: { output: true },
    });
    expect(output).toMatch(/^\{"a":"[^\u009b]31m"\}\n$/);
  });
});
