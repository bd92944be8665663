import { tokenGrantType, tokenOperation } from '../../generated/crm/operations.ts';
import type { operations } from '../../generated/crm/types.ts';
import { isRecord } from '../shared/is-record.ts';
import type { Authorizer } from './core/authorizer.ts';
import { shareToken } from './core/client-credentials.ts';
import { CarillonError } from './core/errors/base.ts';
import { TokenError } from './core/errors/local-errors.ts';
import type { ClientCredentialsAuth } from './core/options.ts';
import { preparePath } from './core/path-arguments.ts';
import { createCaller } from './core/path-client.ts';
import type { Settings } from './core/settings.ts';
import { isBearerToken, type StoredToken } from './core/token-store.ts';

type TokenRequest = NonNullable<operations['createToken']['requestBody']>['content']['application/json'];

/** Seconds. If a reply does not say how long its token lives, it is renewed often rather than used too long. */
const assumedLife = 60;
const shortestLife = 1;
const longestLife = 86_400;
/** Of each token request, in milliseconds: one that hangs must not take the time of the calls that wait for it. */
const requestTimeout = 10_000;

/** Tokens of OAuth 2.0 client credentials (CRM document, section 5). */
export function createClientCredentials(auth: ClientCredentialsAuth, settings: Settings): Authorizer {
  const { clientId, clientSecret, tokenStore } = auth;
  // The client reads the reply of a token itself, whatever type it gives to a field: a validator that throws would end every call.
  const caller = createCaller(
    tokenOperation.base,
    { ...settings, validate: undefined },
    { token: async () => undefined },
  );
  const body: TokenRequest = { grant_type: tokenGrantType, client_id: clientId, client_secret: clientSecret };
  const init = { body, attemptTimeout: requestTimeout, timeout: requestTimeout * (settings.maxRetries + 1) };
  settings.secrets.push(clientSecret);
  return shareToken({
    request: () => requestToken(() => caller(tokenOperation, () => preparePath(tokenOperation, requestToken, init))),
    store: tokenStore,
    // An id can hold anything; encoded, it cannot be mistaken for a part of the address.
    storeKey: () => `carillon:token:${settings.address()}:${encodeURIComponent(clientId)}`,
    logger: settings.logger,
    now: Date.now,
    elapsed: () => performance.now(),
    random: Math.random,
  });
}

async function requestToken(call: () => ReturnType<ReturnType<typeof createCaller>>): Promise<StoredToken> {
  const issuedAt = Date.now();
  const { data, error } = await call().catch((cause: unknown) => {
    const why = cause instanceof CarillonError ? `: ${cause.message}` : '';
    throw new TokenError(`The token endpoint gave no usable answer${why}`, undefined, { cause });
  });
  // The cause is left out: its body can repeat what was sent.
  if (error) throw new TokenError(`The token endpoint refused: ${error.message}`, error.status);
  if (!isRecord(data) || !isBearerToken(data.access_token)) {
    throw new TokenError('The token endpoint gave no usable access_token');
  }
  const seconds = Number(data.expires_in);
  const life = Math.min(Math.max(seconds > 0 ? seconds : assumedLife, shortestLife), longestLife);
  return { accessToken: data.access_token, issuedAt, expiresAt: issuedAt + life * 1000 };
}
