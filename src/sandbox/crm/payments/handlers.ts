import type { Payment } from '../../../../generated/crm/models.ts';
import type { Context, ReplyChoices } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { findContact } from '../contacts/contact-record.ts';
import { findDeal } from '../deals/deal-record.ts';
import type { StoredPayment } from './state.ts';

const choices: ReplyChoices = { list: { order: 'listed-by-age', entry: ['payment-fields'] } };

/** Payments are read-only. */
export const paymentHandlers: Pick<CrmHandlers, 'listPayments' | 'listPaymentsByDeal' | 'listPaymentsByContact'> = {
  listPayments: { ...choices, handle: (_request, context) => paymentList(context, () => true) },

  listPaymentsByDeal: {
    ...choices,
    handle({ path }, context) {
      const { id } = findDeal(context, path.dealId).record;
      return paymentList(context, ({ dealId }) => dealId === id);
    },
  },

  listPaymentsByContact: {
    ...choices,
    handle({ path }, context) {
      const { id } = findContact(context, path.contactId).record;
      return paymentList(context, ({ contactId }) => contactId === id);
    },
  },
};

function paymentList(
  context: Context,
  isMeant: (payment: StoredPayment) => boolean,
): { data: Payment[]; total: number } {
  const payments = context.list([...context.state.crm.payments.values()].filter(isMeant));
  return { data: payments.map(({ record }) => record), total: payments.length };
}
