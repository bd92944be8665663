import type { Payment } from '../../../../generated/crm/models.ts';
import { GroupIndex } from '../../data/group-index.ts';
import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';

export interface PaymentsState {
  payments: Table<number, StoredPayment>;
  /** IDs of the payments of each deal and of each contact. */
  paymentsByDeal: PaymentIndex;
  paymentsByContact: PaymentIndex;
}

type PaymentIndex = GroupIndex<number, number, Readonly<StoredPayment>>;

export interface StoredPayment {
  /** Key of the payment in the sandbox; not part of replies. */
  id: number;
  /** The fields of a payment are not documented. */
  record: Payment;
  dealId?: number;
  contactId?: number;
}

export function emptyPayments(ledger: Ledger): PaymentsState {
  const payments = new Table<number, StoredPayment>(ledger, 'crm.payments', ({ id }) => id);
  return {
    payments,
    paymentsByDeal: payments.watch(new GroupIndex(payments, ({ dealId }) => (dealId === undefined ? [] : [dealId]))),
    paymentsByContact: payments.watch(
      new GroupIndex(payments, ({ contactId }) => (contactId === undefined ? [] : [contactId])),
    ),
  };
}

/** Adds the payment of the example story: Ann's payment for the renewal. */
export function seedPayments({ payments }: PaymentsState): void {
  payments.put({ id: 901, record: {}, dealId: 501, contactId: 3001 });
}
