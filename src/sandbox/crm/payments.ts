import * as z from 'zod';
import type { Payment } from '../../../generated/crm/models.ts';
import { zPayment } from '../../../generated/crm/zod.ts';
import { GroupIndex } from '../data/group-index.ts';
import type { Resource } from '../data/resource.ts';
import { type Table, tableById } from '../data/table.ts';

export interface PaymentsTables {
  payments: Table<number, StoredPayment>;
  /** IDs of payments, by deal ID. */
  paymentsByDeal: PaymentIndex;
  /** IDs of payments, by contact ID. */
  paymentsByContact: PaymentIndex;
}

type PaymentIndex = GroupIndex<number, number, Readonly<StoredPayment>>;

export interface StoredPayment {
  /** Key of the payment in the sandbox. Responses do not contain it. */
  id: number;
  /** The fields of a payment are not documented. */
  record: Payment;
  dealId?: number;
  contactId?: number;
}

const zStoredPayment = z.object({
  id: z.int(),
  record: zPayment,
  dealId: z.int().optional(),
  contactId: z.int().optional(),
});

const choices = {
  'payment-fields': 'A payment in a response has no fields, because none are documented.',
} as const;

/**
 * Payments, which are read-only.
 *
 * @internal
 */
export const payments: Resource<PaymentsTables, typeof choices> = {
  tables(ledger) {
    const table = tableById<StoredPayment>(ledger, 'crm.payments', zStoredPayment);
    return {
      payments: table,
      paymentsByDeal: table.watch(new GroupIndex(({ dealId }) => (dealId === undefined ? [] : [dealId]))),
      paymentsByContact: table.watch(new GroupIndex(({ contactId }) => (contactId === undefined ? [] : [contactId]))),
    };
  },

  /** Adds Ann's payment for the renewal. */
  seed(state) {
    state.payments.put({ id: 901, record: {}, dealId: 501, contactId: 3001 });
  },

  choices,
};
