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

/** How long calls share a refresh. One that takes longer has failed: Workers cancel background work. */
const refreshLife = 40_000;
/** Replaced tokens that are remembered. */
const mostReplaced = 20;

/** Tokens of a function. Calls whose token was refused share one refresh. */
function fromFunction({ getToken }: GetTokenAuth): Authorizer {
  /** The latest refresh, and the tokens that it has replaced: a late refusal of one of them wants no other. */
  let refresh: { token: Promise<string>; replaced: Set<string>; endsAt: number } | undefined;

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
      const current = refresh && now < refresh.endsAt ? refresh : undefined;
      if (current?.replaced.has(refused)) return current.token;
      const token = ask(true, AbortSignal.timeout(refreshLife));
      const started = {
        token,
        replaced: new Set([...(current?.replaced ?? [])].slice(-mostReplaced)).add(refused),
        endsAt: now + refreshLife,
      };
      refresh = started;
      // After a failure, the next call that is refused asks again.
      token.catch(() => {
        if (refresh === started) refresh = undefined;
      });
      return token;
    },
  };
}
