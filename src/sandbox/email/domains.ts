import type { SendingDomain } from '../../../generated/email/models.ts';
import { emailFacts } from '../../../generated/email/reference.ts';
import { zSendingDomain } from '../../../generated/email/zod.ts';
import { day, formatDateTime } from '../data/dates.ts';
import type { Resource } from '../data/resource.ts';
import { storyBegins } from '../data/seed-source.ts';
import { Table } from '../data/table.ts';
import type { EmailCommonTables } from './common.ts';

export interface DomainsTables {
  /** Domains, by name in lower case. */
  domains: Table<string, SendingDomain>;
}

/** Status of a new domain. */
export const newStatus = 0;
/** Days until a domain expires. */
const validDays = 365;

const choices = {
  'email-new-domain': `A new sending domain has status ${newStatus}, has not passed any checks, and expires after ${validDays} days. The sandbox never changes these values. The first domain is the default.`,
  'email-domain-failure':
    'A request to add an existing or invalid domain returns status 200, with `result` set to false and a sentence in `error`.',
  'email-domain-added': 'When a domain is added, `error` in the response is null.',
} as const;

/**
 * Sending domains.
 *
 * @internal
 */
export const domains: Resource<DomainsTables, typeof choices, DomainsTables & EmailCommonTables> = {
  tables: (ledger) => ({
    domains: new Table(ledger, 'email.domains', {
      key: (domain) => domain.service_value,
      schema: zSendingDomain,
      ids: ({ id }) => [id],
    }),
  }),

  seed(state, { shift }) {
    const added = { id: 91, service_value: 'example.com', currency: 'EUR', is_default: true };
    state.domains.put(domainOf(state, added, storyBegins + shift, true));
  },

  choices,
};

/**
 * Returns a domain as it appears in responses. `moment` is the time at which the domain was added. A verified
 * domain has passed all checks.
 */
export function domainOf(
  { settings }: EmailCommonTables,
  added: Pick<SendingDomain, 'id' | 'service_value' | 'currency' | 'is_default'>,
  moment: number,
  isVerified: boolean,
): SendingDomain {
  return {
    ...added,
    user_id: settings.get('userId'),
    service_type: emailFacts.domainServiceType,
    status: isVerified ? 1 : newStatus,
    expire_date: formatDateTime(moment + validDays * day),
    auto_free_prolong: Number(isVerified),
    ssl_type: Number(isVerified),
    ssl_expired: null,
    ssl_generated: null,
    checks: {
      check_dkim: isVerified,
      check_spf: isVerified,
      check_dmarc: isVerified,
      all_checks: isVerified,
      spf_txt_needed: 'v=spf1 include:spf.example.com ~all',
    },
  };
}
