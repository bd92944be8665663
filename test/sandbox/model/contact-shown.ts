import { expect } from 'vitest';
import { shownDeal } from './deal-shown.ts';
import { shownValue } from './values.ts';
import { type ContactModel, type Model, pick, type World } from './world.ts';

/** A contact in the form of responses. */
export function shownContact({ tags, contactAttributes }: Model, contact: ContactModel) {
  return {
    ...contact.record,
    phones: [...contact.phones].map(([id, phone]) => ({ id, phone })),
    emails: [...contact.emails].map(([id, email]) => ({ id, ...email })),
    messengers: [],
    tags: [...contact.tags].map((id) => tags.get(id)),
    attributes: [...contact.values].map(([id, given]) => shownValue(contactAttributes.get(id) ?? { id }, given)),
  };
}

export async function compareContacts({ api, model }: World): Promise<void> {
  const { contacts, tags, contactAttributes } = api.crm;
  const { data, meta } = await contacts.list();
  expect(data).toEqual([...model.contacts.values()].map((contact) => shownContact(model, contact)));
  expect(meta).toMatchObject({ total: model.contacts.size });
  expect(await tags.list()).toEqual([...model.tags.values()]);
  expect(await contactAttributes.list()).toEqual([...model.contactAttributes.values()]);
  for (const [contactId, contact] of [...model.contacts].slice(-1)) {
    expect(await contacts.get({ contactId })).toEqual(shownContact(model, contact));
    const linked = [...model.deals.values()].filter((deal) => deal.contacts.has(contactId));
    const shown = linked.map((deal) => shownDeal(model, deal));
    const deals = await contacts.listDeals({ contactId });
    expect(deals).toHaveLength(shown.length);
    expect(deals).toEqual(expect.arrayContaining(shown));
  }
}

export function findContact(
  { model }: World,
  number: number,
): { contactId: number; contact: ContactModel | undefined } {
  const contactId = pick(model.contacts.keys(), number);
  return { contactId, contact: model.contacts.get(contactId) };
}
