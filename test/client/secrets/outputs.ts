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

/** Forms in which a service, gateway or library may repeat a credential. */
export const forms: Record<string, (secret: string) => string> = {
  'as it is': (secret) => secret,
  'in JSON': (secret) => JSON.stringify({ secret }),
  'in JSON within JSON': (secret) => JSON.stringify(JSON.stringify({ secret })),
  'with \\u escapes': (secret) => escaped(secret, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'with \\u escapes in upper case': (secret) =>
    escaped(secret, (code) => `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`),
  'percent-encoded': encodeURIComponent,
  'percent-encoded, every byte': (secret) => percent(secret),
  'percent-encoded in lower case': (secret) => percent(secret).toLowerCase(),
  'percent-encoded twice': (secret) => encodeURIComponent(percent(secret)),
  'as a form': (secret) => String(new URLSearchParams({ secret })),
  'with \\x escapes': (secret) => escaped(secret, (code) => `\\x${code.toString(16)}`),
  'in Base64': (secret) => base64(secret),
  'in Base64 as a password': (secret) => base64(`u:${secret}`),
  'in Base64 after another letter': (secret) => base64(`id:${secret}@`),
  'in Base64url': (secret) => Buffer.from(`user:${secret}`).toString('base64url'),
  'in percent-encoded Base64': (secret) => encodeURIComponent(base64(`ab:${secret}`)),
  'split by quotes': (secret) => `"${secret.slice(0, secret.length / 2)}" + "${secret.slice(secret.length / 2)}"`,
};

const escaped = (secret: string, write: (code: number) => string): string =>
  Array.from({ length: secret.length }, (_, at) => write(secret.charCodeAt(at))).join('');
const percent = (secret: string): string =>
  [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
