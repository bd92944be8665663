import type { Authorizer } from './authorizer.ts';
import { maxRenewal } from './authorizer.ts';
import type { Logger } from './options.ts';
import { isStoredToken, type StoredToken, type TokenStore } from './token-store.ts';

export interface ClientCredentialsSource {
  /**
   * Requests a token from the token endpoint. The request has its own deadline and retries, because any number of calls share it.
   *
   * @throws `TokenError`
   */
  request(): Promise<StoredToken>;
  store: TokenStore | undefined;
  /** Returns the key of the token in the store. Called during a call, when the address of the service is known. */
  storeKey(): string;
  logger: Logger;
  /** Milliseconds since 1970, for stored tokens. */
  now(): number;
  /** Milliseconds on a monotonic clock. */
  elapsed(): number;
  random(): number;
}

/** An `Authorizer` that always returns a token. */
export interface SharedToken extends Required<Authorizer> {
  token(): Promise<string>;
}

/** Token in the memory of this process, with times from the `elapsed` clock. */
interface Held {
  accessToken: string;
  requestedAt: number;
  renewAt: number;
  expiresAt: number;
}

/** How long calls wait for the store, in milliseconds. A starting process has to connect to the store first. */
const patience = 500;
/** Back-off after a failed renewal, in milliseconds, while the old token is still valid. */
const renewalPause = 10_000;

/**
 * Shares one token among all calls. Fetches the token once, renews it before it expires, and replaces it when the service rejects
 * it.
 */
export function shareToken(source: ClientCredentialsSource): SharedToken {
  const { elapsed, logger, now, random, request, store, storeKey } = source;
  let held: Held | undefined;
  let renewal: { token: Promise<string>; rejected: string | undefined; endsAt: number } | undefined;

  async function current(rejected?: string): Promise<string> {
    if (held?.accessToken === rejected) held = undefined;
    const time = elapsed();
    if (held && time < held.renewAt) return held.accessToken;
    if (!renewal || time > renewal.endsAt) {
      const token = renew(rejected).finally(() => {
        if (renewal?.token === token) renewal = undefined;
      });
      // Prevent an unhandled rejection if no call waits for the token.
      token.catch(() => undefined);
      renewal = { token, rejected, endsAt: time + maxRenewal };
    }
    return held && time < held.expiresAt ? held.accessToken : renewal.token;
  }

  async function replace(rejected: string): Promise<string | undefined> {
    // A pending renewal may have started before the rejection, and return the rejected token from the store.
    const isOlder = renewal !== undefined && renewal.rejected !== rejected;
    let token = await current(rejected);
    if (token === rejected && isOlder) token = await current(rejected);
    return token === rejected ? undefined : token;
  }

  async function renew(rejected: string | undefined): Promise<string> {
    const stored = store && (await optional('read from', () => store.get(storeKey())));
    if (isStoredToken(stored)) {
      const { accessToken, issuedAt, expiresAt } = stored;
      const life = expiresAt - issuedAt;
      // The times of a stored token come from the clock of the machine that obtained the token. If that clock is ahead, treat the
      // token as issued now.
      const left = Math.min(expiresAt - now(), life);
      if (accessToken === rejected) await optional('delete from', () => store?.delete(storeKey()));
      // Another process has already renewed the token, or this process has just started.
      else if (left > 0 && accessToken !== held?.accessToken) return hold(accessToken, elapsed(), left, life);
    }
    try {
      return await fetchToken();
    } catch (error) {
      const time = elapsed();
      if (!held || time >= held.expiresAt) throw error;
      held.renewAt = Math.min(time + renewalPause, held.expiresAt);
      logger.warn('carillon: could not renew the access token; calls use the old token until it expires');
      return held.accessToken;
    }
  }

  async function fetchToken(): Promise<string> {
    const startedAt = elapsed();
    const token = await request();
    // A renewal that started later has already ended, and the service may now reject older tokens.
    if (held && held.requestedAt > startedAt) return held.accessToken;
    // Redis accepts only integers above 0, and 0 means "forever" to Keyv.
    const timeToLive = Math.floor(token.expiresAt - now());
    if (store && timeToLive > 0) {
      // Keyv returns `false` on failure.
      const write = async (): Promise<void> => {
        if ((await store.set(storeKey(), token, timeToLive)) === false) throw new Error();
      };
      // Calls do not wait for the store.
      optional('write to', write, 4 * patience).catch(() => undefined);
    }
    const life = token.expiresAt - token.issuedAt;
    return hold(token.accessToken, startedAt, life, life);
  }

  /**
   * Holds a token. The token is renewed at a random time in the last 5 to 20 % of its life, so that many machines do not renew
   * together.
   */
  function hold(accessToken: string, requestedAt: number, left: number, life: number): string {
    const expiresAt = requestedAt + left;
    held = { accessToken, requestedAt, expiresAt, renewAt: expiresAt - life * (0.05 + 0.15 * random()) };
    return accessToken;
  }

  /** Runs an action of the token store. If the store fails or takes too long, logs a warning instead of failing the call. */
  async function optional<T>(what: string, action: () => T | Promise<T>, milliseconds = patience) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, milliseconds);
    });
    try {
      return await Promise.race([Promise.resolve().then(action), late]);
    } catch {
      // Omit the cause, because a store's error can contain its address and password.
      logger.warn(
        `carillon: could not ${what} the token store within ${milliseconds} ms: check that the store can be reached; meanwhile, this process requests its own tokens`,
      );
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  return { token: () => current(), replace };
}
