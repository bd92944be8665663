import type { Authorizer, Replacement, WaitingCall } from './authorizer.ts';
import { maxRenewal } from './authorizer.ts';
import { follow } from './deadline.ts';
import type { Logger } from './options.ts';
import { isStoredToken, type StoredToken, type TokenStore } from './token-store.ts';

export interface ClientCredentialsSource {
  /**
   * Requests a token from the token endpoint, with its own limits, because any number of calls share the request.
   *
   * @throws `TokenError`
   */
  request(): Promise<StoredToken>;
  store: TokenStore | undefined;
  /** Key of the token in the store. Called during a call, when the address of the service is known. */
  storeKey(): string;
  logger: Logger;
  /** Milliseconds since 1970, for stored tokens. */
  now(): number;
  /** Milliseconds of a monotonic clock. */
  elapsed(): number;
  random(): number;
}

/** An `Authorizer` that always returns a token. */
export interface SharedToken extends Required<Authorizer> {
  token(call: WaitingCall): Promise<string>;
}

/** Token in the memory of this process, with times of the `elapsed` clock. */
interface Held {
  accessToken: string;
  requestedAt: number;
  renewAt: number;
  expiresAt: number;
  trial: TokenTrial;
  /** Looks for a token of another process, once this one was found refused. */
  lookUp?: Promise<void>;
}

/** A token in the store that can be used, with its times in milliseconds. */
interface Found {
  accessToken: string;
  life: number;
  /** Remaining life. */
  left: number;
  /** How long it is still young. */
  youngFor: number;
}

/** How long calls wait for the store, in milliseconds. A process that starts has to connect first. */
const patience = 500;
/** Pause before a failed renewal is tried again, in milliseconds, while the old token is still valid. */
const renewalPause = 10_000;

/**
 * Shares one token among all calls. Fetches it once, renews it before it expires, and replaces it when it is refused. A young token is
 * not replaced, because it may not have spread to all machines of the service.
 */
