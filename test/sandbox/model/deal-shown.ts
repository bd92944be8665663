import { expect } from 'vitest';
import type { DealModel, Model, World } from './world.ts';

/** A deal in the form of responses. */
export function shownDeal({ pipelines }: Model, { record, contacts, values }: DealModel) {
  const shown = [...values].filter(([id]) => pipelines.get(record.pipelineId)?.attributes.has(id));
  return {
    ...record,
    contact: [...contacts],
    attributes: shown.map(([attributeId, given]) => ({ attributeId, value: given })),
  };
}

/** Sorts deals: first those without an order, last one on top, then the others by order. */
function listed({ deals }: Model): DealModel[] {
  const all = [...deals.values()].reverse();
  const ordered = all.filter(({ record }) => record.order !== undefined);
  ordered.sort((one, other) => (one.record.order ?? 0) - (other.record.order ?? 0));
  return [...all.filter(({ record }) => record.order === undefined), ...ordered];
}

export async function compareDeals({ api, model }: World): Promise<void> {
  const { deals } = api.crm;
  const { data, meta } = await deals.list({});
  expect(data).toEqual(listed(model).map((deal) => shownDeal(model, deal)));
  expect(meta).toMatchObject({ total: model.deals.size });
  for (const [dealId, deal] of [...model.deals].slice(-1)) {
    expect(await deals.get({ dealId })).toEqual(shownDeal(model, deal));
    const notes = [...deal.notes].map(([id, message]) => ({ id, message }));
    expect(await deals.comments.list({ dealId })).toEqual(notes);
    expect((await deals.contacts.list({ dealId })).map(({ id }) => id)).toEqual([...deal.contacts]);
  }
}
