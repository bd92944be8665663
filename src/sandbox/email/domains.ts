import type { SendingDomain } from '../../../generated/email/models.ts';
import { emailFacts } from '../../../generated/email/reference.ts';
import { zSendingDomain } from '../../../generated/email/zod.ts';
import { takeId } from '../data/settings.ts';
import { Table } from '../data/table.ts';
import { formatDateTime } from '../dates.ts';
import { dateChoices, wholeList } from './common.ts';
import type { EmailResource } from './resources.ts';

export interface DomainsTables {
  /** Domains by name in lower case. */
  domains: Table<string, SendingDomain>;
}

/** Status of a new domain. */
const newStatus = 0;
/** Days until a domain expires. */
const validDays = 365;
const validity = validDays * 86_400_000;

const choices = {
  'email-new-domain': `A new sending domain has status ${newStatus}, has passed no checks and expires after ${validDays} days. This does not change. The first domain is the default.`,
  'email-domain-failure':
    'Adding an existing or invalid domain returns status 200 with `result` false and a sentence in `error`.',
  'email-domain-added': 'The `error` of an added domain is null.',
} as const;

const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';
/** At least two labels. The last one is not a number. */
const domainName = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!\\p{N}+$)${label}$`, 'u');
const storyBegins = Date.UTC(2026, 10, 2, 9, 30);

/**
 * Sending domains.
 *
 * @internal
 */
export const domains: EmailResource<DomainsTables, typeof choices, 'listSendingDomains' | 'addSendingDomain'> = {
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

  handlers: {
    listSendingDomains: {
      list: { ...wholeList, entry: dateChoices },
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
      state.domains.put({
        id: takeId(state.settings),
        user_id: state.settings.get('userId'),
        service_type: emailFacts.domainServiceType,
        service_value: domain,
        status: newStatus,
        expire_date: formatDateTime(context.now + validity),
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
  },
};

/** Returns the reason why a domain cannot be added, or `null`. */
function faultOf(domain: string, known: ReadonlyMap<string, unknown>): string | null {
  if (!domainName.test(domain)) return 'This is not a domain.';
  return known.has(domain) ? 'This domain has already been added.' : null;
}
