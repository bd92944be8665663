import { TokenError } from './errors/local-errors.ts';
import type { Auth, ClientCredentialsAuth, GetTokenAuth } from './options.ts';
import { isBearerToken } from './token-store.ts';

/** Supplies the bearer token of a request. */
export interface Authorizer {
  /**
   * The token to send, or `undefined` if a proxy adds it.
   *
   * @param signal - of the call that waits for it, which no longer waits after an abort
   * @param refused - a token that the service has just answered with 401: another one is wanted
   */
  token(signal: AbortSignal, refused?: string): Promise<string | undefined> | string | undefined;
}

/** Fetches and renews tokens of client credentials; made by the caller, which knows the token operation. */
export type ClientCredentialsFactory = (auth: ClientCredentialsAuth) => Authorizer;

export function createAuthorizer(auth: Auth, clientCredentials: ClientCredentialsFactory): Authorizer {
  if (auth && 'getToken' in auth) return fromFunction(auth);
  if (auth && !('apiKey' in auth)) return clientCredentials(auth);
  const apiKey = auth?.apiKey;
  return { token: () => apiKey };
}

/** A refresh that takes longer has failed: Workers cancel background work. */
const longestRefresh = 40_000;

/** Tokens of a function. Calls whose token was refused share one refresh. */
function fromFunction({ getToken }: GetTokenAuth): Authorizer {
  let refresh: { refused: string; token: Promise<string>; endsAt: number } | undefined;

  async function ask(forceRefresh: boolean, signal: AbortSignal): Promise<string> {
    let token: string;
    try {
      token = await getToken({ forceRefresh, signal });
    } catch (error) {
      throw new TokenError('auth.getToken failed', undefined, { cause: error });
    }
    if (!isBearerToken(token)) {
      throw new TokenError('auth.getToken must return visible ASCII without blanks or line breaks');
    }
    return token;
  }

  return {
    token(signal, refused) {
      if (refused === undefined) return ask(false, signal);
      const now = performance.now();
      if (refresh?.refused !== refused || now > refresh.endsAt) {
        const token = ask(true, AbortSignal.timeout(longestRefresh));
        const started = { refused, token, endsAt: now + longestRefresh };
        refresh = started;
        // The next call that is refused asks again.
        token.catch(() => {
          if (refresh === started) refresh = undefined;
        });
      }
      return refresh.token;
    },
  };
}
