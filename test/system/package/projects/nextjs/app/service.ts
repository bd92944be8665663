import 'server-only';
import { createClient } from 'carillon';
import { createQuery } from 'carillon/query';

// Without variables, this is the sandbox.
export const baseUrl = process.env.CARILLON_BASE_URL ?? 'http://127.0.0.1:4012';
export const apiKey = process.env.CARILLON_API_KEY ?? 'any';

/** For the server, which has the whole address and the key. The `fetch` of Next.js makes one connection for each request. */
export const api = createClient({ baseUrl, auth: { apiKey }, trustConnectErrors: true });
export const serverQuery = createQuery(api);
