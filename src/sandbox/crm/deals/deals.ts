import * as z from 'zod';
import { type DealFilter, DealStatus, type DealUpdate } from '../../../../generated/crm/models.ts';
import { crmTitles } from '../../../../generated/crm/reference.ts';
import { zDeal, zDealComment } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../context.ts';
import { GroupIndex } from '../../data/group-index.ts';
import { SortedIndex } from '../../data/sorted-index.ts';
import { Table, valuesOf } from '../../data/table.ts';
import type { SeedSource } from '../../seed-source.ts';
import { markMissingMandatory } from '../attribute-types.ts';
import { newId } from '../common.ts';
import { given, overwritten } from '../records.ts';
import type { CrmResource, CrmState } from '../resources.ts';
import { checkResponsible } from '../team.ts';
import { storedValues, zStoredValues } from '../values.ts';
import { checkedValues, dealAttributeValueHandlers } from './attribute-values.ts';
import { checkContacts, dealContactHandlers } from './contacts.ts';
import { checkPlace, dealReply, findDeal, markMove, type StoredDeal } from './deal-record.ts';
import { checkCanFail, failureOf } from './failure.ts';
import { dealNoteHandlers } from './notes.ts';

export interface DealsTables {
  deals: Table<number, StoredDeal>;
  /** IDs of the deals in each step. */
  dealsByStep: DealIndex;
  /** IDs of the deals of each contact. */
  dealsByContact: DealIndex;
  /** The deals by place, from the last in the list to the first. */
  dealsByPlace: SortedIndex<number, Readonly<StoredDeal>>;
}

type DealIndex = GroupIndex<number, number, Readonly<StoredDeal>>;

const zStoredDeal = z.object({
  createdAt: z.number(),
  updatedAt: z.number(),
  record: zDeal.extend({ pipelineId: z.int(), stepId: z.int() }),
  place: z.number(),
  contacts: z.array(z.int()),
  values: zStoredValues,
  notes: z.array(zDealComment),
});

const choices = {
  'new-deal':
    'A new deal is active and becomes the first in the list. An omitted name or price stays absent. An omitted currency is that of the account.',
  'deal-order':
    'Deals without a display order come first, the most recently placed one on top. The others are sorted by display order.',
  'deal-order-emptied': 'Updating a deal without `order` removes its display order.',
  'deal-filter-ignored':
    'In the filter of deals, only `limit` and `offset` have an effect. Without a limit, the reply contains all deals.',
  'deal-filter-paging':
    'In the filter of deals, `limit` is an integer above 0 and `offset` an integer of 0 or more. Other values get status 422.',
  'deal-values-as-pairs': 'A deal in a reply contains its attribute values as pairs of `attributeId` and `value`.',
  'fail-pipeline': 'An update to status 2 uses the fail reasons of the pipeline in the update.',
  'fail-reason-disabled': 'Failing a deal with a disabled fail reason gets status 422.',
  'fail-comment-ignored': 'A failure comment sent with a status other than 2 is ignored.',
  'fail-reason-cleared':
    'Changing the status of a deal to another value than 2 removes its fail reason and failure comment.',
  'change-pipeline-incomplete': 'Moving a deal without `pipelineId` or `stepId` gets status 422.',
  'deal-deleted': 'Deleting a deal removes it from its contacts, but does not delete them. Its payments are also kept.',
  'contact-linked-twice':
    'Adding a contact to a deal that already has it changes nothing. The reply is the same as the first time.',
  'values-follow-pipeline':
    'A deal shows only values of attributes that its pipeline defines. Values of a deleted attribute disappear. Values of another pipeline reappear if the deal returns to it.',
  'value-replaced': 'Adding a value for an attribute that already has one in the deal replaces it.',
} as const;

type Operations =
  | `${'create' | 'get' | 'update' | 'delete'}Deal`
  | 'listDeals'
  | 'changeDealPipeline'
  | keyof typeof furtherHandlers;

const furtherHandlers = { ...dealNoteHandlers, ...dealContactHandlers, ...dealAttributeValueHandlers };

/** 2026-11-02 at 09:30, as in the examples of the specs. */
const storyBegins = Date.UTC(2026, 10, 2, 9, 30);

