import { issuedPrefix, type Tokens } from '../data/tokens.ts';
import type { Account } from '../rules/context.ts';
import { Rejection } from '../rules/rejection.ts';

/** Rejects a request without a valid bearer token. The response is not documented. */
export function authenticate(
  authorization: string | null,
  { tokens, account: { apiKeys }, now }: { tokens: Tokens; account: Account; now: number },
): void {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined)
    throw rejection(
      'Send the header Authorization: Bearer <token>. The sandbox accepts any token unless API keys are configured.',
    );
  const end = tokens.get(token)?.expiresAt;
  if (end !== undefined) {
    if (now < end) return;
    throw rejection('The access token has expired. Request a new one.');
  }
  if (apiKeys && !apiKeys.includes(token))
    throw rejection(
      'The bearer token is neither an API key of this sandbox nor an access token that this sandbox issued.',
    );
  if (token.startsWith(issuedPrefix))
    throw rejection('This sandbox did not issue the access token, or the token expired long ago.');
}

function rejection(message: string): Rejection {
  return new Rejection({ status: 401, body: { message }, choice: 'credential-rejected' });
}
