import { expect, test } from 'vitest';
import fc, { samples } from '../../fast-check.ts';
import { failureOf, forms, watchedClient, written } from './outputs.ts';

const visible = (length: { minLength: number; maxLength: number }, characters = ''): fc.Arbitrary<string> =>
  fc.string({
    unit: characters
      ? fc.constantFrom(...characters)
      : fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
    ...length,
  });
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Short keys, keys with escaped characters, and long JWTs. */
const secret = fc.oneof(
  visible({ minLength: 8, maxLength: 8 }, base64url),
  visible({ minLength: 8, maxLength: 60 }),
  visible({ minLength: 12, maxLength: 40 }, '"\\\'/%+&=<>aB3'),
  fc
    .tuple(visible({ minLength: 200, maxLength: 900 }, base64url), visible({ minLength: 43, maxLength: 43 }, base64url))
    .map(([claims, signature]) => `eyJhbGciOiJIUzI1NiJ9.${claims}.${signature}`),
);

type Answer = (said: string) => Response;
const responses: Answer[] = [
  (said) => Response.json({ message: said }, { status: 400, headers: { 'x-sent': said } }),
  (said) => Response.json({ message: `${'x'.repeat(280)} ${said}`, error_code: said }),
  (said) => Response.json({ error: said, data: { error: said } }, { status: 503 }),
  (said) => new Response(`<${said}`, { headers: { 'content-type': `text/${said}` } }),
  (said) => {
    const headers = { authorization: said };
    throw Object.assign(new Error(`failed with ${said}`), {
      name: said,
      code: said,
      config: { headers },
    });
  },
  (said) => {
    throw new TypeError('fetch failed', { cause: new AggregateError([new Error(said), { message: said }], said) });
  },
];

const auths = ['apiKey', 'getToken', 'clientSecret', 'accessToken'] as const;

test('no planted secret is in a message, stack, cause, log line, hook or copy of an error', async () => {
  let planted = 0;
  const sample = fc.record({
    secret,
    auth: fc.constantFrom(...auths),
    write: fc.constantFrom(...Object.entries(forms)),
    response: fc.constantFrom(...responses),
  });
  await fc.assert(
    fc.asyncProperty(sample, async ({ secret, auth, write: [form, write], response }) => {
      const said = write(secret);
      const issue = (): Response => Response.json({ access_token: secret, expires_in: 60 });
      const { api, noted } = watchedClient({
        auth: {
          apiKey: { apiKey: secret },
          getToken: { getToken: () => secret },
          clientSecret: { clientId: 'id', clientSecret: secret },
          accessToken: { clientId: 'id', clientSecret: 'an0ther-s3cret' },
        }[auth],
        fetch: async (url) => (auth === 'accessToken' && url.endsWith('/access_token') ? issue() : response(said)),
      });
      const outputs = written(await failureOf(api.crm.users.list())) + noted.join('\n');
      expect(noted.length).toBeGreaterThan(0);
      for (const shown of [secret, said, JSON.stringify(said).slice(1, -1)]) {
        expect(outputs.includes(shown), `${form}: ${shown}`).toBe(false);
      }
      planted += 1;
    }),
    { numRuns: samples(60) },
  );
  expect(planted).toBeGreaterThanOrEqual(samples(60));
});
