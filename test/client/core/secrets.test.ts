import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../../src/client/index.ts';

const apiKey = 'k3y-v4lue';
const clientSecret = 'cl13nt-s3cret';
const accessToken = 't0ken-v4lue';
const words = 'Private words for Ann';
const credentials = new RegExp([apiKey, clientSecret, accessToken].join('|'));
const secrets = new RegExp([credentials.source, words].join('|'));

let written: string[];

beforeEach(() => {
  written = [];
  vi.spyOn(Math, 'random').mockReturnValue(0);
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  }
  for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...values) => void written.push(inspect(values)));
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** All usual ways in which a program prints a value. */
function outputs(value: unknown): string {
  const stack = value instanceof Error ? value.stack : '';
  const parts = [inspect(value, { depth: 20 }), String(value), stack, JSON.stringify(value)];
  return [...parts, typeof value === 'object' ? JSON.stringify({ ...value }) : ''].join('\n');
}

type Answer = (url: string, init: RequestInit) => Response | Promise<Response>;

/** Repeats the whole request in its headers, body and message. */
const repeat =
  (status: number): Answer =>
  (_, { headers, body }) => {
    const sent = `${JSON.stringify([...new Headers(headers)])} ${String(body)}`;
    const response = { message: sent, error: sent, error_code: sent, body, data: { error: sent } };
    return Response.json(response, { status, headers: { 'X-Sent': encodeURI(sent) } });
  };

const answers: [string, Answer][] = [
  ['repeats what it was sent, with 401', repeat(401)],
  ['repeats what it was sent, with 400', repeat(400)],
  ['repeats what it was sent, with 500', repeat(500)],
  ['repeats what it was sent, with a failure under 200', repeat(200)],
  [
    'repeats the body as a page',
    (_, { body }) => new Response(`<html>${accessToken} ${apiKey} ${String(body)}</html>`),
  ],
  [
    'repeats the credential as its content type',
    (_, { headers }) => {
      const credential = new Headers(headers).get('Authorization')?.slice('Bearer '.length);
      return new Response('<html>', { headers: { 'Content-Type': `text/${credential}` } });
    },
  ],
  ['redirects to itself', (url) => new Response(words, { status: 307, headers: { Location: url } })],
  ['drifts', (_, { body }) => Response.json({ drifted: words, body })],
  ['loses the connection', () => Promise.reject(new TypeError('fetch failed', { cause: new Error('reset') }))],
  ['never answers', () => new Promise<never>(() => undefined)],
];

const auths: [string, ClientOptions['auth']][] = [
  ['an API key', { apiKey }],
  ['client credentials', { clientId: 'client-id', clientSecret }],
  ['a function', { getToken: () => accessToken }],
];

const calls: ((api: Client) => PromiseLike<unknown>)[] = [
  (api) => api.crm.deals.comments.create({ dealId: 501, message: words }),
  (api) => api.crm.deals.comments.update({ dealId: 501, commentId: 1, message: words }),
  (api) => api.crm.contacts.list({ firstName: words }),
  (api) => api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11, name: words } }).then(({ error }) => error),
];

test.each(auths.flatMap(([auth, value]) => answers.map(([name, answer]) => [auth, name, value, answer] as const)))(
  'with %s, a service that %s puts no secret into any output, and no content that the service does not repeat',
  async (_, name, auth, answer) => {
    const logged: string[] = [];
    const hooked: unknown[] = [];
    const api = createClient({
      baseUrl: 'https://api.example.com',
      auth,
      timeout: 10,
      fetch: async (url, init) =>
        url.endsWith('/access_token')
          ? Response.json({ access_token: accessToken, expires_in: 60 })
          : answer(url, init),
      logger: { warn: (message) => logged.push(message) },
      middleware: [
        {
          onRequest: (request) => void hooked.push(request),
          onResponse: (request, { status, duration, body }) => void hooked.push(request, { status, duration, body }),
          onError: (request, error) => void hooked.push(request, error),
        },
      ],
    });
    for (const call of calls) {
      const result: unknown = await Promise.resolve(call(api)).catch((reason: unknown) => reason);
      // A drifted response is returned unchanged, as the caller's data.
      const shown = name === 'drifts' ? '' : outputs(result);
      const { message: noted } = { message: [...logged, ...written, ...hooked.map(outputs)].join('\n') };
      // A message is the service's, and may repeat what was sent.
      expect(shown + noted).not.toMatch(name.startsWith('repeats what') ? credentials : secrets);
    }
    expect(hooked.length).toBeGreaterThan(0);
  },
);

test.each([
  ['at once', 400, clientSecret],
  ['around the place where a long message is cut', 400, `${'x'.repeat(180)}${clientSecret} and more`],
  ['as its code', 403, clientSecret],
])('with the client secret repeated by the token endpoint %s, no output contains it', async (_, status, said) => {
  const fetch = async () => Response.json({ message: said, error_code: said }, { status });
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { clientId: 'client-id', clientSecret },
    fetch,
  });
  const cut = await Promise.resolve(api.crm.users.list()).catch(outputs);
  const request = {
    grant_type: 'client_credentials',
    client_id: 'client-id',
    client_secret: clientSecret,
  } as const;
  const direct = await Promise.resolve(api.crm.oauth.createToken(request)).catch(outputs);
  expect(`${cut}${direct}${written.join('\n')}`).not.toContain(clientSecret);
  expect(cut).toContain('TokenError');
  expect(direct).toContain(`HTTP status ${status}`);
});

test('an error keeps its body for the program, but not in output', async () => {
  const fetch = async () => Response.json({ message: 'No', text: words }, { status: 422 });
  const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey }, fetch });
  const { error } = await api.crm.GET('/users');
  expect(error?.body).toEqual({ message: 'No', text: words });
  expect(outputs(error)).not.toMatch(secrets);
  expect(Object.keys(error ?? {})).not.toContain('body');
});

test('shortens a code that the service makes up to one line', async () => {
  const fetch = async () =>
    Response.json({ message: 'No', error_code: `a\r\nb\u001b[31m${'x'.repeat(5_000)}` }, { status: 400 });
  const { error } = await createClient({ baseUrl: 'https://api.example.com', auth: null, fetch }).crm.GET('/users');
  expect(error?.code).toMatch(/^a b \[31mx+…$/);
  expect(error?.message).not.toMatch(/\p{Cc}/u);
  expect(error?.message.length).toBeLessThan(500);
});

test('neither a client nor the result of a call shows the credential', async () => {
  const fetch = async () => Response.json({ data: { id: 501 } });
  for (const [, auth] of auths) {
    const api = createClient({ baseUrl: 'https://api.example.com', auth, fetch });
    const pending = api.crm.contacts.list();
    const list = outputs(pending);
    expect(outputs(api) + inspect(api, { depth: 20, showHidden: true }) + list).not.toMatch(secrets);
  }
});
