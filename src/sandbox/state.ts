import * as z from 'zod';
import { type Product, productNames } from '../../generated/products.ts';
import type { CrmState } from './crm/resources.ts';
import type { Ledger } from './data/ledger.ts';
import type { Part } from './data/part.ts';
import { Settings } from './data/settings.ts';
import { Table } from './data/table.ts';
import { zMoment } from './dates.ts';
import type { EmailState } from './email/resources.ts';
import type { MessagingState } from './messaging/resources.ts';
import { products } from './products.ts';
import { type SeedSource, seedSource } from './seed-source.ts';
import type { Steps } from './slices.ts';

/**
 * All data of a sandbox, in tables. A table is a Map of immutable records; `put` replaces a record.
 */
export interface SandboxState extends Record<Product, { settings: Settings<{ nextId: number }> }> {
  /** Pipelines, deals, contacts and related records (CRM document). */
  crm: CrmState;
  /** Messaging-app campaigns, the phone blacklist and web push (messaging document). */
  messaging: MessagingState;
  /** Transactional email (email document). */
  email: EmailState;
  /** Issued access tokens. */
  tokens: Table<string, StoredToken>;
}

export interface StoredToken {
  token: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const zStoredToken = z.object({ token: z.string(), expiresAt: zMoment });

/** Creates a state without records. A resource that is missing in the list of its product does not compile here. */
export function emptyState(ledger: Ledger): SandboxState {
  return {
    crm: products.crm.tables(ledger),
    messaging: products.messaging.tables(ledger),
    email: products.email.tables(ledger),
    tokens: new Table(ledger, 'tokens', { key: ({ token }) => token, schema: zStoredToken }),
  };
}

/** Fills an empty state. */
export function* seedState(state: SandboxState, size: number, now: number): Steps {
  const source = seedSource(size, now);
  for (const name of productNames) yield* seedProduct(products[name], state[name], source);
}

function seedProduct(
  product: { seed(state: never, source: SeedSource): Steps },
  state: unknown,
  source: SeedSource,
): Steps {
  // A product and its state have the same name.
  return product.seed(state as never, source);
}

/** All tables and settings of a state. */
export function partsOf({ tokens, ...areas }: SandboxState): Part[] {
  const parts: unknown[] = [...Object.values(areas).flatMap((area) => Object.values(area)), tokens];
  return parts.filter((part): part is Part => part instanceof Table || part instanceof Settings);
}
