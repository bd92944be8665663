/** Client options that must not compile, beside some that do. Only type-checked, never run. */
import { createClient } from '../../../src/client/index.ts';

const baseUrl = 'https://api.example.com';

export function auth(): void {
  createClient({ baseUrl, auth: { apiKey: 'key' } });
  createClient({ baseUrl, auth: { clientId: 'id', clientSecret: 'secret' } });
  createClient({ baseUrl, auth: { getToken: async ({ forceRefresh }) => (forceRefresh ? 'new' : 'old') } });
  createClient({ baseUrl, auth: null });
  // @ts-expect-error no credential
  createClient({ baseUrl });
  // @ts-expect-error a misspelt kind of credential
  createClient({ baseUrl, auth: { apikey: 'key' } });
  // @ts-expect-error half a credential
  createClient({ baseUrl, auth: { clientId: 'id' } });
  // @ts-expect-error a key that may be missing
  createClient({ baseUrl, auth: { apiKey: process.env.API_KEY } });
}

export function options(): void {
  // @ts-expect-error no address
  createClient({ auth: null });
  // @ts-expect-error a misspelt option
  createClient({ baseUrl, auth: null, timeOut: 1_000 });
  const api = createClient({ baseUrl, auth: null });
  api.withOptions({ timeout: 1_000 });
  // @ts-expect-error a misspelt option of a copy
  api.withOptions({ timeOut: 1_000 });
  // @ts-expect-error a credential cannot be changed
  api.withOptions({ auth: { apiKey: 'key' } });
  // @ts-expect-error nor can the address
  api.withOptions({ baseUrl });
}
