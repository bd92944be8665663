import { vi } from 'vitest';
import { type ClientOptions, createClient, type Middleware } from '../../../src/client/index.ts';

export const credentials = { clientId: 'client-id', clientSecret: 'cl13nt-s3cret' };
const tokenResponse = { access_token: 't0ken-value', token_type: 'Bearer', expires_in: 3600 };

/** A client with a stub of `fetch` that records its arguments. */
export function setUp(
  middleware: Middleware[],
  options: Partial<ClientOptions> = {},
  answers: (() => Response)[] = [],
) {
  const sent: { url: string; headers: Headers; body: unknown }[] = [];
  const warn = vi.fn();
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'k3y-value' },
    fetch: async (url, { headers, body }) => {
      sent.push({ url, headers: new Headers(headers), body });
      if (url.endsWith('/access_token')) return Response.json(tokenResponse);
      return answers.shift()?.() ?? Response.json({ data: { id: 501 } });
    },
    middleware,
    logger: { warn },
    ...options,
  });
  return { api, sent, warn };
}
