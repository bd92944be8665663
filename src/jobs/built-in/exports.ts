import { Crm } from 'carillon';
import { crmOperations } from '../../../generated/crm/operations.ts';
import { defineJob } from '../define-job.ts';
import { toStorable } from '../store/storable.ts';
import type { JobStep, Source, StepContext } from '../types.ts';
import { type ReadPage, readIds } from './read-ids.ts';

/** Options of an export. */
export interface ExportOptions<Detail extends string> {
  /**
   * Details to read. Each detail requires an additional request per record.
   * @default no details
   */
  details?: readonly Detail[];
}

/**
 * Details of contacts. Phones, emails, messengers and tags are not details: they are part of the contact itself, if the service
 * returns them.
 */
export const contactDetails = ['attributes', 'deals', 'payments'] as const satisfies ContactDetail[];
/** Details of deals. */
export const dealDetails = ['attributes', 'comments', 'contacts', 'payments'] as const satisfies DealDetail[];

/** Detail of a contact that an export can read. */
export type ContactDetail = 'attributes' | 'deals' | 'payments';
/** Detail of a deal that an export can read. */
export type DealDetail = 'attributes' | 'comments' | 'contacts' | 'payments';

/** A record to read. */
export interface ExportedRecord {
  /** ID of the contact or deal. */
  id: number;
  /** Details to read. */
  details: readonly string[];
}

/** Maximum number of contacts per page. For deals, no maximum is documented. */
const pageSize = crmOperations.operations['/contacts/get-list'].POST.paging.maximum;

/**
 * Reads all contacts of the account, with details. `jobs.results` returns the contacts, and `jobs.problems` those that could not be
 * read. An export is therefore either complete or lists the missing contacts.
 *
 * @example
 * ```ts
 * import { exportContacts, openJobs } from 'carillon-jobs';
 *
 * const jobs = await openJobs({
 *   definitions: [exportContacts],
 *   client: { baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } },
 * });
 * await jobs.plan(exportContacts, { name: 'contacts-november', options: { details: ['deals'] } });
 * await jobs.work({ until: 'contacts-november' });
 * for await (const { results } of jobs.results('contacts-november')) console.log(results.contact, results.deals);
 * await jobs.close();
 * ```
 */
export const exportContacts = defineJob<ExportedRecord, ExportOptions<ContactDetail>>({
  name: 'export-contacts',
  version: 1,
  source: ({ details = [] }, { api }) =>
    listed('contacts', details, (offset, limit) =>
      // Sort by ID, so that contacts created meanwhile come last.
      api.crm.contacts.list({
        limit,
        offset,
        sortBy: { fieldName: Crm.ContactSortField.Id, direction: Crm.ContactSortDirection.Ascending },
      }),
    ),
  steps: [
    read('contact', ({ id }, { api, signal }) => api.crm.contacts.get({ contactId: id }, { signal })),
    ...eachDetail<ContactDetail>({
      attributes: ({ id }, { api, signal }) => api.crm.contacts.attributes.list({ contactId: id }, { signal }),
      deals: ({ id }, { api, signal }) => api.crm.contacts.listDeals({ contactId: id }, { signal }),
      payments: ({ id }, { api, signal }) => api.crm.payments.listByContact({ contactId: id }, { signal }),
    }),
  ],
});

/** Reads all deals of the account, with details, in the same way as {@link exportContacts}. */
export const exportDeals = defineJob<ExportedRecord, ExportOptions<DealDetail>>({
  name: 'export-deals',
  version: 1,
  source: ({ details = [] }, { api }) =>
    listed('deals', details, (offset, limit) => api.crm.deals.list({ limit, offset })),
  steps: [
    read('deal', ({ id }, { api, signal }) => api.crm.deals.get({ dealId: id }, { signal })),
    ...eachDetail<DealDetail>({
      attributes: ({ id }, { api, signal }) => api.crm.deals.attributes.list({ dealId: id }, { signal }),
      comments: ({ id }, { api, signal }) => api.crm.deals.comments.list({ dealId: id }, { signal }),
      contacts: ({ id }, { api, signal }) => api.crm.deals.contacts.list({ dealId: id }, { signal }),
      payments: ({ id }, { api, signal }) => api.crm.payments.listByDeal({ dealId: id }, { signal }),
    }),
  ],
});

type Read = (record: ExportedRecord, context: StepContext) => PromiseLike<unknown>;
type Step = JobStep<ExportedRecord>;

/** Creates a step that only reads and can therefore be repeated. */
function read(name: string, send: Read, applies?: (record: ExportedRecord) => boolean): Step {
  return {
    name,
    ...(applies && { applies }),
    send: async (record, context) => toStorable(await send(record, context)),
    repeatable: true,
  };
}

function eachDetail<Detail extends string>(reads: Record<Detail, Read>): Step[] {
  return Object.entries<Read>(reads).map(([name, send]) => read(name, send, ({ details }) => details.includes(name)));
}

/**
 * Creates a source from the records in a list. Its checksum is constant, so that an interrupted export continues with the planned
 * records.
 */
function listed(kind: string, details: readonly string[], readPage: ReadPage): Source<ExportedRecord> {
  return {
    checksum: async () => kind,
    async *rows(notes) {
      let line = 0;
      for await (const id of readIds(kind, pageSize, readPage, notes)) {
        line += 1;
        yield { key: String(id), line, values: { id, details } };
      }
    },
  };
}
