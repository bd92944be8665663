import { tokenGrantType, tokenOperation } from '../../generated/crm/operations.ts';
import type { operations } from '../../generated/crm/types.ts';
import { isRecord } from '../shared/is-record.ts';
import { type Authorizer, authorizeByFunction } from './core/authorizer.ts';
import { createProductContext, type ProductContext, startCall } from './core/call.ts';
import { shareToken } from './core/client-credentials.ts';
import { CarillonError } from './core/errors/base.ts';
import { TokenError } from './core/errors/local-errors.ts';
import type { Auth, ClientCredentialsAuth } from './core/options.ts';
import { type PathInit, preparePath } from './core/prepare.ts';
import type { ClientSettings } from './core/settings.ts';
import { isBearerToken, type StoredToken } from './core/token-store.ts';

type TokenRequest = NonNullable<operations['createToken']['requestBody']>['content']['application/json'];

/**
 * Assumed life of a token in seconds if the response does not state it. Short, because it is better to renew a token too often
 * than too late.
 */
const assumedLife = 60;
const minLife = 1;
const maxLife = 86_400;
/** Timeout of each token request in milliseconds, so that a request that hangs does not use up the time of the waiting calls. */
const requestTimeout = 10_000;

/** Creates the authorizer of a client. */
export function createAuthorizer(auth: Auth, settings: ClientSettings): Authorizer {
  if (auth && 'getToken' in auth) return authorizeByFunction(auth);
  if (auth && !('apiKey' in auth)) return authorizeByClientCredentials(auth, settings);
  const apiKey = auth?.apiKey;
  return { token: () => apiKey };
}

/** OAuth 2.0 client credentials (CRM document, section 5). */
function authorizeByClientCredentials(auth: ClientCredentialsAuth, settings: ClientSettings): Authorizer {
  const { clientId, clientSecret, tokenStore } = auth;
  // Do not validate token responses. The client reads them leniently, and a validator that throws would fail every call.
  const product = createProductContext(
    tokenOperation.base,
    { ...settings, validate: undefined },
    { token: () => undefined },
  );
  const body: TokenRequest = { grant_type: tokenGrantType, client_id: clientId, client_secret: clientSecret };
  const init = { body, attemptTimeout: requestTimeout, timeout: requestTimeout * (settings.maxRetries + 1) };
  // A gateway or proxy may repeat the pair in Base64.
  settings.secrets.push(clientSecret, `${clientId}:${clientSecret}`);
  return shareToken({
    request: () => requestToken(product, init),
    store: tokenStore,
    // Encode the ID, which can contain any character, so that it cannot be confused with a part of the address.
    storeKey: () => `carillon:token:${settings.address()}:${encodeURIComponent(clientId)}`,
    logger: settings.logger,
    now: Date.now,
    elapsed: () => performance.now(),
    random: Math.random,
  });
}

async function requestToken(product: ProductContext, init: PathInit): Promise<StoredToken> {
  const issuedAt = Date.now();
  const { data, error } = await startCall(
    product,
    tokenOperation,
    preparePath(tokenOperation, [init], requestToken),
  ).catch((cause: unknown) => {
    const why = cause instanceof CarillonError ? `: ${cause.message}` : '';
    throw new TokenError(`The token endpoint returned no usable response${why}`, undefined, { cause });
  });
  // Omit the cause, because its body can repeat the request.
  if (error) throw new TokenError(`The token endpoint rejected the request: ${error.message}`, error.status);
  if (!isRecord(data) || !isBearerToken(data.access_token)) {
    throw new TokenError('The token endpoint returned no usable access_token');
  }
  const seconds = Number(data.expires_in);
  const life = Math.min(Math.max(seconds > 0 ? seconds : assumedLife, minLife), maxLife);
  return { accessToken: data.access_token, issuedAt, expiresAt: issuedAt + life * 1000 };
}
