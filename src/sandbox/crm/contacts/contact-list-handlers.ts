import {
  ContactConditionExpression,
  ContactConditionField,
  type ContactFilter,
  ContactSortField,
} from '../../../../generated/crm/models.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { pageSizeOf, routes } from '../../rules/routes.ts';
import { completeCondition, type Predicate, someString, strings } from './condition.ts';
import { contactResponse } from './contact-record.ts';
import type { StoredContact } from './contacts.ts';
import { compileFilter } from './filter.ts';
import { compileSort, sortedPage } from './sort.ts';
import { contains, equals } from './string-test.ts';

const maxContacts = pageSizeOf(routes.crm, 'listContacts');

/** @internal */
export const contactListHandlers = {
  listContacts: {
    always: ['search-request-empty'],
    handle({ body: filter = {} }, context) {
      checkConditions(context, filter.fieldValueConditions);
      const { crm } = context.state;
      const { predicates, choices } = compileFilter(filter, crm);
      const { limit = maxContacts, offset = 0 } = filter;
      const found = select(crm.contacts.values(), predicates);
      const total = found.length;
      const page = sortedPage(found, compileSort(filter, crm), { offset, limit });

      for (const choice of choices) context.chose(choice);
      if (filter.limit === undefined && total > limit) context.chose('contact-page-size');
      if (total > 1) markSort(context, filter);
      const shown = filter.attributeIds && new Set(filter.attributeIds);
      return {
        data: {
          list: page.map((contact) => contactResponse(context, contact, shown)),
          total,
          searchRequest: '',
        },
      };
    },
  },

  listContactsByEmail: {
    handle({ body: { email = '', isEmailFullSearch = false } = {} }, context) {
      const fits = someString(strings.emails, isEmailFullSearch ? contains(email) : equals(email));
      const found = email === '' ? [] : select(context.state.crm.contacts.values(), [fits]);
      context.chose(email === '' ? 'contact-email-missing' : 'contact-email-whole-search');
      if (found.length > maxContacts) context.chose('contact-page-size');
      if (found.length > 1) context.chose('contact-sort-default');
      const page = found.slice(0, maxContacts);
      return { data: { list: page.map((contact) => contactResponse(context, contact)), total: found.length } };
    },
  },
} satisfies Partial<Handlers['crm']>;

/** Returns the contacts that satisfy all predicates. */
function select(
  contacts: Iterable<Readonly<StoredContact>>,
  predicates: readonly Predicate[],
): Readonly<StoredContact>[] {
  return [...contacts].filter((contact) => predicates.every((holds) => holds(contact)));
}

function checkConditions(context: Context, conditions: ContactFilter['fieldValueConditions'] = []): void {
  for (const condition of conditions) {
    const complete = completeCondition(condition);
    if (!complete)
      context.rejectByChoice(
        'contact-condition-incomplete',
        'A condition needs a field, an expression and, unless the expression is `empty`, a value.',
      );
    if (complete.expression !== ContactConditionExpression.Empty) {
      context.chose('contact-condition-strings');
      context.chose('contact-condition-lists');
    }
    if (complete.field === ContactConditionField.Attributes) context.chose('contact-condition-attributes');
    if (complete.field === ContactConditionField.Tags) context.chose('contact-condition-tags');
  }
}

function markSort(context: Context, { sortBy }: ContactFilter): void {
  if (sortBy?.fieldName === undefined || sortBy.direction === undefined) context.chose('contact-sort-default');
  if (sortBy?.fieldName === ContactSortField.FirstName) context.chose('contact-sort-strings');
  if (sortBy?.fieldName === ContactSortField.AttributeId) context.chose('contact-sort-attribute');
}
