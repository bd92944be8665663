import type { SendingDomain } from '../../../../generated/email/models.ts';
import { emailFacts } from '../../../../generated/email/reference.ts';
import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';
import { formatDateTime } from '../../dates.ts';

export interface DomainsState {
  /** Domains by name in lower case. */
  domains: Table<string, SendingDomain>;
}

export function emptyDomains(ledger: Ledger): DomainsState {
  return { domains: new Table(ledger, 'email.domains', (domain) => domain.service_value) };
}

const year = 365 * 86_400_000;

/** Adds the sending domain of the example story (spec/README.md). */
export function seedDomain({ domains }: DomainsState, userId: number, begins: number): void {
  domains.put({
    id: 91,
    user_id: userId,
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
