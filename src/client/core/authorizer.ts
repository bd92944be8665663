import { TokenError } from './errors/local-errors.ts';
import type { GetTokenAuth } from './options.ts';
import { isBearerToken } from './token-store.ts';

/** Supplies the bearer token of a request. */
export interface Authorizer {
  /** Returns the token to send, or `undefined` if a proxy adds the credential. `signal` is the signal of the call. */
  token(signal: AbortSignal): Promise<string | undefined> | string | undefined;
  /**
   * Obtains another token after a response with status 401. Absent if no other token can be obtained, as with an API key.
   *
   * @returns a different token, or `undefined`
   */
  replace?(rejected: string): Promise<string | undefined>;
}

/**
 * How long calls share a renewal, in milliseconds. A renewal that takes longer counts as failed, because Cloudflare Workers
 * cancel background work, and a cancelled renewal never ends.
 */
export const maxRenewal = 40_000;
/** Number of replaced tokens to remember. */
const maxReplaced = 20;

/** Gets tokens from the caller's function. Calls whose token was rejected share one refresh. */
export function authorizeByFunction(auth: GetTokenAuth): Authorizer {
  /** The latest refresh, and the tokens that it replaced. A late 401 for one of these tokens does not start another refresh. */
  let refresh: { token: Promise<string>; replaced: Set<string>; endsAt: number } | undefined;

  async function ask(forceRefresh: boolean, signal: AbortSignal): Promise<string> {
    let token: string;
    try {
      token = await auth.getToken({ forceRefresh, signal });
    } catch (error) {
      throw new TokenError('auth.getToken failed', undefined, { cause: error });
    }
    if (!isBearerToken(token)) {
      throw new TokenError('auth.getToken must return visible ASCII characters without spaces or line breaks');
    }
    return token;
  }

  function refreshed(rejected: string): Promise<string> {
    const now = performance.now();
    const current = refresh && now < refresh.endsAt ? refresh : undefined;
    if (current?.replaced.has(rejected)) return current.token;
    const token = ask(true, AbortSignal.timeout(maxRenewal));
    const started = {
      token,
      replaced: new Set([...(current?.replaced ?? [])].slice(-maxReplaced)).add(rejected),
      endsAt: now + maxRenewal,
    };
    refresh = started;
    // After a failure, the next rejected call tries again.
    token.catch(() => {
      if (refresh === started) refresh = undefined;
    });
    return token;
  }

  return {
    token: (signal) => ask(false, signal),
    async replace(rejected) {
      const token = await refreshed(rejected);
      return token === rejected ? undefined : token;
    },
  };
}
