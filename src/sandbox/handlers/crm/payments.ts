import type { Payment } from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import type { StoredPayment } from '../../state/crm.ts';
import { findContact, findDeal } from './references.ts';
import { listedByAge } from './replies.ts';

/** Payments can be read only: nothing here writes. */
export const paymentHandlers: Pick<CrmHandlers, 'listPayments' | 'listPaymentsByDeal' | 'listPaymentsByContact'> = {
  listPayments: (_request, context) => paymentList(context, () => true),

  listPaymentsByDeal({ path }, context) {
    const { id } = findDeal(context, path.dealId).record;
    return paymentList(context, ({ dealId }) => dealId === id);
  },

  listPaymentsByContact({ path }, context) {
    const { id } = findContact(context, path.contactId).record;
    return paymentList(context, ({ contactId }) => contactId === id);
  },
};

function paymentList(
  context: Context,
  isMeant: (payment: StoredPayment) => boolean,
): { data: Payment[]; total: number } {
  const payments = listedByAge(context, [...context.state.crm.payments.values()].filter(isMeant));
  if (payments.length > 0) context.chose('payment-fields');
  return { data: payments.map(({ record }) => record), total: payments.length };
}
