import { expect, test } from 'vitest';
import { failureOf, forms, watchedClient, written } from './outputs.ts';

const token =
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4iLCJleHAiOjE4OTM0NTYwMDB9.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
const keys = [token, 'sk_live_4f9c2b7a1d', 'a"b\\c/d%e+f&g1', 'Zq8-Xw3!'];

const answers: [string, (said: string) => Response][] = [
  ['message', (said) => Response.json({ message: said }, { status: 400 })],
  ['message under 200', (said) => Response.json({ message: said, error_code: 1 })],
  ['code', (said) => Response.json({ message: 'No', error_code: said }, { status: 400 })],
  ['description', (said) => Response.json({ error_description: `The header is ${said}.` }, { status: 401 })],
  ['content type', (said) => new Response('<p>', { headers: { 'content-type': `text/${said}` } })],
  ['headers', (said) => Response.json({ message: 'No' }, { status: 500, headers: { 'x-sent': said } })],
  ['body', (said) => new Response(`<p>${said}</p>`, { status: 502 })],
];

/** Each key in each form, in each place. */
const cases = keys.flatMap((apiKey) =>
  Object.entries(forms).flatMap(([form, write]) =>
    answers.map(([place, answer]) => [form, place, apiKey, write(apiKey), answer] as const),
  ),
);

test.each(cases)('a key that the service repeats %s in its %s is in no output (%s)', async (...args) => {
  const [, , apiKey, said, answer] = args;
  const { api, noted } = watchedClient({ auth: { apiKey }, fetch: async () => answer(said) });
  const error = await failureOf(api.crm.users.list());
  const outputs = [written(error), ...noted].join('\n');
  expect(noted.length).toBeGreaterThan(2);
  expect(outputs).not.toContain(apiKey);
  expect(outputs).not.toContain(said);
  expect(outputs).not.toContain(JSON.stringify(said).slice(1, -1));
});

test.each([285, 290, 295, 299, 9_950, 9_990, 9_999])(
  'redacts a key that begins at character %i of a message before it shortens the message',
  async (at) => {
    const message = 'x'.repeat(at) + token;
    const fetch = async () => Response.json({ message }, { status: 400 });
    const { api } = watchedClient({ auth: { apiKey: token }, fetch });
    expect(written(await failureOf(api.crm.users.list()))).not.toContain(token.slice(0, 3));
  },
);

test('omits a message that is too long for people, such as one that repeats the request', async () => {
  const message = 'Private words for Ann. '.repeat(1_000);
  const fetch = async () => Response.json({ message: `Too long: ${message}` }, { status: 422 });
  const { api } = watchedClient({ showBodies: false, fetch });
  const error = await failureOf(api.crm.deals.comments.create({ dealId: 501, message }));
  expect(written(error)).not.toContain('Private');
});

test('omits only the parts of a message that repeat a credential', async () => {
  const fetch = async () => Response.json({ message: `Key "${token}" has no access to deals` }, { status: 403 });
  const { api } = watchedClient({ auth: { apiKey: token }, fetch });
  expect(await failureOf(api.crm.users.list())).toMatchObject({
    serviceMessage: 'Key "[redacted]" has no access to deals',
  });
});

test("a validator's problems show no credential", async () => {
  for (const onInvalid of ['report', 'throw'] as const) {
    const { api, noted } = watchedClient({
      auth: { apiKey: token },
      fetch: async () => Response.json({ data: [] }),
      validate: { onInvalid, check: () => [`authorization: Bearer ${token}`] },
    });
    const result = await Promise.resolve(api.crm.users.list()).catch((error: unknown) => error);
    expect(written(result) + noted.join('\n')).not.toContain(token);
  }
});

test('treats an Authorization of several parts as one credential', async () => {
  const authorization = 'Digest username="ann-kowal", response="6629fae49393a05397450978507c4ef1", opaque="1"';
  const fetch = async () => Response.json({ message: `Bad header ${authorization}` }, { status: 401 });
  const { api, noted } = watchedClient({ headers: { authorization }, fetch });
  const outputs = [written(await failureOf(api.crm.users.list())), ...noted].join('\n');
  expect(outputs).not.toMatch(/ann-kowal|6629fae49393/);
});
