/** A token as it stands in a store. */
export interface StoredToken {
  accessToken: string;
  /** When it was had, in milliseconds since 1970. */
  issuedAt: number;
  /** When it ends, in milliseconds since 1970. */
  expiresAt: number;
}

/**
 * Shares access tokens between processes and machines: any Keyv instance fits. An unreachable store costs a warning,
 * never a call.
 */
export interface TokenStore {
  get(key: string): unknown;
  /** `timeToLive` in milliseconds. */
  set(key: string, value: StoredToken, timeToLive: number): unknown;
  delete(key: string): unknown;
}

/** Whether a value read from a store is a token (a store can hold anything). */
export function isStoredToken(value: unknown): value is StoredToken {
  if (typeof value !== 'object' || value === null) return false;
  const { accessToken, issuedAt, expiresAt } = value as Partial<Record<keyof StoredToken, unknown>>;
  return isBearerToken(accessToken) && Number.isFinite(issuedAt) && Number.isFinite(expiresAt);
}

/** RFC 6750 §2.1 leaves a token to visible ASCII; anything else could break out of the header. */
export function isBearerToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}
