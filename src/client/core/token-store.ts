import { isRecord } from '../../shared/is-record.ts';

/** A token in a store. */
export interface StoredToken {
  /** The bearer token: visible ASCII characters. */
  accessToken: string;
  /** When it was obtained, in milliseconds since 1970. */
  issuedAt: number;
  /** When it expires, in milliseconds since 1970. */
  expiresAt: number;
}

/**
 * Shares access tokens between processes and machines: any Keyv instance fits. An unreachable store costs a warning,
 * never a call.
 *
 * What remains, since reading, writing and deleting are separate steps:
 *
 * - Processes that find no usable token at the same moment each ask for one: one token request per process at most.
 * - A refused token is deleted if the store still holds it, read just before. A newer token that another process writes in
 *   between is deleted with it: that costs one more token request, and no call.
 * - A store that was unreachable may carry out late what waited for it, an old token over a newer one or a deletion: that too
 *   costs token requests, or one 401 that is repaired, and no call.
 * - Times are of the clock of the machine that had the token. One that is ahead is allowed for; still, clocks should agree to
 *   a small part of a token's life, or tokens are renewed too early or are refused and replaced.
 *
 * The store contains the token unencrypted: whoever can read the store can act as the account until the token expires.
 *
 * @example
 * ```ts
 * import { createKeyv } from '@keyv/redis';
 * import { createClient } from 'carillon';
 *
 * const api = createClient({
 *   baseUrl: 'https://api.example.com',
 *   auth: {
 *     clientId: 'my-id',
 *     clientSecret: 'my-secret',
 *     tokenStore: createKeyv('redis://localhost:6379', { throwOnErrors: true }),
 *   },
 * });
 * ```
 */
export interface TokenStore {
  /**
   * Reads a token.
   *
   * @param key - the client's own; it holds the address of the service and the client's id, never a secret
   * @returns the value that was set, or nothing once its time to live has passed; or a promise of that
   */
  get(key: string): unknown;
  /**
   * Keeps a token.
   *
   * @param key - as for `get`
   * @param value - plain data, which can be written as JSON
   * @param timeToLive - in whole milliseconds, above 0
   * @returns anything, or a promise of it; `false` means that it failed, as with Keyv
   */
  set(key: string, value: StoredToken, timeToLive: number): unknown;
  /**
   * Removes a token that the service refused.
   *
   * @param key - as for `get`
   * @returns anything, or a promise of it
   */
  delete(key: string): unknown;
}

/** Whether a value read from a store is a token (a store can hold anything). */
export function isStoredToken(value: unknown): value is StoredToken {
  return (
    isRecord(value) &&
    isBearerToken(value.accessToken) &&
    Number.isFinite(value.issuedAt) &&
    Number.isFinite(value.expiresAt)
  );
}

/** RFC 6750 §2.1 leaves a token to visible ASCII; anything else could break out of the header. */
export function isBearerToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}