export function shareToken(source: ClientCredentialsSource): SharedToken {
  const { elapsed, logger, now, random, request, store, storeKey } = source;
  let held: Held | undefined;
  /** The token before the held one, until it expires or is refused. */
  let previous: Held | undefined;
  let renewal: { token: Promise<string>; refused: string | undefined; endsAt: number } | undefined;

  async function current(refused: string | undefined): Promise<string> {
    if (held?.accessToken === refused) held = undefined;
    const time = elapsed();
    const old = substitute();
    if (old) return old.accessToken;
    if (held && time < held.renewAt) return held.accessToken;
    if (!renewal || time > renewal.endsAt) {
      const token = renew(refused).finally(() => {
        if (renewal?.token === token) renewal = undefined;
      });
      // Prevent an unhandled rejection if no call waits for the token.
      token.catch(() => undefined);
      renewal = { token, refused, endsAt: time + maxRenewal };
    }
    return held && time < held.expiresAt ? held.accessToken : renewal.token;
  }

  /** The previous token, if the held one is young and refused. */
  function substitute(): Held | undefined {
    if (previous && elapsed() >= previous.expiresAt) previous = undefined;
    return held?.trial.isRefused && held.trial.isYoung ? previous : undefined;
  }

  /** Returns another token than the refused one, unless the service issues that one again. */
  async function other(refused: string | undefined): Promise<string> {
    // A pending renewal may have started before the refusal, and return the refused token from the store.
    const isOlder = renewal !== undefined && renewal.refused !== refused;
    const token = await current(refused);
    return token === refused && isOlder ? current(refused) : token;
  }

  /** Returns a token to send. Waits while another call finds out whether the service accepts it at all. */
  async function ready(call: WaitingCall, refused?: string): Promise<string> {
    for (;;) {
      const token = await other(refused);
      if (token === refused || token !== held?.accessToken || held.trial.wasAccepted) return token;
      if ((await held.trial.turn(call)) || token === held?.accessToken) return token;
    }
  }

  async function replace(refused: string, call: WaitingCall, goesAgain: boolean): Promise<Replacement | undefined> {
    while (held?.accessToken === refused && held.trial.isYoung) {
      if (!goesAgain) return undefined;
      const old = substitute();
      if (old) return { token: old.accessToken, isLast: false };
      const { trial } = held;
      if (await trial.turn(call)) return { token: refused, isLast: false };
      if (trial.hasFailed && held?.trial === trial) {
        held.lookUp ??= adopt(trial);
        await held.lookUp;
      }
      if (held?.trial === trial && trial.isYoung) return undefined;
    }
    if (!goesAgain) {
      await other(refused);
      return undefined;
    }
    // The previous token was refused, while the held one is given time.
    const isJoining = held !== undefined && held.accessToken !== refused && held.trial.isRefused && held.trial.isYoung;
    const token = await ready(call, refused);
    return token === refused ? undefined : { token, isLast: !isJoining };
  }

  async function renew(refused: string | undefined): Promise<string> {
    const found = await find();
    if (found && found.accessToken === refused) {
      await optional('delete from', () => store?.delete(storeKey()));
    } else if (found && found.left > 0 && found.accessToken !== held?.accessToken) {
      // Another process has already renewed the token, or this one has just started.
      return take(found);
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

  /**
   * Takes the token of another process from the store after this one's was found refused. Services may refuse a token as soon as they
   * have issued another one.
   */
  async function adopt(failed: TokenTrial): Promise<void> {
    const found = await find();
    if (held?.trial === failed && found && found.left > 0 && found.accessToken !== held.accessToken) take(found);
  }

  /** Reads the token in the store. */
  async function find(): Promise<Found | undefined> {
    const stored = store && (await optional('read from', () => store.get(storeKey())));
    if (!isStoredToken(stored)) return undefined;
    const { accessToken, issuedAt, expiresAt } = stored;
    const time = now();
    const age = time - issuedAt;
    const life = expiresAt - issuedAt;
    // Stored times come from the clock of the machine that obtained the token. If that clock is ahead, treat the token as issued now.
    const left = Math.min(expiresAt - time, life);
    // If it is far ahead, the age is unknown. Then treat the token as old, so that a refusal replaces it.
    const youngFor = age < -maxYouth ? 0 : maxYouth - Math.max(age, 0);
    return { accessToken, life, left, youngFor };
  }

  function take({ accessToken, life, left, youngFor }: Found): string {
    const time = elapsed();
    return hold(accessToken, { requestedAt: time, expiresAt: time + left, life, youngUntil: time + youngFor });
  }

  async function fetchToken(): Promise<string> {
    const startedAt = elapsed();
    const token = await request();
    // A renewal that started later has already answered, and the service may refuse older tokens since.
    if (held && held.requestedAt > startedAt) return held.accessToken;
    const life = token.expiresAt - token.issuedAt;
    // Redis accepts only integers above 0, and 0 means "forever" to Keyv.
    const timeToLive = Math.floor(token.expiresAt - now());
    if (store && timeToLive > 0) {
      // Keyv returns `false` on failure.
      const write = async (): Promise<void> => {
        if ((await store.set(storeKey(), token, timeToLive)) === false) throw new Error();
      };
      // Calls do not wait for it.
      optional('write to', write, 4 * patience).catch(() => undefined);
    }
    // The service issued the token between request and response. Its life counts from the earlier time, its age from the later one.
    const youngUntil = elapsed() + maxYouth;
    return hold(token.accessToken, { requestedAt: startedAt, expiresAt: startedAt + life, life, youngUntil });
  }

  /**
   * Holds a token. It is renewed at a random time in the last 5 to 20 % of its life, so that many machines do not renew together.
   */
  function hold(
    accessToken: string,
    { requestedAt, expiresAt, life, youngUntil }: Record<'requestedAt' | 'expiresAt' | 'life' | 'youngUntil', number>,
  ): string {
    if (held && held.accessToken !== accessToken && !held.trial.isRefused) previous = held;
    const replaced = held;
    const trial = new TokenTrial(elapsed, Math.min(youngUntil, expiresAt));
    held = { accessToken, requestedAt, expiresAt, renewAt: expiresAt - life * (0.05 + 0.15 * random()), trial };
    replaced?.trial.close();
    return accessToken;
  }

  /** Logs a warning, and does not fail the call, if the store fails or takes too long. */
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
        `carillon: could not ${what} the token store within ${milliseconds} ms: check that it can be reached; until then, this process requests its own tokens`,
      );
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    token: (call) => ready(call),
    replace,
    ended(token, sentAt, isRefused) {
      if (token === held?.accessToken) held.trial.end(sentAt, isRefused);
      else if (isRefused && token === previous?.accessToken) previous = undefined;
    },
  };
}

