import { zContact } from '../../../../generated/crm/zod.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { markMissingMandatory } from '../attribute-types.ts';
import { dealResponse, unlinkContact } from '../deals/deal-record.ts';
import { checkResponsible } from '../team-handlers.ts';
import { changeContact, contactResponse, findContact, separate, storeContact } from './contact-record.ts';

/** @internal */
export const contactHandlers = {
  createContact: {
    always: ['contact-source-type'],
    handle({ body }, context) {
      checkResponsible(context, body.responsibleId);
      const contact = storeContact(context, context.fields(zContact, ...separate));
      for (const one of context.state.crm.contactAttributes.values()) markMissingMandatory(context, one);
      return { data: contactResponse(context, contact) };
    },
  },

  getContact: ({ path }, context) => ({ data: contactResponse(context, findContact(context, path.contactId)) }),

  updateContact({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    checkResponsible(context, body.responsibleId);
    const record = context.overwrite(contact.record, zContact, ...separate);
    return { data: contactResponse(context, changeContact(context, contact, { record })) };
  },

  deleteContact({ path }, context) {
    const { crm } = context.state;
    const contact = findContact(context, path.contactId);
    const deals = crm.deals.getAll(crm.dealsByContact.keys(path.contactId));
    const isPaying = crm.paymentsByContact.keys(path.contactId).size > 0;
    if (deals.length > 0 || contact.tags?.length || isPaying) context.chose('contact-deleted');
    for (const deal of deals) unlinkContact(crm, deal, path.contactId);
    crm.contacts.delete(path.contactId);
  },

  listContactDeals: {
    list: { order: 'listed-by-age' },
    handle({ path }, context) {
      const { deals, dealsByContact } = context.state.crm;
      const { id } = findContact(context, path.contactId).record;
      const linked = [...dealsByContact.keys(id)].sort((one, other) => one - other);
      return { data: context.list(deals.getAll(linked)).map((deal) => dealResponse(context, deal)) };
    },
  },
} satisfies Partial<Handlers['crm']>;
