import * as z from 'zod';
import { zMoment } from './dates.ts';
import type { Ledger } from './ledger.ts';
import { Table } from './table.ts';

/** Prefix of the access tokens that a sandbox issues. The prefix distinguishes issued tokens from made-up keys. */
export const issuedPrefix = 'sandbox-token-';

/** An issued access token. */
export interface StoredToken {
  token: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/**
 * Access tokens issued in a world. Tokens are not part of the account's data, so a reset, a snapshot or a scenario does not
 * change them. A token becomes invalid only when it expires.
 */
export type Tokens = Table<string, StoredToken>;

export const zStoredToken = z.object({ token: z.string(), expiresAt: zMoment });

/**
 * Creates the token table for a world.
 *
 * @param before - current tokens of the world
 * @param shift - milliseconds by which the clock of the world moves, so that each token keeps its remaining lifetime
 */
export function createTokens(ledger: Ledger, before: Iterable<StoredToken> = [], shift = 0): Tokens {
  const tokens: Tokens = new Table(ledger, 'tokens', { key: ({ token }) => token, schema: zStoredToken });
  for (const { token, expiresAt } of before) tokens.put({ token, expiresAt: expiresAt + shift });
  return tokens;
}
