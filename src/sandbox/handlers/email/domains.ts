import { formatDateTime } from '../../dates.ts';
import type { EmailHandlers } from '../../handler-types.ts';
import { domainServiceType } from './facts.ts';
import { markDates, whole } from './paging.ts';

type DomainHandlers = Pick<EmailHandlers, 'listSendingDomains' | 'addSendingDomain'>;

/** Status of a domain that was added. */
const newStatus = 0;
const year = 365 * 86_400_000;
const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';
/** Two labels at least, the last one no number. */
const domainName = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!\\p{N}+$)${label}$`, 'u');

export const domainHandlers: DomainHandlers = {
  listSendingDomains(_request, context) {
    const data = whole(context.state.email.domains.values(), context);
    if (data.length > 0) markDates(context);
    if (data.some(({ status }) => status === newStatus)) context.chose('email-new-domain');
    return { data: { result: true, data } };
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
    state.domains.set(domain, {
      id: state.nextId++,
      user_id: state.userId,
      service_type: domainServiceType,
      service_value: domain,
      status: newStatus,
      expire_date: formatDateTime(context.now + year),
      auto_free_prolong: 0,
      currency: context.account.currency,
      is_default: state.domains.size === 0,
      ssl_type: 0,
      ssl_expired: null,
      ssl_generated: null,
      checks: {
        check_dkim: false,
        check_spf: false,
        check_dmarc: false,
        all_checks: false,
        spf_txt_needed: 'v=spf1 include:spf.example.com ~all',
      },
    });
    return { data: { result: true, error } };
  },
};

/** Why a domain cannot be added. */
function faultOf(domain: string, known: ReadonlyMap<string, unknown>): string | null {
  if (!domainName.test(domain)) return 'This is not a domain.';
  return known.has(domain) ? 'This domain has been added already.' : null;
}
