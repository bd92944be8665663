import type { Payment } from '../../../../generated/crm/models.ts';

export interface PaymentsState {
  payments: Map<number, StoredPayment>;
}

export interface StoredPayment {
  /** Its fields are not documented. */
  record: Payment;
  dealId: number | undefined;
  contactId: number | undefined;
}

export function emptyPayments(): PaymentsState {
  return { payments: new Map() };
}

/** One payment of the story: Ann's, for the renewal. */
export function seedPayments({ payments }: PaymentsState): void {
  payments.set(901, { record: {}, dealId: 501, contactId: 3001 });
}
