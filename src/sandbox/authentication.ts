import type { Account } from './context.ts';
import { Refusal } from './refusal.ts';
import type { State } from './state.ts';

/** Access tokens that a sandbox issues begin with this, which tells them from the keys that anyone makes up. */
export const issuedPrefix = 'sandbox-token-';

/** Refuses a request without a valid bearer token. The documents do not show this reply. */
export function authenticate(
  authorization: string | null,
  { state: { tokens }, account: { apiKeys }, now }: { state: State; account: Account; now: number },
): void {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined)
    throw refusal(
      'Send the header Authorization: Bearer <token>; any token will do unless the sandbox was given keys.',
    );
  const end = tokens.get(token);
  if (end !== undefined) {
    if (now < end) return;
    throw refusal('The access token has ended; ask for another one.');
  }
  if (apiKeys && !apiKeys.includes(token))
    throw refusal('This is neither a key of this sandbox nor a token that it issued.');
  if (token.startsWith(issuedPrefix))
    throw refusal('This access token was not issued by this sandbox, or was forgotten with a reset.');
}

function refusal(message: string): Refusal {
  return new Refusal({ status: 401, body: { message }, choice: 'credential-refused' });
}
