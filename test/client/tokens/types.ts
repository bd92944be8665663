/** Values that fit as a token store without a cast, and values that do not. Checked by `tsc`, never run. */
import { createKeyv } from '@keyv/redis';
import { Keyv } from 'keyv';
import { Keyv as Keyv6 } from 'keyv-6';
import { createClient, type StoredToken, type TokenStore } from '../../../src/client/index.ts';

export const fitting: (() => TokenStore)[] = [
  () => new Keyv(),
  () => new Keyv<StoredToken>(),
  () => new Keyv6(),
  () => new Keyv6<StoredToken>(),
  () => createKeyv('redis://localhost:6379'),
  () => new Map<string, unknown>(),
];

// @ts-expect-error a store without deletion
export const incomplete: TokenStore = { get: () => undefined, set: () => undefined };
// @ts-expect-error a store of something else
export const ofNumbers: TokenStore = new Map<string, number>();

export function inAClient(): void {
  const baseUrl = 'https://api.example.com';
  createClient({ baseUrl, auth: { clientId: 'id', clientSecret: 'secret', tokenStore: new Keyv() } });
}
