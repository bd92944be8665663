import type { Authorizer } from './authorizer.ts';
import { Deadline, raceAbort } from './deadline.ts';
import type { Logger } from './options.ts';
import { isStoredToken, type StoredToken, type TokenStore } from './token-store.ts';

export interface ClientCredentialsSource {
  /**
   * Asks the token endpoint; bounded by its own deadline, since any number of calls wait for one request.
   *
   * @throws `TokenError`
   */
  request(): Promise<StoredToken>;
  store: TokenStore | undefined;
  storeKey: string;
  logger: Logger;
  now(): number;
  random(): number;
}

/** The token of this process, by the clock of this machine. */
interface Held {
  accessToken: string;
  renewAt: number;
  expiresAt: number;
}

/** What need not succeed (the store, and a renewal while the old token lives) holds calls up no longer than this. */
const patience = 2_000;
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
    const token = await this.#current(signal, refused);
    // The renewal under way may have begun before the refusal was known, and brought the refused token from the store.
    return token === refused ? this.#current(signal, refused) : token;
  }

  async #current(signal: AbortSignal, refused: string | undefined): Promise<string> {
    if (this.#held?.accessToken === refused) this.#held = undefined;
    if (this.#held && this.#source.now() < this.#held.renewAt) return this.#held.accessToken;
    this.#renewal ??= this.#renew(refused).finally(() => {
      this.#renewal = undefined;
    });
    return raceAbort(this.#renewal, signal);
  }

  async #renew(refused: string | undefined): Promise<string> {
    const { now, store, storeKey } = this.#source;
    const stored = store && (await this.#optional('read from the token store', () => store.get(storeKey)));
    if (isStoredToken(stored)) {
      const current = this.#held;
      // A token that is known keeps its times: to take them from the store again would put its renewal off.
      const held = current?.accessToken === stored.accessToken ? current : this.#schedule(stored);
      if (stored.accessToken === refused) {
        await this.#optional('delete from the token store', () => store?.delete(storeKey));
      } else if (now() < held.expiresAt) {
        this.#held = held;
        // Another process renewed already, or this one has just started.
        if (now() < held.renewAt) return held.accessToken;
      }
    }
    const fetched = this.#fetch();
    const old = this.#held;
    if (old && now() < old.expiresAt) {
      const renewed = await this.#optional('renew the access token, the old one is used while it lives', () => fetched);
      if (renewed) return renewed;
      if (this.#held === old) {
        this.#held = { ...old, renewAt: Math.min(now() + renewalPause, old.expiresAt) };
        return old.accessToken;
      }
    }
    return fetched;
  }

  async #fetch(): Promise<string> {
    const { now, request, store, storeKey } = this.#source;
    const token = await request();
    this.#held = this.#schedule(token);
    // Whole milliseconds above 0: Redis refuses others, and Keyv takes 0 for ever.
    const timeToLive = Math.floor(token.expiresAt - now());
    if (store && timeToLive > 0) {
      // Calls do not wait for it. Keyv tells a failure by `false`.
      this.#optional('write to the token store', async () => {
        if ((await store.set(storeKey, token, timeToLive)) === false) throw new Error();
      });
    }
    return token.accessToken;
  }

  /**
   * Renewal comes in the last 5 to 20 % of a token's life, at random, so that many machines do not renew together.
   *
   * Times of a stored token are of the clock of the machine that had it. Where that one is ahead, the token seems to come
   * from the future and to live too long: it is then taken as issued now.
   */
  #schedule({ accessToken, issuedAt, expiresAt }: StoredToken): Held {
    const { now, random } = this.#source;
    const end = expiresAt - Math.max(0, issuedAt - now());
    return { accessToken, expiresAt: end, renewAt: end - (expiresAt - issuedAt) * (0.05 + 0.15 * random()) };
  }

  /** What fails or takes too long here costs a warning, not a call. */
  async #optional<T>(what: string, action: () => T | Promise<T>): Promise<T | undefined> {
    const deadline = new Deadline(patience, what);
    try {
      return await deadline.race(Promise.resolve().then(action));
    } catch {
      // The cause is not told: a store's error can hold its address and password.
      this.#source.logger.warn(`carillon: could not ${what}`);
      return undefined;
    } finally {
      deadline.end();
    }
  }
}
