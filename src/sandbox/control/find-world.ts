import { digest } from '../data/digest.ts';
import { issuedPrefix } from '../data/tokens.ts';
import { bearerToken } from '../http/authentication.ts';
import type { PlainRequest } from '../http/request-and-response.ts';
import { maxNameLength } from '../limits.ts';
import type { Account } from '../rules/context.ts';
import { rejection } from '../rules/rejection.ts';
import type { SandboxOptions } from '../sandbox.ts';
import { defaultWorld, type Worlds } from '../world/worlds.ts';
import { isControlRequest, worldHeader } from './control.ts';

/**
 * Finds the world to which a request belongs. A request with a credential that the sandbox does not accept belongs to the
 * default world, which rejects the request.
 *
 * @returns the name of the world, and whether the request sends the key of that world and can therefore control that world
 * without a control token
 * @throws `Rejection` if the name is too long, or if a control request names a world that does not exist
 */
export function findWorld(
  request: PlainRequest,
  { worlds: choice, control }: Pick<SandboxOptions, 'worlds' | 'control'>,
  { apiKeys, clients }: Account,
  worlds: Worlds,
): { name: string; isOwner: boolean } {
  const named = isControlRequest(request) ? request.headers.get(worldHeader) : null;
  if (named !== null) return { name: existingWorld(named, worlds), isOwner: false };
  if (typeof choice === 'object') return { name: headerWorld(request, choice.header), isOwner: false };
  const token = keyOf(request, control);
  if (token?.startsWith(issuedPrefix)) {
    const owner = worlds.ownerOf(token);
    return { name: owner ?? defaultWorld, isOwner: owner !== undefined };
  }
  if (token !== undefined) {
    const isAccepted = !apiKeys || apiKeys.includes(token);
    return { name: isAccepted ? `key-${digest(token)}` : defaultWorld, isOwner: isAccepted };
  }
  const client = clientOf(request.text);
  const isAccepted =
    client !== undefined &&
    (!clients || clients.some((known) => known.clientId === client.id && known.clientSecret === client.secret));
  return { name: isAccepted ? `client-${digest(client.id)}` : defaultWorld, isOwner: false };
}

function existingWorld(named: string, worlds: Worlds): string {
  const found = worlds.names.find((name) => encodeURIComponent(name) === named);
  if (found !== undefined) return found;
  throw rejection(404, 'There is no such world.');
}

function headerWorld({ headers }: PlainRequest, header: string): string {
  const name = headers.get(header.toLowerCase()) ?? defaultWorld;
  if (name.length <= maxNameLength) return name;
  throw rejection(
    400,
    `The header ${header} has ${name.length} characters, but the name of a world can have at most ${maxNameLength}.`,
    'world-name',
  );
}

/** The API key or token in a request, but not the control token. */
function keyOf({ headers, url }: PlainRequest, control: SandboxOptions['control']): string | undefined {
  const token = bearerToken(headers.get('authorization'));
  const isControlToken = isControlRequest({ url }) && typeof control === 'object' && control.token === token;
  return isControlToken ? undefined : token;
}

/** Reads the credentials in a token request. */
function clientOf(text: string): { id: string; secret: unknown } | undefined {
  // Only a token request has a body but no authorization header, and its body is small.
  if (text.length > 10_000 || !text.includes('client_id')) return undefined;
  try {
    const { client_id: id, client_secret: secret } = Object(JSON.parse(text));
    return typeof id === 'string' && id !== '' ? { id, secret } : undefined;
  } catch {
    return undefined;
  }
}
