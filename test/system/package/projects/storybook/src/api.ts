import { createClient } from 'carillon';

/** The address that the page calls. In development, the sandbox in the page responds, so no request leaves the page. */
export const baseUrl = 'https://api.example.com';

/** The key is not a real one, so that the page may contain it. */
export const api = createClient({ baseUrl, auth: { apiKey: 'any', allowBrowser: true } });
