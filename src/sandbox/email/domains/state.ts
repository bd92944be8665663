import { emailFacts } from '../../../../generated/email/details.ts';
import type { SendingDomain } from '../../../../generated/email/models.ts';
import { formatDateTime } from '../../dates.ts';

export interface DomainsState {
  /** `user_id` of new sending domains. */
  userId: number;
  /** Domains by name in lower case. */
  domains: Map<string, SendingDomain>;
}

export function emptyDomains(): DomainsState {
  return { userId: 1001, domains: new Map() };
}

const year = 365 * 86_400_000;

/** Adds the sending domain of the example story (spec/README.md). */
export function seedDomain(state: DomainsState, begins: number): void {
  state.domains.set('example.com', {
    id: 91,
    user_id: state.userId,
    service_type: emailFacts.domainServiceType,
    service_value: 'example.com',
    status: 1,
    expire_date: formatDateTime(begins + year),
    auto_free_prolong: 1,
    currency: 'EUR',
    is_default: true,
    ssl_type: 1,
    ssl_expired: null,
    ssl_generated: null,
    checks: {
      check_dkim: true,
      check_spf: true,
      check_dmarc: true,
      all_checks: true,
      spf_txt_needed: 'v=spf1 include:spf.example.com ~all',
    },
  });
}
