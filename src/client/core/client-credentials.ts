import type { Logger } from './options.ts';
import { isStoredToken, type StoredToken, type TokenStore } from './token-store.ts';

export interface ClientCredentialsSource {
  /**
   * Asks the token endpoint, within limits of its own: any number of calls wait for one request.
   *
   * @throws `TokenError`
   */
  request(): Promise<StoredToken>;
  store: TokenStore | undefined;
  /** The key of the token in the store. Asked for within a call, when the address of the service is known. */
  storeKey(): string;
  logger: Logger;
  /** Milliseconds since 1970, for the times of stored tokens. */
  now(): number;
  /** Milliseconds of a clock that never jumps. */
  elapsed(): number;
  random(): number;
}

/** An `Authorizer` that always has a token. */
export interface SharedToken {
  token(signal: AbortSignal, refused?: string): Promise<string>;
}

/** The token of this process, in `elapsed` time. */
interface Held {
  accessToken: string;
  renewAt: number;
  expiresAt: number;
}

/** A store that calls wait for holds them up no longer than this; a process that starts has to connect first. */
const patience = 500;
/** While the old token still lives, a failed renewal is tried again after this. */
const renewalPause = 10_000;
/** Treat a longer renewal as failed: Workers cancel background work. */
const longestRenewal = 40_000;

/** One token for all calls: fetched once for any number of them, renewed ahead of expiry, replaced once refused. */
export function shareToken(source: ClientCredentialsSource): SharedToken {
  const { elapsed, logger, now, random, request, store, storeKey } = source;
  let held: Held | undefined;
  let renewal: { token: Promise<string>; refused: string | undefined; endsAt: number } | undefined;

  async function current(refused: string | undefined): Promise<string> {
    if (held?.accessToken === refused) held = undefined;
    const time = elapsed();
    if (held && time < held.renewAt) return held.accessToken;
    if (!renewal || time > renewal.endsAt) {
      const token = renew(refused).finally(() => {
        if (renewal?.token === token) renewal = undefined;
      });
      // Nobody may wait for it.
      token.catch(() => undefined);
      renewal = { token, refused, endsAt: time + longestRenewal };
    }
    return held && time < held.expiresAt ? held.accessToken : renewal.token;
  }

  async function renew(refused: string | undefined): Promise<string> {
    const stored = store && (await optional('read from', () => store.get(storeKey())));
    if (isStoredToken(stored)) {
      const { accessToken, issuedAt, expiresAt } = stored;
      const life = expiresAt - issuedAt;
      // Stored times are of the clock of the machine that had the token. Where that one is ahead, the token seems to come
      // from the future and to live too long: it is then taken as issued now.
      const left = Math.min(expiresAt - now(), life);
      if (accessToken === refused) {
        await optional('delete from', () => store?.delete(storeKey()));
      } else if (left > 0 && accessToken !== held?.accessToken) {
        // Another process renewed already, or this one has just started.
        return hold(accessToken, elapsed() + left, life);
      }
    }
    try {
      return await fetchToken();
    } catch (error) {
      const time = elapsed();
      if (!held || time >= held.expiresAt) throw error;
      held.renewAt = Math.min(time + renewalPause, held.expiresAt);
      logger.warn('carillon: could not renew the access token, which is used until it expires');
      return held.accessToken;
    }
  }

  async function fetchToken(): Promise<string> {
    const startedAt = elapsed();
    const token = await request();
    const life = token.expiresAt - token.issuedAt;
    // Whole milliseconds above 0: Redis refuses others, and Keyv takes 0 for ever.
    const timeToLive = Math.floor(token.expiresAt - now());
    if (store && timeToLive > 0) {
      // Keyv tells a failure by `false`.
      const write = async (): Promise<void> => {
        if ((await store.set(storeKey(), token, timeToLive)) === false) throw new Error();
      };
      // Calls do not wait for it.
      optional('write to', write, 4 * patience).catch(() => undefined);
    }
    return hold(token.accessToken, startedAt + life, life);
  }

  /** Renewal comes in the last 5 to 20 % of a token's life, at random, so that many machines do not renew together. */
  function hold(accessToken: string, expiresAt: number, life: number): string {
    held = { accessToken, expiresAt, renewAt: expiresAt - life * (0.05 + 0.15 * random()) };
    return accessToken;
  }

  /** A store that fails or takes too long costs a warning, not a call. */
  async function optional<T>(what: string, action: () => T | Promise<T>, milliseconds = patience) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, milliseconds);
    });
    try {
      return await Promise.race([Promise.resolve().then(action), late]);
    } catch {
      // The cause is left out: a store's error can hold its address and password.
      logger.warn(
        `carillon: could not ${what} the token store within ${milliseconds} ms: check that it can be reached; until then, this process requests its own tokens`,
      );
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async token(_, refused) {
      // A renewal under way may have begun before the refusal was known, and bring the refused token from the store.
      const isOlder = renewal !== undefined && renewal.refused !== refused;
      const token = await current(refused);
      return token === refused && isOlder ? current(refused) : token;
    },
  };
}
