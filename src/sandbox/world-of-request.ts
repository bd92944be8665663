import { issuedPrefix } from './authentication.ts';
import type { Account } from './context.ts';
import { isControlRequest, worldHeader } from './control.ts';
import { digest } from './digest.ts';
import type { PlainRequest } from './http.ts';
import type { SandboxOptions } from './sandbox.ts';
import { defaultWorld, type Worlds } from './worlds.ts';

/** Longest value of a header that names a world, in characters. */
const longestName = 100;

/**
 * Returns the name of the world that a request belongs to. A credential that the sandbox does not accept belongs to the
 * default world, where it is refused. Returns `undefined` if a control request names a world that does not exist.
 */
export function worldOfRequest(
  request: PlainRequest,
  { worlds: choice, control }: Pick<SandboxOptions, 'worlds' | 'control'>,
  { apiKeys, clients }: Account,
  worlds: Worlds,
): string | undefined {
  if (choice === undefined || choice === 'shared') return defaultWorld;
  const named = isControlRequest(request) ? request.headers.get(worldHeader) : null;
  if (named !== null) return worlds.names.find((name) => encodeURIComponent(name) === named);
  if (choice !== 'credential') return request.headers.get(choice.header.toLowerCase())?.slice(0, longestName) ?? '';
  const token = keyOf(request, control);
  if (token?.startsWith(issuedPrefix)) return worlds.ownerOf(token) ?? defaultWorld;
  if (token !== undefined) return !apiKeys || apiKeys.includes(token) ? `key-${digest(token)}` : defaultWorld;
  const client = clientOf(request.text);
  if (!client) return defaultWorld;
  const isAccepted =
    !clients || clients.some((known) => known.clientId === client.id && known.clientSecret === client.secret);
  return isAccepted ? `client-${digest(client.id)}` : defaultWorld;
}

/** The API key or token of a request. Control requests that send a control token name the key in another header. */
function keyOf({ headers, url }: PlainRequest, control: SandboxOptions['control']): string | undefined {
  const token = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (!isControlRequest({ url })) return token;
  const isControlToken = typeof control === 'object' && control.token === token;
  return headers.get('x-sandbox-key') ?? (isControlToken ? undefined : token);
}

/** Reads the credentials of a token request. */
function clientOf(text: string): { id: string; secret: unknown } | undefined {
  // Only a token request has no authorization and a body, and its body is small.
  if (text.length > 10_000 || !text.includes('client_id')) return undefined;
  try {
    const { client_id: id, client_secret: secret } = Object(JSON.parse(text));
    return typeof id === 'string' && id !== '' ? { id, secret } : undefined;
  } catch {
    return undefined;
  }
}
