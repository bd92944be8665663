import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import * as crm from '../../generated/crm/validators.ts';
import * as email from '../../generated/email/validators.ts';
import * as messaging from '../../generated/messaging/validators.ts';
import { createMock } from '../../scripts/mock/create-mock.ts';
import { type RunningServer, serve } from '../../scripts/serve/serve.ts';
import type { SpecName } from '../../scripts/spec/files.ts';
import type { Operation } from '../../scripts/spec/model.ts';
import type { PathInit } from '../../src/core/path-client.ts';
import { type ApiError, type Auth, createClient } from '../../src/index.ts';
import type { Call } from './cases.ts';

/** What came back: the client's result, and the body as it was on the wire. */
export interface Answer {
  data?: unknown;
  meta?: unknown;
  error?: ApiError;
  response: Response;
  /** Parsed; undefined where the body is empty. */
  body: unknown;
}

export interface SendOptions {
  auth?: Auth;
  headers?: Record<string, string>;
}

/** Calls an operation through the client; the mock of all three specs answers over HTTP. */
export type Send = (operation: Operation, call: Call, options?: SendOptions) => Promise<Answer>;

type DynamicCall = (path: string, init: PathInit) => Promise<Omit<Answer, 'body'>>;

/** Serves one mock for the tests of a file. */
export function useMock(): Send {
  let server: RunningServer;
  beforeAll(async () => {
    server = await serve(await createMock(), { port: 0 });
  });
  afterAll(() => server.close());

  return async ({ spec, method, path, operation }, call, { auth = { apiKey: 'any' }, headers = {} } = {}) => {
    let text = '';
    const client = createClient({
      baseUrl: server.url,
      auth,
      timeout: 20_000,
      async fetch(url, init) {
        const response = await fetch(url, init);
        text = await response.clone().text();
        return response;
      },
      logger: {
        // A warning tells of a reply whose envelope is not the documented one, or of a deprecated operation.
        warn: (message) => expect(message).toMatch(operation.deprecated ? /is deprecated$/ : /^nothing$/),
      },
    });
    const send: DynamicCall = Reflect.get(client[spec.name], method);
    const result = await send(path, {
      params: { path: call.path, query: call.query },
      ...(call.body !== undefined && { body: call.body }),
      headers,
    });
    return { ...result, body: text === '' ? undefined : JSON.parse(text) };
  };
}

const validators: Record<SpecName, object> = { crm, messaging, email };

/** The generated zod schema of a part of an operation. */
export function validator({ spec, operationId }: Operation, part: 'Body' | 'Path' | 'Query' | 'Response'): z.ZodType {
  const name = `z${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}${part}`;
  const found: unknown = Reflect.get(validators[spec.name], name);
  if (!(found instanceof z.ZodType)) throw new Error(`generated/${spec.name}/validators.ts has no ${name}`);
  return found;
}
