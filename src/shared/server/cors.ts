import type { IncomingMessage } from 'node:http';
import type { HandlerResponse } from './handler.ts';

/**
 * Lets pages from any origin read a response. Credentials stay disabled: the Authorization header does not need them, and
 * without them `*` exposes every response header.
 */
const openToEveryOrigin = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };

/**
 * The response to a preflight request; `undefined` for other requests. Echoes header names because `*` does not cover
 * Authorization.
 */
export function preflightResponse({ method, headers }: IncomingMessage): HandlerResponse | undefined {
  const wanted = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || !wanted) return undefined;
  const names = headers['access-control-request-headers'];
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': wanted,
      ...(names && { 'access-control-allow-headers': names }),
      'access-control-max-age': '600',
      vary: 'access-control-request-method, access-control-request-headers',
    },
    text: null,
  };
}

/** CORS headers of a response. Empty if the response itself specifies which origins can read it. */
export function corsHeaders(hasPolicy: boolean): Record<string, string> {
  return hasPolicy ? {} : openToEveryOrigin;
}

/** Header with which a response specifies which origins can read it. */
export const policyHeader = 'cross-origin-resource-policy';
