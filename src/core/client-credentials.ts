import type { Authorizer } from './authorizer.ts';
import { raceAbort } from './deadline.ts';
import { isTokenError, TokenError } from './errors/local-errors.ts';
import type { Logger } from './options.ts';
import { isStoredToken, type StoredToken, type TokenStore } from './token-store.ts';

export interface ClientCredentialsSource {
  /** Asks the token endpoint; bounded by its own deadline, since any number of calls wait for one request. */
  request(): Promise<StoredToken>;
  store: TokenStore | undefined;
  storeKey: string;
  logger: Logger;
  now(): number;
  random(): number;
}

/** The token of this process, and the moment from which it is renewed. */
interface Held {
  token: StoredToken;
  renewAt: number;
}

/** A store that hangs must not hold calls up. */
const storeTimeout = 2_000;
/** While the old token still lives, a failed renewal is tried again after this. */
const renewalPause = 10_000;

/** One token for all calls: fetched once for any number of them, renewed ahead of expiry, replaced once refused. */
export class ClientCredentials implements Authorizer {
  readonly #source: ClientCredentialsSource;
  #held: Held | undefined;
  #renewal: Promise<string> | undefined;

  constructor(source: ClientCredentialsSource) {
    this.#source = source;
  }

  async token(signal: AbortSignal, refused?: string): Promise<string> {
    if (refused !== undefined && this.#held?.token.accessToken === refused) this.#held = undefined;
    if (this.#held && this.#source.now() < this.#held.renewAt) return this.#held.token.accessToken;
    const token = await this.#join(signal, refused);
    // The renewal under way may have begun before the refusal was known, and brought the refused token from the store.
    if (token !== refused) return token;
    this.#held = undefined;
    return this.#join(signal, refused);
  }

  #join(signal: AbortSignal, refused: string | undefined): Promise<string> {
    this.#renewal ??= this.#renew(refused).finally(() => {
      this.#renewal = undefined;
    });
    return raceAbort(this.#renewal, signal);
  }

  async #renew(refused: string | undefined): Promise<string> {
    const { now, store, storeKey } = this.#source;
    const stored = store && (await this.#ask('read', () => store.get(storeKey)));
    if (isStoredToken(stored)) {
      if (stored.accessToken === refused) await this.#ask('delete', () => store?.delete(storeKey));
      else if (now() < stored.expiresAt) {
        const held = this.#schedule(stored);
        // Another process renewed already, or this one has just started.
        if (now() < held.renewAt) return this.#hold(held);
      }
    }
    try {
      const token = await this.#source.request();
      if (store) await this.#ask('write', () => store.set(storeKey, token, token.expiresAt - now()));
      return this.#hold(this.#schedule(token));
    } catch (error) {
      return this.#keepOld(error);
    }
  }

  /** Renewal comes in the last 5 to 20 % of a token's life, at random, so that many machines do not renew together. */
  #schedule(token: StoredToken): Held {
    const life = token.expiresAt - token.issuedAt;
    return { token, renewAt: token.expiresAt - life * (0.05 + 0.15 * this.#source.random()) };
  }

  #hold(held: Held): string {
    this.#held = held;
    return held.token.accessToken;
  }

  /** A renewal that fails while the old token still lives costs a warning, not a call. */
  #keepOld(error: unknown): string {
    const { logger, now } = this.#source;
    const held = this.#held;
    if (!held || now() >= held.token.expiresAt) {
      throw isTokenError(error) ? error : new TokenError('The token could not be had', undefined, { cause: error });
    }
    logger.warn('carillon: the access token could not be renewed; the old one is used while it lives');
    return this.#hold({ token: held.token, renewAt: now() + renewalPause });
  }

  async #ask(what: string, action: () => unknown): Promise<unknown> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error(`no answer within ${storeTimeout} ms`)), storeTimeout);
    try {
      return await raceAbort(Promise.resolve().then(action), limit.signal);
    } catch {
      // The cause is not told: a store's error can hold its address and password.
      this.#source.logger.warn(`carillon: the token store could not ${what}; going on without it`);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
