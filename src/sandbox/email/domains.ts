import type { SendingDomain } from '../../../generated/email/models.ts';
import { emailFacts } from '../../../generated/email/reference.ts';
import { zSendingDomain } from '../../../generated/email/zod.ts';
import { formatDateTime } from '../data/dates.ts';
import type { Resource } from '../data/resource.ts';
import { storyBegins } from '../data/seed-source.ts';
import { Table } from '../data/table.ts';
import type { CommonTables } from './common.ts';

export interface DomainsTables {
  /** Domains by name in lower case. */
  domains: Table<string, SendingDomain>;
}

/** Status of a new domain. */
export const newStatus = 0;
/** Days until a domain expires. */
const validDays = 365;
export const validity = validDays * 86_400_000;

const choices = {
  'email-new-domain': `A new sending domain has status ${newStatus}, has passed no checks and expires after ${validDays} days. This does not change. The first domain is the default.`,
  'email-domain-failure':
    'Adding an existing or invalid domain returns status 200 with `result` false and a sentence in `error`.',
  'email-domain-added': 'The `error` of an added domain is null.',
} as const;

/**
 * Sending domains.
 *
 * @internal
 */
export const domains: Resource<DomainsTables, typeof choices, DomainsTables & CommonTables> = {
  tables: (ledger) => ({
    domains: new Table(ledger, 'email.domains', {
      key: (domain) => domain.service_value,
      schema: zSendingDomain,
      ids: ({ id }) => [id],
    }),
  }),

  seed(state, { shift }) {
    state.domains.put({
      id: 91,
      user_id: state.settings.get('userId'),
      service_type: emailFacts.domainServiceType,
      service_value: 'example.com',
      status: 1,
      expire_date: formatDateTime(storyBegins + shift + validity),
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
  },

  choices,
};
