import type { Payment } from '../../../../generated/crm/models.ts';

export interface PaymentsState {
  payments: Map<number, StoredPayment>;
}

export interface StoredPayment {
  /** The fields of a payment are not documented. */
  record: Payment;
  dealId: number | undefined;
  contactId: number | undefined;
}

export function emptyPayments(): PaymentsState {
  return { payments: new Map() };
}

/** Adds the payment of the example story: Ann's payment for the renewal. */
export function seedPayments({ payments }: PaymentsState): void {
  payments.set(901, { record: {}, dealId: 501, contactId: 3001 });
}
