import {
  ContactConditionExpression,
  ContactConditionField,
  type ContactFilter,
  ContactSortDirection,
  ContactSortField,
} from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { Handlers } from '../../handler-types.ts';
import { pageSizeOf, routes } from '../../routes.ts';
import type { Steps } from '../../slices.ts';
import type { CrmState } from '../resources.ts';
import { comparisonsOf, completeCondition, type Predicate } from './condition.ts';
import { contactReply } from './contact-record.ts';
import { maxComparisons, type StoredContact } from './contacts.ts';
import { compileEmail, compileFilter } from './filter.ts';
import { compileSort, sortedPage } from './sort.ts';
import { digitsOnly, ignoreCase } from './text-test.ts';

const maxContacts = pageSizeOf(routes.crm, 'listContacts');

export const contactListHandlers: Pick<Handlers['crm'], 'listContacts' | 'listContactsByEmail'> = {
  listContacts: {
    always: ['search-request-empty'],
    *read({ body: filter = {} }, context) {
      checkComparisons(context, filter);
      checkConditions(context, filter.fieldValueConditions);
      const { crm } = context.state;
      const { predicates, choices } = compileFilter(filter, crm);
      const { limit = maxContacts, offset = 0 } = filter;
      const { total, page } =
        wholeListPage(crm, filter, predicates, { offset, limit }) ??
        (yield* selectedPage(crm, filter, predicates, { offset, limit }));

      for (const choice of choices) context.chose(choice);
      if (filter.limit === undefined && total > limit) context.chose('contact-page-size');
      if (total > 1) markSort(context, filter);
      const shown = filter.attributeIds && new Set(filter.attributeIds);
      return {
        data: {
          list: page.map((contact) => contactReply(context, contact, shown)),
          total,
          searchRequest: '',
        },
      };
    },
  },

  listContactsByEmail: {
    *read({ body: { email = '', isEmailFullSearch = false } = {} }, context) {
      const fits = compileEmail(email, !isEmailFullSearch);
      const { contacts, contactsByEmail } = context.state.crm;
      const candidates = inOrder(contactsByEmail.candidates(ignoreCase(email))) ?? contacts.values();
      const found = fits ? yield* select(candidates, [fits]) : [];
      context.chose(fits ? 'contact-email-whole-search' : 'contact-email-missing');
      if (found.length > maxContacts) context.chose('contact-page-size');
      if (found.length > 1) context.chose('contact-sort-default');
      const page = found.slice(0, maxContacts);
      return { data: { list: page.map((contact) => contactReply(context, contact)), total: found.length } };
    },
  },
};

interface Page {
  total: number;
  page: Readonly<StoredContact>[];
}

/** Returns a page of all contacts from an index. Returns `undefined` if no index has the order of the filter. */
function wholeListPage(
  { contacts, contactsById, contactsByCreation }: CrmState,
  { sortBy = {} }: ContactFilter,
  predicates: readonly Predicate[],
  { offset, limit }: { offset: number; limit: number },
): Page | undefined {
  const { fieldName = ContactSortField.Id, direction } = sortBy;
  const indexes = { [ContactSortField.Id]: contactsById, [ContactSortField.CreatedAt]: contactsByCreation };
  if (predicates.length > 0 || !(fieldName in indexes)) return undefined;
  const index = indexes[fieldName as keyof typeof indexes];
  const page = index.page(offset, limit, direction === ContactSortDirection.Descending);
  return { total: contacts.size, page };
}

/** Reads the contacts that an index finds, or else all of them. */
function* selectedPage(
  crm: CrmState,
  filter: ContactFilter,
  predicates: readonly Predicate[],
  place: { offset: number; limit: number },
): Steps<Page> {
  const { email, phone } = filter;
  const byEmail = email ? crm.contactsByEmail.candidates(ignoreCase(email)) : undefined;
  const candidates = byEmail ?? (phone ? crm.contactsByPhone.candidates(digitsOnly(phone)) : undefined);
  const found = yield* select(inOrder(candidates) ?? crm.contacts.values(), predicates);
  return { total: found.length, page: sortedPage(found, compileSort(filter, crm), place) };
}

/** Sorts the result of an index by age. It is nearly always sorted already. */
function inOrder(contacts: Readonly<StoredContact>[] | undefined): Readonly<StoredContact>[] | undefined {
  const isSorted = contacts?.every(({ record }, place) => record.id >= (contacts[place - 1]?.record.id ?? 0));
  return isSorted ? contacts : contacts?.sort((one, other) => one.record.id - other.record.id);
}

/** Returns the contacts for which all predicates hold now. Later changes have no effect. */
function* select(
  contacts: Iterable<Readonly<StoredContact>>,
  predicates: readonly Predicate[],
): Steps<Readonly<StoredContact>[]> {
  const found: Readonly<StoredContact>[] = [];
  next: for (const contact of [...contacts]) {
    yield;
    for (const holds of predicates) if (!holds(contact)) continue next;
    found.push(contact);
  }
  return found;
}

function checkComparisons(context: Context, { fieldValueConditions = [], attributes }: ContactFilter): void {
  const comparisons =
    fieldValueConditions.reduce((sum, condition) => sum + comparisonsOf(condition), 0) +
    (Array.isArray(attributes) ? attributes.length : 0);
  if (comparisons <= maxComparisons) return;
  const message = `The filter compares ${comparisons} values with each contact. The sandbox compares ${maxComparisons} at most; all values of a condition with eq, neq or in count as one.`;
  context.refuseByChoice('contact-condition-count', { message });
}

function checkConditions(context: Context, conditions: ContactFilter['fieldValueConditions'] = []): void {
  for (const condition of conditions) {
    const complete = completeCondition(condition);
    if (!complete) {
      const message = 'A condition needs a field, an expression and, unless the expression is empty, a value.';
      context.refuseByChoice('contact-condition-incomplete', { message });
    }
    if (complete.expression !== ContactConditionExpression.Empty) {
      context.chose('contact-condition-texts');
      context.chose('contact-condition-lists');
    }
    if (complete.field === ContactConditionField.Attributes) context.chose('contact-condition-attributes');
    if (complete.field === ContactConditionField.Tags) context.chose('contact-condition-tags');
  }
}

function markSort(context: Context, { sortBy }: ContactFilter): void {
  if (sortBy?.fieldName === undefined || sortBy.direction === undefined) context.chose('contact-sort-default');
  if (sortBy?.fieldName === ContactSortField.FirstName) context.chose('contact-sort-texts');
  if (sortBy?.fieldName === ContactSortField.AttributeId) context.chose('contact-sort-attribute');
}
