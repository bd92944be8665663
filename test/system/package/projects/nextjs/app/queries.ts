import { createClient } from 'carillon';
import { createQuery } from 'carillon/query';

/** For components. In the page, calls go to `/api` on its own origin, where the server adds the key. */
export const query = createQuery(createClient({ baseUrl: '/api', auth: null }));

// Server and page pass the same parameters, so that they have the same keys.
export const dealParams = { limit: 3 };
export const pipelineParams = { pipelineId: 1 };
