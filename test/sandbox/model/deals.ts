import fc from 'fast-check';
import { expect } from 'vitest';
import { DealStatus } from '../../../generated/crm/models.ts';
import { unchecked } from '../support.ts';
import { linkContact, setValue, writeNote } from './deal-parts.ts';
import { compareDeals, shownDeal } from './deal-shown.ts';
import { any, type Group, step, text } from './step.ts';
import { addNew, attempt, type DealModel, firstOf, type Model, type PipelineModel, pick } from './world.ts';

const placeDrawn = fc.record({ pipeline: any, step: any });

function place({ pipelines }: Model, drawn: { pipeline: number; step: number }) {
  // Prefer a pipeline with steps. Otherwise few deals would be valid.
  const candidates = [...pipelines].filter(([, { steps }]) => steps.size > 0 || drawn.pipeline % 7 === 6);
  const pipelineId = pick(
    candidates.map(([id]) => id),
    drawn.pipeline,
  );
  const pipeline = pipelines.get(pipelineId);
  const stepId = pick(pipeline?.steps.keys() ?? [], drawn.step);
  return { pipelineId, stepId, pipeline, isThere: pipeline?.steps.has(stepId) === true };
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
      accept: (response) => {
        const own = { id: response.id, pipelineId, stepId, responsibleId, name, price };
        const record = { ...own, currency: 'EUR', status: DealStatus.Active };
        const deal: DealModel = { record, contacts: new Set(contact), values: new Map(), notes: new Map() };
        addNew(world.model.deals, response.id, deal);
        expect(response).toEqual(shownDeal(world.model, deal));
      },
    });
  },
  compareDeals,
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
        // A documented response comes before the choices, even if the pipeline has no such step.
        fails && pipeline && byDefault === undefined && 'deal-fail-needs-enabled-fail-reason',
        !hasPlace && 'unknown-reference',
        fails && failReasonId !== undefined && !chosen && 'unknown-reference',
        fails && chosen?.isEnabled === false && 'fail-reason-disabled',
      ),
      send: () =>
        world.api.crm.deals.update(
          unchecked({
            dealId,
            pipelineId,
            stepId,
            name,
            price: 5,
            status,
            ...(order !== undefined && { order }),
            ...(failReasonId !== undefined && { failReasonId }),
            ...(comment !== undefined && { failReasonComment: comment }),
          }),
        ),
      accept: (response) => {
        if (!deal) return;
        const { id, responsibleId, currency, failReasonComment: earlier } = deal.record;
        const kept = comment ?? earlier;
        deal.record = {
          id,
          pipelineId,
          stepId,
          responsibleId,
          name,
          price: 5,
          currency,
          status,
          ...(order !== undefined && { order }),
          ...(fails && { failReasonId: failReasonId ?? byDefault }),
          ...(fails && kept !== undefined && { failReasonComment: kept }),
        };
        if (order === undefined) {
          model.deals.delete(dealId);
          model.deals.set(dealId, deal);
        }
        expect(response).toEqual(shownDeal(model, deal));
      },
    });
  },
  compareDeals,
);

/** The first enabled fail reason, platform reasons first. */
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
  compareDeals,
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
  compareDeals,
);

export const dealSteps: Group = {
  first: [createDeal, createDeal],
  steps: [
    ...[createDeal, createDeal, createDeal, updateDeal, updateDeal, updateDeal, updateDeal],
    ...[moveDeal, deleteDeal, linkContact, writeNote, setValue],
  ],
  compare: compareDeals,
};
