import { issuedPrefix, type Tokens } from '../data/tokens.ts';
import type { Account } from '../rules/context.ts';
import { type Rejection, rejection } from '../rules/rejection.ts';

/** Returns the bearer token in an `Authorization` header. */
export function bearerToken(authorization: string | null): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}

/** Rejects a request without a valid bearer token. The response is not documented. */
export function authenticate(
  authorization: string | null,
  { tokens, account: { apiKeys }, now }: { tokens: Tokens; account: Account; now: number },
): void {
  const token = bearerToken(authorization);
  if (token === undefined)
    throw rejected(
      'Send the header Authorization: Bearer <token>. The sandbox accepts any token unless API keys are configured.',
    );
  const end = tokens.get(token)?.expiresAt;
  if (end !== undefined) {
    if (now < end) return;
    throw rejected('The access token has expired. Request a new one.');
  }
  if (apiKeys && !apiKeys.includes(token))
    throw rejected(
      'The bearer token is neither an API key of this sandbox nor an access token that this sandbox issued.',
    );
  if (token.startsWith(issuedPrefix))
    throw rejected('This sandbox did not issue the access token, or the token expired long ago.');
}

function rejected(message: string): Rejection {
  return rejection(401, message, 'credential-rejected');
}
