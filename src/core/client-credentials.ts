import type { Authorizer } from './authorizer.ts';
import { raceAbort } from './deadline.ts';
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
  storeKey: string;
  logger: Logger;
  /** Milliseconds since 1970, for the times of stored tokens. */
  now(): number;
  /** Milliseconds of a clock that never jumps. */
  elapsed(): number;
  random(): number;
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
/** A renewal that takes longer has died: workers stop what goes on in the background of a request. */
const longestRenewal = 40_000;

/** One token for all calls: fetched once for any number of them, renewed ahead of expiry, replaced once refused. */
export class ClientCredentials implements Authorizer {
  readonly #source: ClientCredentialsSource;
  #held: Held | undefined;
  #renewal: Promise<string> | undefined;
  #renewalEnds = 0;

  constructor(source: ClientCredentialsSource) {
    this.#source = source;
  }

  async token(signal: AbortSignal, refused?: string): Promise<string> {
    const token = await this.#current(signal, refused);
    // The renewal under way may have begun before the refusal was known, and brought the refused token from the store.
    return token === refused ? this.#current(signal, refused) : token;
  }

  async #current(signal: AbortSignal, refused: string | undefined): Promise<string> {
    if (this.#held?.accessToken === refused) this.#held = undefined;
    const held = this.#held;
    const now = this.#source.elapsed();
    if (held && now < held.renewAt) return held.accessToken;
    if (!this.#renewal || now > this.#renewalEnds) {
      const renewal = this.#renew(refused).finally(() => {
        if (this.#renewal === renewal) this.#renewal = undefined;
      });
      // Nobody may wait for it.
      renewal.catch(() => undefined);
      this.#renewal = renewal;
      this.#renewalEnds = now + longestRenewal;
    }
    return held && now < held.expiresAt ? held.accessToken : raceAbort(this.#renewal, signal);
  }

  async #renew(refused: string | undefined): Promise<string> {
    const { elapsed, logger, now, store, storeKey } = this.#source;
    const stored = store && (await this.#optional('read from', () => store.get(storeKey)));
    if (isStoredToken(stored)) {
      const { accessToken, issuedAt, expiresAt } = stored;
      const life = expiresAt - issuedAt;
      // Stored times are of the clock of the machine that had the token. Where that one is ahead, the token seems to come
      // from the future and to live too long: it is then taken as issued now.
      const left = Math.min(expiresAt - now(), life);
      if (accessToken === refused) {
        await this.#optional('delete from', () => store?.delete(storeKey));
      } else if (left > 0 && accessToken !== this.#held?.accessToken) {
        // Another process renewed already, or this one has just started.
        return this.#hold(accessToken, elapsed() + left, life);
      }
    }
    try {
      return await this.#fetch();
    } catch (error) {
      const old = this.#held;
      if (!old || elapsed() >= old.expiresAt) throw error;
      this.#held = { ...old, renewAt: Math.min(elapsed() + renewalPause, old.expiresAt) };
      logger.warn('carillon: could not renew the access token, the old one is used while it lives');
      return old.accessToken;
    }
  }

  async #fetch(): Promise<string> {
    const { elapsed, now, request, store, storeKey } = this.#source;
    const startedAt = elapsed();
    const token = await request();
    const life = token.expiresAt - token.issuedAt;
    // Whole milliseconds above 0: Redis refuses others, and Keyv takes 0 for ever.
    const timeToLive = Math.floor(token.expiresAt - now());
    if (store && timeToLive > 0) {
      // Keyv tells a failure by `false`.
      const write = async (): Promise<void> => {
        if ((await store.set(storeKey, token, timeToLive)) === false) throw new Error();
      };
      // Calls do not wait for it.
      this.#optional('write to', write, 4 * patience).catch(() => undefined);
    }
    return this.#hold(token.accessToken, startedAt + life, life);
  }

  /** Renewal comes in the last 5 to 20 % of a token's life, at random, so that many machines do not renew together. */
  #hold(accessToken: string, expiresAt: number, life: number): string {
    this.#held = { accessToken, expiresAt, renewAt: expiresAt - life * (0.05 + 0.15 * this.#source.random()) };
    return accessToken;
  }

  /** A store that fails or takes too long costs a warning, not a call. */
  async #optional<T>(what: string, action: () => T | Promise<T>, milliseconds = patience): Promise<T | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, milliseconds);
    });
    try {
      return await Promise.race([Promise.resolve().then(action), late]);
    } catch {
      // The cause is not told: a store's error can hold its address and password.
      this.#source.logger.warn(`carillon: could not ${what} the token store`);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
