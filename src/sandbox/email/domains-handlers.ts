import { newId } from '../data/settings.ts';
import { dateChoices } from '../rules/choices.ts';
import type { Handlers } from '../rules/handler-types.ts';
import { domainOf, newStatus } from './domains.ts';

const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';

/** Matches a domain with at least two labels, the last of which is not a number. */
const domainName = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!\\p{N}+$)${label}$`, 'u');

/** @internal */
export const domainHandlers = {
  listSendingDomains: {
    list: { order: 'email-list-order', entry: dateChoices },
    handle(_request, context) {
      const data = context.list(context.state.email.domains.values());
      if (data.some(({ status }) => status === newStatus)) context.chose('email-new-domain');
      return { data: { result: true, data } };
    },
  },

  addSendingDomain({ path }, context) {
    const { email: state } = context.state;
    const domain = path.domain.toLowerCase();
    const error = faultOf(domain, state.domains);
    if (error !== null) {
      context.chose('email-domain-failure');
      return { data: { result: false, error } };
    }
    context.chose('email-new-domain');
    context.chose('email-domain-added');
    const { currency } = context.account;
    const added = { id: newId(state), service_value: domain, currency, is_default: state.domains.size === 0 };
    state.domains.put(domainOf(state, added, context.now, false));
    return { data: { result: true, error } };
  },
} satisfies Partial<Handlers['email']>;

/** Returns the reason why a domain cannot be added, or `null` if it can be added. */
function faultOf(domain: string, known: ReadonlyMap<string, unknown>): string | null {
  if (!domainName.test(domain)) return 'This is not a domain.';
  return known.has(domain) ? 'This domain has already been added.' : null;
}