/** Age up to which a refused token is given time instead of being replaced, in milliseconds. New tokens spread slowly. */
export const maxYouth = 5_000;
/** Waits before a refused young token is sent again, in milliseconds. All calls share them. */
const waits = [200, 500, 1_000];
/** How long calls wait for the response to the request that sends the token, in milliseconds. Then the next call sends it. */
const maxAttempt = 1_000;

/**
 * Finds out whether a service accepts a young token that it has refused. After each wait, one call sends the token, and the others wait
 * for the response. Times come from a monotonic clock.
 */
class TokenTrial {
  readonly #elapsed: () => number;
  readonly #youngUntil: number;
  readonly #waiting = new Set<() => void>();
  #isRefused = false;
  #wasAccepted = false;
  #waitsUsed = 0;
  /** When the token may be sent again. `undefined` if no call has to wait. */
  #goAt: number | undefined;
  /** Until when the others wait for the call that sends the token. */
  #attemptUntil = Number.NEGATIVE_INFINITY;
  /** Responses to requests that were sent earlier say nothing new. */
  #knownUntil = Number.NEGATIVE_INFINITY;

  constructor(elapsed: () => number, youngUntil: number) {
    this.#elapsed = elapsed;
    this.#youngUntil = youngUntil;
  }

  get isYoung(): boolean {
    return this.#elapsed() < this.#youngUntil;
  }

  /** Whether the token was refused, and was not accepted since. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Whether the service has accepted the token at any time, so that a 401 may be about the machine or the operation. */
  get wasAccepted(): boolean {
    return this.#wasAccepted;
  }

  /** Whether the token was refused after the last wait, so that no call waits for it any more. */
  get hasFailed(): boolean {
    return this.#isRefused && this.#goAt === undefined;
  }

  /**
   * Takes note of how a request with the token ended.
   *
   * @param isRefused - whether the response was 401; `undefined` without a response
   */
  end(sentAt: number, isRefused: boolean | undefined): void {
    if (isRefused === false) this.#wasAccepted = true;
    if (sentAt < this.#knownUntil) return;
    if (isRefused) this.#refuse();
    else if (this.#goAt === undefined) return;
    else if (isRefused === false) this.#accept();
    else this.#attemptUntil = Number.NEGATIVE_INFINITY;
    this.#wake();
  }

  #refuse(): void {
    const wait = waits[this.#waitsUsed];
    this.#isRefused = true;
    this.#attemptUntil = Number.NEGATIVE_INFINITY;
    this.#goAt = undefined;
    if (wait === undefined) return;
    this.#waitsUsed += 1;
    this.#goAt = this.#elapsed() + wait;
    this.#knownUntil = this.#goAt;
  }

  #accept(): void {
    this.#isRefused = false;
    this.#goAt = undefined;
    this.#knownUntil = this.#elapsed();
  }

  /** Ends all waits, because the token was replaced. */
  close(): void {
    this.#goAt = undefined;
    this.#wake();
  }

  /**
   * Waits until a call may send the token.
   *
   * @returns `false` if the token was found refused, or if the wait would exceed the deadline of the call
   */
  async turn(call: WaitingCall): Promise<boolean> {
    while (this.#goAt !== undefined) {
      const time = this.#elapsed();
      const isAttempted = time < this.#attemptUntil;
      if (!isAttempted && time >= this.#goAt) {
        this.#attemptUntil = time + maxAttempt;
        return true;
      }
      const wait = (isAttempted ? this.#attemptUntil : this.#goAt) - time;
      if (!isAttempted && wait >= call.remaining()) return false;
      await this.#wait(wait, call.signal);
    }
    return !this.#isRefused;
  }

  /** Waits until the time is over or something is known. Rejects when the call is aborted. */
  async #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const timer = setTimeout(end, milliseconds);
    const unfollow = follow(signal, end);
    this.#waiting.add(end);
    await ended;
    this.#waiting.delete(end);
    unfollow();
    clearTimeout(timer);
    signal.throwIfAborted();
  }

  #wake(): void {
    for (const end of this.#waiting) end();
  }
}
