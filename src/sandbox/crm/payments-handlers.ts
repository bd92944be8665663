import type { Payment } from '../../../generated/crm/models.ts';
import type { Context, ResponseChoices } from '../rules/context.ts';
import type { Handlers } from '../rules/handler-types.ts';
import { findContact } from './contacts/contact-record.ts';
import { findDeal } from './deals/deal-record.ts';

const listed: ResponseChoices = { list: { order: 'listed-by-age', entry: ['payment-fields'] } };

/** @internal */
export const paymentHandlers = {
  listPayments: { ...listed, handle: (_request, context) => paymentList(context, context.state.crm.payments.keys()) },

  listPaymentsByDeal: {
    ...listed,
    handle({ path }, context) {
      const { id } = findDeal(context, path.dealId).record;
      return paymentList(context, context.state.crm.paymentsByDeal.keys(id));
    },
  },

  listPaymentsByContact: {
    ...listed,
    handle({ path }, context) {
      const { id } = findContact(context, path.contactId).record;
      return paymentList(context, context.state.crm.paymentsByContact.keys(id));
    },
  },
} satisfies Partial<Handlers['crm']>;

function paymentList(context: Context, ids: Iterable<number>): { data: Payment[]; total: number } {
  const payments = context.list(context.state.crm.payments.getAll(ids));
  return { data: payments.map(({ record }) => record), total: payments.length };
}
