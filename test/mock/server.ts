import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { loadSpec, type Spec } from '../../scripts/spec/model.ts';
import { type RunningServer, serve } from '../../src/shared/server/serve.ts';
import { specMock } from '../support/spec-mock.ts';

export const fixtures: Spec[] = [
  loadSpec('crm', join(import.meta.dirname, 'fixtures', 'shop.yaml')),
  loadSpec('messaging', join(import.meta.dirname, 'fixtures', 'account.yaml')),
];

export interface Call {
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  body?: string | ReadableStream;
  /** @default 'any'; `null` sends no token */
  token?: string | null;
}

/** Serves a mock for the tests of one file. Returns a function that calls it. */
export function useMock(specs?: Spec[]): (method: string, path: string, call?: Call) => Promise<Response> {
  let server: RunningServer;
  beforeAll(async () => {
    server = await serve(await specMock(specs), { port: 0 });
  });
  afterAll(() => server.close());
  return (method, path, { json, token = 'any', headers, body } = {}) => {
    const sent = new Headers(headers);
    if (token !== null) sent.set('authorization', `Bearer ${token}`);
    if (json !== undefined) sent.set('content-type', 'application/json');
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      headers: sent,
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
      signal: AbortSignal.timeout(10_000),
    };
    // fetch requires this to send a stream. Such a body is chunked and has no length.
    if (body instanceof ReadableStream) init.duplex = 'half';
    return fetch(server.url + path, init);
  };
}
