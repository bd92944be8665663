import { answerPreflight, exposeToEveryOrigin } from '../../src/bin/cors.ts';
import type { FetchHandler } from './serve.ts';

/** Lets pages of every origin call a local server. */
export function allowEveryOrigin(handler: FetchHandler['fetch']): FetchHandler['fetch'] {
  return async (request) =>
    exposeToEveryOrigin(answerPreflight(request.method, request.headers) ?? (await handler(request)));
}
