import fc from 'fast-check';
import { expect } from 'vitest';
import { compareDeals } from './deal-shown.ts';
import { any, step, text } from './step.ts';
import { fits, value } from './values.ts';
import { attempt, firstOf, pick } from './world.ts';

export const linkContact = step(
  'link or unlink a contact',
  fc.record({ of: any, contact: any, links: fc.boolean() }),
  async (world, { of, contact, links }) => {
    const dealId = pick(world.model.deals.keys(), of);
    const contactId = pick(world.model.contacts.keys(), contact);
    const deal = world.model.deals.get(dealId);
    const { contacts } = world.api.crm.deals;
    const isPossible = world.model.contacts.has(contactId) && (links || deal?.contacts.has(contactId));
    await attempt(world, {
      against: firstOf(!(deal && isPossible) && 'unknown-record'),
      send: async () => (links ? contacts.add({ dealId, contactId }) : contacts.remove({ dealId, contactId })),
      accept: () => (links ? deal?.contacts.add(contactId) : deal?.contacts.delete(contactId)),
    });
  },
  compareDeals,
);

export const writeNote = step(
  'write, change or delete a note on a deal',
  fc.record({ of: any, note: any, message: text, act: fc.constantFrom('create', 'update', 'delete') }),
  async (world, { of, note, message, act }) => {
    const dealId = pick(world.model.deals.keys(), of);
    const deal = world.model.deals.get(dealId);
    const commentId = pick(deal?.notes.keys() ?? [], note);
    const { comments } = world.api.crm.deals;
    const isThere = act === 'create' ? deal !== undefined : deal?.notes.has(commentId);
    await attempt(world, {
      against: firstOf(!isThere && 'unknown-record'),
      send: async () => {
        if (act === 'create') return comments.create({ dealId, message });
        if (act === 'update') return comments.update({ dealId, commentId, message });
        return comments.delete({ dealId, commentId });
      },
      accept: (response) => {
        if (!response) deal?.notes.delete(commentId);
        else deal?.notes.set(response.id, message);
        if (response) expect(response).toEqual({ id: act === 'create' ? response.id : commentId, message });
      },
    });
  },
  compareDeals,
);

export const setValue = step(
  'set or delete a value of a deal',
  fc.record({ of: any, attribute: any, given: value, sets: fc.boolean() }),
  async (world, { of, attribute, given, sets }) => {
    const dealId = pick(world.model.deals.keys(), of);
    const deal = world.model.deals.get(dealId);
    const attributes = deal ? world.model.pipelines.get(deal.record.pipelineId)?.attributes : undefined;
    const attributeId = pick(attributes?.keys() ?? [], attribute);
    const definition = attributes?.get(attributeId);
    const api = world.api.crm.deals.attributes;
    if (!sets) {
      return attempt(world, {
        against: firstOf(!(definition && deal?.values.has(attributeId)) && 'unknown-record'),
        send: () => api.delete({ dealId, attributeId }),
        accept: () => deal?.values.delete(attributeId),
      });
    }
    return attempt(world, {
      against: firstOf(
        !deal && 'unknown-record',
        !definition && 'unknown-reference',
        definition && !fits(definition, given) && 'attribute-value-format',
      ),
      send: () => api.create({ dealId, attributeId, value: given }),
      accept: (response) => {
        deal?.values.set(attributeId, given);
        expect(response).toMatchObject({ attributeId, value: given });
      },
    });
  },
  compareDeals,
);