/** @internal */
export const deals: CrmResource<DealsTables, typeof choices, Operations> = {
  tables(ledger) {
    const idOf = ({ record }: Readonly<StoredDeal>): number => record.id;
    const table = new Table<number, StoredDeal>(ledger, 'crm.deals', {
      key: idOf,
      schema: zStoredDeal,
      title: ({ record }) => valuesOf(record, crmTitles.Deal),
      ids: ({ record, notes }) => [record, ...notes].map(({ id }) => id),
      needs: ({ record: { pipelineId, stepId }, contacts }) => ({
        'crm.pipelines': [pipelineId],
        'crm.steps': [stepId],
        'crm.contacts': contacts,
      }),
      lists: { notes: ({ id }) => id, values: ({ attributeId }) => attributeId },
    });
    return {
      deals: table,
      dealsByStep: table.watch(new GroupIndex(table, ({ record }) => [record.stepId])),
      dealsByContact: table.watch(new GroupIndex(table, ({ contacts }) => contacts)),
      dealsByPlace: table.watch(new SortedIndex(table, { sort: ({ place }) => place, tie: idOf })),
    };
  },

  seed(state, source) {
    const record = {
      id: 501,
      pipelineId: 1,
      stepId: 11,
      responsibleId: 77,
      name: 'Annual plan renewal',
      price: 1200,
      currency: 'EUR',
      sourceId: 4,
      attachments: ['/contracts/renewal.pdf'],
      status: DealStatus.Active,
    };
    state.deals.put({
      ...newDeal(record, storyBegins + Math.max(0, source.shift), 1),
      contacts: [3001],
      values: [
        { attributeId: 210, value: 'AC-2026-17' },
        { attributeId: 211, value: 'Team' },
      ],
      notes: [{ id: 801, message: 'Ann asked for a yearly invoice.' }],
    });
    seedMoreDeals(state, source);
  },

  choices,

  handlers: {
    listDeals: {
      always: ['search-request-empty'],
      list: { order: 'deal-order' },
      handle({ body = {} }, context) {
        const { deals, total } = listedDeals(context, body);
        return { data: deals.map((deal) => dealReply(context, deal)), meta: { total, searchRequest: '' } };
      },
    },

    createDeal: {
      always: ['new-deal'],
      handle({ body }, context) {
        const { pipelineId, stepId, currency, contact = [] } = body;
        checkPlace(context, body);
        const responsibleId = responsibleOf(context, body);
        checkContacts(context, contact);
        const values = checkedValues(context, pipelineId, body.attributes ?? []);
        const { crm } = context.state;
        const deal: StoredDeal = {
          record: {
            ...context.fields(zDeal, 'contact', 'attributes', 'responsibleId'),
            id: newId(crm),
            pipelineId,
            stepId,
            ...given({ responsibleId }),
            currency: currency ?? context.account.currency,
            status: DealStatus.Active,
          },
          createdAt: context.now,
          updatedAt: context.now,
          place: topPlace(context),
          contacts: [...new Set(contact)],
          values: storedValues(values),
          notes: [],
        };
        crm.deals.put(deal);
        if (deal.contacts.length < contact.length) context.chose('contact-linked-twice');
        for (const { record } of crm.dealAttributes.of(pipelineId)) markMissingMandatory(context, record, values);
        return { data: dealReply(context, deal) };
      },
    },

    getDeal: {
      always: ['facts-without-field-names'],
      handle: ({ path }, context) => ({ data: dealReply(context, findDeal(context, path.dealId)) }),
    },

    updateDeal: {
      beforeLimits: ({ path, body }, context) => checkCanFail(context, path.dealId, body),
      handle({ path, body }, context) {
        const deal = findDeal(context, path.dealId);
        const { order } = body;
        checkPlace(context, body);
        const responsibleId = responsibleOf(context, body);
        const failure = failureOf(context, deal, body);
        markMove(context, deal, body.pipelineId);
        if (order === undefined && deal.record.order !== undefined) context.chose('deal-order-emptied');
        const { failReasonId: _, failReasonComment: __, order: ___, ...kept } = deal.record;
        const { pipelineId, stepId } = body;
        const placed = { ...kept, pipelineId, stepId, ...given({ order }), ...failure };
        const treated = ['responsibleId', 'order', 'failReasonId', 'failReasonComment'];
        const updated = context.state.crm.deals.put({
          ...deal,
          record: overwritten(context, context.overwrite(placed, zDeal, ...treated), { responsibleId }),
          updatedAt: context.now,
          place: order === undefined ? topPlace(context) : deal.place,
        });
        return { data: dealReply(context, updated) };
      },
    },

    deleteDeal({ path }, context) {
      const { crm } = context.state;
      const deal = findDeal(context, path.dealId);
      const isPaid = crm.paymentsByDeal.keys(path.dealId).size > 0;
      if (deal.contacts.length > 0 || isPaid) context.chose('deal-deleted');
      crm.deals.delete(path.dealId);
    },

    changeDealPipeline({ path, body = {} }, context) {
      const { pipelineId, stepId } = body;
      const deal = findDeal(context, path.dealId);
      if (!pipelineId || !stepId) {
        const message = 'Moving a deal requires a pipelineId and a stepId.';
        return context.refuseByChoice('change-pipeline-incomplete', { message });
      }
      checkPlace(context, { pipelineId, stepId });
      markMove(context, deal, pipelineId);
      const record = { ...deal.record, pipelineId, stepId };
      context.state.crm.deals.put({ ...deal, record, updatedAt: context.now });
    },

    ...furtherHandlers,
  },
};

