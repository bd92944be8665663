import fc from 'fast-check';
import { expect } from 'vitest';
import { DealStatus } from '../../../generated/crm/models.ts';
import { any, type Group, step, text } from './step.ts';
import { fits, value } from './values.ts';
import { addNew, attempt, type DealModel, firstOf, type Model, type PipelineModel, pick, type World } from './world.ts';

const placeDrawn = fc.record({ pipeline: any, step: any });

function place({ pipelines }: Model, drawn: { pipeline: number; step: number }) {
  // Mostly a pipeline that has steps: few deals would be valid otherwise.
  const candidates = [...pipelines].filter(([, { steps }]) => steps.size > 0 || drawn.pipeline % 7 === 6);
  const pipelineId = pick(
    candidates.map(([id]) => id),
    drawn.pipeline,
  );
  const pipeline = pipelines.get(pipelineId);
  const stepId = pick(pipeline?.steps.keys() ?? [], drawn.step);
  return { pipelineId, stepId, pipeline, isThere: pipeline?.steps.has(stepId) === true };
}

/** A deal as replies show it. */
export function shownDeal({ pipelines }: Model, { record, contacts, values }: DealModel) {
  const shown = [...values].filter(([id]) => pipelines.get(record.pipelineId)?.attributes.has(id));
  return {
    ...record,
    contact: [...contacts],
    attributes: shown.map(([attributeId, given]) => ({ attributeId, value: given })),
  };
}

/** Those without an order first, the last one on top; then the others by their order. */
function listed({ deals }: Model): DealModel[] {
  const all = [...deals.values()].reverse();
  const ordered = all.filter(({ record }) => record.order !== undefined);
  ordered.sort((one, other) => (one.record.order ?? 0) - (other.record.order ?? 0));
  return [...all.filter(({ record }) => record.order === undefined), ...ordered];
}

