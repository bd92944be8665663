import { crmFacts } from '../../../generated/crm/reference.ts';
import { day } from '../data/dates.ts';
import { digest } from '../data/digest.ts';
import { issuedPrefix, type Tokens } from '../data/tokens.ts';
import type { Handlers } from '../rules/handler-types.ts';

const { tokenLifetime } = crmFacts;

/** @internal */
export const tokenHandlers = {
  createToken({ body = {} }, context) {
    const { grant_type: grant, client_id: clientId, client_secret: clientSecret } = body;
    if (!grant || !clientId || !clientSecret)
      return context.rejectByChoice(
        'token-request-incomplete',
        'A token request needs grant_type, client_id and client_secret.',
      );
    const { clients } = context.account;
    if (clients && !clients.some((known) => known.clientId === clientId && known.clientSecret === clientSecret))
      return context.rejectByChoice('client-rejected', 'The client_id or client_secret is unknown.', 401);
    if (!clients) context.chose('any-credential');
    const { tokens } = context;
    forgetOld(tokens, context.now);
    // The time and the number of tokens make the token unique in its world. The client ID makes it unique among worlds.
    const token = `${issuedPrefix}${context.now.toString(36)}-${tokens.size + 1}-${digest(clientId)}`;
    tokens.put({ token, expiresAt: context.now + tokenLifetime * 1000 });
    return { access_token: token, token_type: 'Bearer', expires_in: tokenLifetime };
  },
} satisfies Partial<Handlers['crm']>;

/**
 * Removes tokens that expired more than a day ago. Until its removal, an expired token is rejected as expired. Tokens
 * are in order of expiry.
 */
function forgetOld(tokens: Tokens, now: number): void {
  for (const [token, { expiresAt }] of tokens) {
    if (expiresAt + day >= now) return;
    tokens.delete(token);
  }
}
