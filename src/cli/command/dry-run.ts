import { createClient, type FetchInit } from 'carillon';
import { CredentialsError, profileVariable, readCredentials, variables } from '../../shared/credentials.ts';
import { isCredentialField } from '../../shared/secret-names.ts';
import { callMethod } from '../catalogue/call-method.ts';
import type { Params } from '../catalogue/check-names.ts';
import { withoutCredentials } from '../catalogue/connect.ts';
import type { Method } from '../catalogue/methods.ts';
import type { Io } from './io.ts';

/** Placeholder for the real address if there are no credentials. */
export const placeholderUrl = 'https://base-url.invalid';

/**
 * Describes the request that a call would send. The client builds the request, so all checks of the client apply. The
 * description contains no credential.
 */
export async function describeRequest(method: Method, params: Params, io: Io): Promise<string> {
  const baseUrl = knownBaseUrl(io);
  const seen: { url: string; init: FetchInit }[] = [];
  const client = createClient({
    baseUrl: baseUrl ?? placeholderUrl,
    auth: { apiKey: 'hidden' },
    maxRetries: 0,
    logger: { warn() {} },
    fetch: async (url, init) => {
      seen.push({ url: String(url), init });
      // Any success ends the call. Its response is not used.
      return new Response(null, { status: 204 });
    },
  });
  await callMethod(client, method.name, params).then(undefined, (error: unknown) => {
    if (seen.length === 0) throw error;
  });
  const [request] = seen;
  if (!request) throw new Error(`${method.name} sent no request`);
  const { url, init } = request;
  const address = baseUrl === undefined ? url.replace(placeholderUrl, '{base_url}') : url;
  const headers = Object.entries(init.headers).map(([name, value]) =>
    name === 'authorization' ? `${name}: Bearer ***` : `${name}: ${value}`,
  );
  const body = typeof init.body === 'string' ? `\n${pretty(init.body)}\n` : '';
  return `${init.method} ${address}\n${headers.map((line) => `${line}\n`).join('')}${body}`;
}

/** Returns the address if it is known. A dry run does not need credentials, unless it names a profile. */
function knownBaseUrl({ env }: Io): string | undefined {
  try {
    return readCredentials(env, withoutCredentials).baseUrl;
  } catch (error) {
    if (error instanceof CredentialsError && !env[profileVariable]) return env[variables.baseUrl] || undefined;
    throw error;
  }
}

/** Formats the body, without the secret of the token operation. */
function pretty(json: string): string {
  const hidden = (name: string, value: unknown): unknown => (isCredentialField(name) ? '***' : value);
  return JSON.stringify(JSON.parse(json, hidden), null, 2);
}