async function compare({ api, model }: World): Promise<void> {
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

const createDeal = step(
  'create a deal',
  fc.record({ at: placeDrawn, name: text, price: fc.nat(9_999), contacts: fc.array(any, { maxLength: 2 }), by: any }),
  async (world, { at, name, price, contacts, by }) => {
    const { pipelineId, stepId, isThere } = place(world.model, at);
    const contact = contacts.map((number) => pick(world.model.contacts.keys(), number));
    const responsibleId = by % 9 === 8 ? 78 : 77;
    const known = contact.every((id) => world.model.contacts.has(id));
    await attempt(world, {
      against: firstOf(
        !isThere && 'unknown-reference',
        responsibleId === 78 && 'users-are-assignable',
        !known && 'unknown-reference',
      ),
      send: () => world.api.crm.deals.create({ pipelineId, stepId, name, price, responsibleId, contact }),
      accept: (reply) => {
        const own = { id: reply.id, pipelineId, stepId, responsibleId, name, price };
        const record = { ...own, currency: 'EUR', status: DealStatus.Active };
        const deal: DealModel = { record, contacts: new Set(contact), values: new Map(), notes: new Map() };
        addNew(world.model.deals, reply.id, deal);
        expect(reply).toEqual(shownDeal(world.model, deal));
      },
    });
  },
  compare,
);

const updateDeal = step(
  'update a deal',
  fc.record({
    of: any,
    at: placeDrawn,
    stays: fc.constantFrom(true, true, true, false),
    name: text,
    status: fc.constantFrom(...Object.values(DealStatus), DealStatus.Fail, DealStatus.Fail, DealStatus.Fail),
    order: fc.option(fc.nat(3), { nil: undefined, freq: 1 }),
    reason: fc.option(any, { nil: undefined }),
    comment: fc.option(text, { nil: undefined }),
  }),
  async (world, { of, at, stays, name, status, order, reason, comment }) => {
    const { model } = world;
    const dealId = pick(model.deals.keys(), of);
    const deal = model.deals.get(dealId);
    const moved = place(model, at);
    const { pipelineId, stepId } = stays && deal ? deal.record : moved;
    const pipeline = model.pipelines.get(pipelineId);
    const failReasonId = reason === undefined ? undefined : pick(pipeline?.failReasons.keys() ?? [], reason);
    const hasPlace = pipeline?.steps.has(stepId) === true;
    const chosen = failReasonId === undefined ? undefined : pipeline?.failReasons.get(failReasonId);
    const byDefault = pipeline && defaultReason(pipeline);
    const fails = status === DealStatus.Fail;
    await attempt(world, {
      against: firstOf(
        !deal && 'unknown-record',
        // A documented answer comes before the choices, even where the pipeline has no such step.
        fails && pipeline && byDefault === undefined && 'deal-fail-needs-enabled-fail-reason',
        !hasPlace && 'unknown-reference',
        fails && failReasonId !== undefined && !chosen && 'unknown-reference',
        fails && chosen?.isEnabled === false && 'fail-reason-disabled',
      ),
      send: () =>
        world.api.crm.deals.update({
          ...{ dealId, pipelineId, stepId, name, price: 5, status },
          ...(order !== undefined && { order }),
          ...(failReasonId !== undefined && { failReasonId }),
          ...(comment !== undefined && { failReasonComment: comment }),
        }),
      accept: (reply) => {
        if (!deal) return;
        const { id, responsibleId, currency, failReasonComment: earlier } = deal.record;
        const kept = comment ?? earlier;
        deal.record = {
          ...{ id, pipelineId, stepId, responsibleId, name, price: 5, currency, status },
          ...(order !== undefined && { order }),
          ...(fails && { failReasonId: failReasonId ?? byDefault }),
          ...(fails && kept !== undefined && { failReasonComment: kept }),
        };
        if (order === undefined) {
          model.deals.delete(dealId);
          model.deals.set(dealId, deal);
        }
        expect(reply).toEqual(shownDeal(model, deal));
      },
    });
  },
  compare,
);

/** The first enabled one, the platform's before the others. */
function defaultReason({ failReasons, ownReason }: PipelineModel): number | undefined {
  const enabled = [...failReasons.values()].filter(({ isEnabled }) => isEnabled);
  return (enabled.find(({ id }) => id === ownReason) ?? enabled[0])?.id;
}

const moveDeal = step(
  'move a deal',
  fc.tuple(any, placeDrawn),
  async (world, [of, at]) => {
    const dealId = pick(world.model.deals.keys(), of);
    const deal = world.model.deals.get(dealId);
    const { pipelineId, stepId, isThere } = place(world.model, at);
    await attempt(world, {
      against: firstOf(!deal && 'unknown-record', !isThere && 'unknown-reference'),
      send: () => world.api.crm.deals.changePipeline({ dealId, pipelineId, stepId }),
      accept: () => deal && Object.assign(deal.record, { pipelineId, stepId }),
    });
  },
  compare,
);

const deleteDeal = step(
  'delete a deal',
  any,
  async (world, of) => {
    const dealId = pick(world.model.deals.keys(), of);
    await attempt(world, {
      against: firstOf(!world.model.deals.has(dealId) && 'unknown-record'),
      send: () => world.api.crm.deals.delete({ dealId }),
      accept: () => world.model.deals.delete(dealId),
    });
  },
  compare,
);

const linkContact = step(
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
  compare,
);

const writeNote = step(
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
      accept: (reply) => {
        if (!reply) deal?.notes.delete(commentId);
        else deal?.notes.set(reply.id, message);
        if (reply) expect(reply).toEqual({ id: act === 'create' ? reply.id : commentId, message });
      },
    });
  },
  compare,
);

const setValue = step(
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
      accept: (reply) => {
        deal?.values.set(attributeId, given);
        expect(reply).toMatchObject({ attributeId, value: given });
      },
    });
  },
  compare,
);

export const dealSteps: Group = {
  first: [createDeal, createDeal],
  steps: [
    ...[createDeal, createDeal, createDeal, updateDeal, updateDeal, updateDeal, updateDeal],
    ...[moveDeal, deleteDeal, linkContact, writeNote, setValue],
  ],
  compare,
};