/** Returns the team member in a request. The field is optional, so 0 counts as missing. */
function responsibleOf(context: Context, { responsibleId }: Pick<DealUpdate, 'responsibleId'>): number | undefined {
  if (!responsibleId) return undefined;
  checkResponsible(context, responsibleId);
  return responsibleId;
}

const paging = z.object({ limit: z.int().min(1).nullish(), offset: z.int().min(0).nullish() });

/** Returns the requested page of deals and their total number. The fields of the filter are not documented. */
function listedDeals(context: Context, filter: DealFilter): { deals: Readonly<StoredDeal>[]; total: number } {
  const { limit, offset, ...ignored } = filter;
  // Some clients send 0 for no limit.
  const asked = paging.safeParse({ limit: limit === 0 ? undefined : limit, offset });
  if (!asked.success) {
    const message = 'limit must be an integer above 0, and offset an integer of 0 or more.';
    return context.refuseByChoice('deal-filter-paging', { message });
  }
  if (Object.keys(ignored).length > 0 || asked.data.limit == null) context.chose('deal-filter-ignored');
  const start = asked.data.offset ?? 0;
  const deals = context.list(inOrder(context));
  return { deals: deals.slice(start, start + (asked.data.limit ?? deals.length)), total: deals.length };
}

/** Returns all deals in display order. This takes about linear time, because few deals have an explicit order. */
function inOrder({ state }: Context): Readonly<StoredDeal>[] {
  const { deals: all, dealsByPlace } = state.crm;
  const deals = dealsByPlace.page(0, all.size, true);
  const ordered = deals.filter(({ record }) => record.order !== undefined);
  if (ordered.length === 0) return deals;
  ordered.sort((one, other) => (one.record.order ?? 0) - (other.record.order ?? 0));
  return [...deals.filter(({ record }) => record.order === undefined), ...ordered];
}

/** Returns the place of a deal that becomes the first in the list. */
function topPlace({ state }: Context): number {
  return (state.crm.dealsByPlace.last()?.place ?? 0) + 1;
}

/** Adds one deal for every ten contacts of the seed. */
function seedMoreDeals(state: CrmState, { size, now, random }: SeedSource): void {
  const contacts = [...state.contacts.keys()];
  for (let index = 0; index < Math.floor(size / 10); index += 1) {
    const record = {
      id: newId(state),
      pipelineId: 1,
      stepId: 11 + Math.floor(random() * 3),
      responsibleId: 77 + Math.floor(random() * 2),
      name: `Renewal ${index + 1}`,
      price: 100 + Math.floor(random() * 90) * 10,
      currency: 'EUR',
      status: DealStatus.Active,
    };
    const contactId = contacts[Math.floor(random() * contacts.length)];
    state.deals.put({ ...newDeal(record, now, index + 2), contacts: contactId === undefined ? [] : [contactId] });
  }
}

function newDeal(record: StoredDeal['record'], at: number, place: number): StoredDeal {
  return { record, createdAt: at, updatedAt: at, place, contacts: [], values: [], notes: [] };
}
