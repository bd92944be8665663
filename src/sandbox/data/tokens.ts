import * as z from 'zod';
import { zMoment } from './dates.ts';
import type { Ledger } from './ledger.ts';
import { Table } from './table.ts';

/** Prefix of the access tokens that a sandbox issues. It distinguishes them from invented keys. */
export const issuedPrefix = 'sandbox-token-';

/** An issued access token. */
export interface StoredToken {
  token: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/**
 * Issued access tokens of a world. They are no data of the account, so a reset, a snapshot or a scenario does not change them: only
 * time ends them.
 */
export type Tokens = Table<string, StoredToken>;

export const zStoredToken = z.object({ token: z.string(), expiresAt: zMoment });

/**
 * Creates the tokens of a world.
 *
 * @param before - its present tokens
 * @param shift - milliseconds by which its clock is set, so that each token keeps the rest of its life
 */
export function createTokens(ledger: Ledger, before: Iterable<StoredToken> = [], shift = 0): Tokens {
  const tokens: Tokens = new Table(ledger, 'tokens', { key: ({ token }) => token, schema: zStoredToken });
  for (const { token, expiresAt } of before) tokens.put({ token, expiresAt: expiresAt + shift });
  return tokens;
}
