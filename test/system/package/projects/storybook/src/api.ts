import { createClient } from 'carillon';

/** The address that the page calls. In development, the sandbox answers it in the page, so that no request leaves it. */
export const baseUrl = 'https://api.example.com';

/** The key is not a real one, so that the page may contain it. */
export const api = createClient({ baseUrl, auth: { apiKey: 'any', allowBrowser: true } });
