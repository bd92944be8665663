import type { Product } from '../../../generated/products.ts';
import { type CrmState, crm } from '../crm/resources.ts';
import type { Ledger } from '../data/ledger.ts';
import type { Settings } from '../data/settings.ts';
import { type EmailState, email } from '../email/resources.ts';
import { type MessagingState, messaging } from '../messaging/resources.ts';

/**
 * The resources of each product, in the order of the documents. If a product or a resource is missing, this table does not
 * compile.
 *
 * @internal
 */
export const products = { crm, messaging, email } satisfies {
  [Name in Product]: { tables(ledger: Ledger): ProductStates[Name] };
};

/** The tables of each product. */
export interface ProductStates extends Record<Product, { settings: Settings<{ nextId: number }> }> {
  /** Pipelines, deals, contacts and related records (CRM document). */
  crm: CrmState;
  /** Messaging-app campaigns, the phone blacklist and web push (messaging document). */
  messaging: MessagingState;
  /** Transactional email (email document). */
  email: EmailState;
}
