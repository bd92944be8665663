import { inspect } from 'node:util';
import {
  type Client,
  type ClientOptions,
  createClient,
  type HookAttempt,
  type HookRequest,
  type HookResponse,
} from '../../../src/client/index.ts';

/** All usual ways in which a program can print a value. */
export function written(value: unknown): string {
  const parts = [inspect(value, { depth: 20 }), String(value), JSON.stringify(value)];
  if (value instanceof Error) {
    parts.push(value.stack ?? '', JSON.stringify({ ...value }), inspect(structuredClone(value), { depth: 20 }));
    parts.push(JSON.stringify(Object.getOwnPropertyNames(value)), written(value.cause));
  }
  return parts.join('\n');
}

const shown = ({ headers, ...rest }: HookRequest | HookAttempt | HookResponse): string =>
  inspect([rest, headers instanceof Headers ? [...headers] : headers], { depth: 9 });

/** A client that records the output of its logger and hooks, including bodies. */
export function watchedClient(options: Partial<ClientOptions>): { api: Client; noted: string[] } {
  const noted: string[] = [];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    maxRetries: 0,
    showBodies: true,
    logger: { warn: (line) => void noted.push(line) },
    middleware: [
      {
        onRequest: (request) => void noted.push(shown(request)),
        onResponse: (request, response) => void noted.push(shown(request), shown(response)),
        onError: (request, error) => void noted.push(shown(request), written(error)),
        onEnd: ({ error, ...call }) => void noted.push(written(call), written(error)),
      },
    ],
    ...options,
  });
  return { api, noted };
}

/** Returns the reason of a rejection. */
export async function failureOf(call: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(call).then(
    () => {
      throw new Error('The call did not fail');
    },
    (error: unknown) => error,
  );
}

/** Forms in which a service, gateway or library may repeat a credential, and that redaction covers. */
export const forms: Record<string, (secret: string) => string> = {
  'as it is': (secret) => secret,
  'in JSON': (secret) => JSON.stringify({ secret }),
  'percent-encoded': encodeURIComponent,
  'in Base64': (secret) => Buffer.from(secret).toString('base64'),
};
