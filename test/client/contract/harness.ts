import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { validators } from '../../../generated/zod.ts';
import { type SpecName, specPath } from '../../../scripts/spec/files.ts';
import type { SpecOperation } from '../../../scripts/spec/model.ts';
import type { PathInit } from '../../../src/client/core/prepare.ts';
import { type ApiError, type Auth, type Client, createClient } from '../../../src/client/index.ts';
import type { OperationValidators } from '../../../src/shared/operation-validators.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';
import { specMock } from '../../support/spec-mock.ts';
import type { Call } from './case-types.ts';

/** Operations found in the text of a spec, to detect any that the model omits. */
export function writtenOperations(name: SpecName): string[] {
  return [...readFileSync(specPath(name), 'utf8').matchAll(/^ +operationId: (\w+)$/gm)].map(([, id = '']) => id);
}

/** The client's result, and the body on the wire. */
export interface Answer {
  data?: unknown;
  meta?: unknown;
  error?: ApiError;
  response: Response;
  /** Parsed body; `undefined` if it is empty. */
  body: unknown;
}

export interface SendOptions {
  auth?: Auth;
  headers?: Record<string, string>;
}

/** Calls an operation through the client, over HTTP to a mock of all three specs. */
export type Send = (operation: SpecOperation, call: Call, options?: SendOptions) => Promise<Answer>;

type DynamicCall = (path: string, init: PathInit) => Promise<Omit<Answer, 'body'>>;

/** A sent request and the text of its answer. */
export interface Exchange {
  url: URL;
  method: string;
  headers: Headers;
  body: string | undefined;
  answer: string;
}

/** Serves one mock for the tests of a file. Returns a function that creates clients and records their requests. */
export function useServer(): (operation: SpecOperation, auth?: Auth) => { client: Client; exchanges: Exchange[] } {
  let server: RunningServer;
  beforeAll(async () => {
    server = await serve(await specMock(), { port: 0 });
  });
  afterAll(() => server.close());

  return ({ operation }, auth = { apiKey: 'any' }) => {
    const exchanges: Exchange[] = [];
    const client = createClient({
      baseUrl: server.url,
      auth,
      timeout: 20_000,
      async fetch(url, init) {
        const response = await fetch(url, init);
        const answer = await response.clone().text();
        const body = typeof init.body === 'string' ? init.body : undefined;
        exchanges.push({
          url: new URL(url),
          method: init.method ?? '',
          headers: new Headers(init.headers),
          body,
          answer,
        });
        return response;
      },
      logger: {
        // Warnings concern an undocumented envelope or a deprecated operation, or a repeated page, because the mock answers every page
        // of a list with the same example.
        warn: (message) => {
          const known = operation.deprecated ? /is deprecated$/ : /^nothing$/;
          expect(message).toMatch(operation['x-pagination'] ? /repeats a page/ : known);
        },
      },
    });
    return { client, exchanges };
  };
}

/** Calls operations of one mock by path. */
export function useMock(): Send {
  const connect = useServer();
  return async (operation, call, { auth, headers = {} } = {}) => {
    const { client, exchanges } = connect(operation, auth);
    const send: DynamicCall = Reflect.get(client[operation.spec.name], operation.method);
    const result = await send(operation.path, {
      params: { path: call.path, query: call.query },
      ...(call.body !== undefined && { body: call.body }),
      headers,
    });
    const text = exchanges.at(-1)?.answer ?? '';
    return { ...result, body: text === '' ? undefined : JSON.parse(text) };
  };
}

/** The generated Zod schema for a part of an operation. */
export function validator({ spec, operationId }: SpecOperation, part: keyof OperationValidators): z.ZodType {
  const ofProduct: Readonly<Record<string, OperationValidators>> = validators[spec.name];
  const found = ofProduct[operationId]?.[part];
  if (!(found instanceof z.ZodType))
    throw new Error(`generated/${spec.name}/validators.ts has no ${part} of ${operationId}`);
  return found;
}
