import type { SandboxOptions } from './options.ts';
import { Refusal } from './refusal.ts';
import type { State } from './state/state.ts';

/** Refuses a request without a valid bearer token; the documents do not show this answer. */
export function authenticate(header: string | null, { apiKeys }: SandboxOptions, state: State, now: number): void {
  const token = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
  if (token === undefined)
    throw refusal(
      'Send the header Authorization: Bearer <token>; any token will do unless the sandbox was given keys.',
    );
  const end = state.tokens.get(token);
  if (end !== undefined) {
    if (now < end) return;
    throw refusal('The access token has ended; ask for another one.');
  }
  if (apiKeys && !apiKeys.includes(token))
    throw refusal('This is neither a key of this sandbox nor a token that it issued.');
  if (token.startsWith(issuedPrefix))
    throw refusal('This access token was not issued by this sandbox, or was forgotten with a reset.');
}

/** Tokens that a sandbox issues are told by this from the keys that anyone makes up. */
export const issuedPrefix = 'sandbox-token-';

function refusal(message: string): Refusal {
  return new Refusal({ status: 401, body: { message }, choice: 'credential-refused' });
}
