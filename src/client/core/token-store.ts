import { isRecord } from '../../shared/is-record.ts';

/** A token in a store. */
export interface StoredToken {
  /** The bearer token: visible ASCII characters. */
  accessToken: string;
  /**
   * When the token was requested, in milliseconds since 1970, by the clock of the machine that obtained the token. If the time is
   * ahead of the reader's clock, the token counts as issued when it was read.
   */
  issuedAt: number;
  /** When the token expires, in milliseconds since 1970. */
  expiresAt: number;
}

/**
 * Shares access tokens between processes and machines. Any Keyv instance is a valid store. An unreachable store causes a warning,
 * but does not fail a call.
 *
 * Limitations, because reading, writing and deleting are separate steps:
 *
 * - Processes that find no usable token at the same time each request a token, at most one per process.
 * - A rejected token is deleted if the store still contains it. If another process writes a newer token between this check and
 *   the deletion, that token is deleted instead. This costs one more token request, but does not fail a call.
 * - A store that was unreachable may execute pending writes and deletions late, and overwrite a newer token. This costs token
 *   requests, or a 401 from which the client recovers, but does not fail a call.
 * - Times come from the clock of the machine that obtained the token. The client tolerates a clock that is ahead, but the
 *   difference between clocks should be much shorter than the lifetime of a token. Otherwise, tokens are renewed too early, or
 *   are rejected and replaced.
 *
 * The store contains the token unencrypted. Anyone who can read the store can act as the account until the token expires.
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
   * @param key - key for the client; it contains the address of the service and the client ID, but no secret
   * @returns the stored value, or `undefined` after its time to live has passed; or a promise of either
   */
  get(key: string): unknown;
  /**
   * Stores a token.
   *
   * @param key - as for `get`
   * @param value - plain data that can be serialized as JSON
   * @param timeToLive - milliseconds, an integer above 0
   * @returns any value, or a promise of any value; `false` means failure, as with Keyv
   */
  set(key: string, value: StoredToken, timeToLive: number): unknown;
  /**
   * Removes a token that the service rejected.
   *
   * @param key - as for `get`
   * @returns any value, or a promise of any value
   */
  delete(key: string): unknown;
}

/** Whether a value from a store is a token. A store can return anything. */
export function isStoredToken(value: unknown): value is StoredToken {
  return (
    isRecord(value) &&
    isBearerToken(value.accessToken) &&
    Number.isFinite(value.issuedAt) &&
    Number.isFinite(value.expiresAt)
  );
}

/**
 * Whether a value consists of visible ASCII characters. RFC 6750 §2.1 permits no other characters, because they could break out
 * of the header.
 */
export function isBearerToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}
