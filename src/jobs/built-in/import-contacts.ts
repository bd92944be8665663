import { defineJob, foundBy } from '../define-job.ts';
import { RowRejectedError } from '../jobs-error.ts';
import { findMarked } from '../outcome.ts';
import type { Found, JobStep, Json, StepContext } from '../types.ts';
import { type Detail, hasDetail, isEmail, isMessenger, isPhone, isTag } from './contact-details.ts';
import type { ContactValues } from './contact-row.ts';
import { contactSource, type ImportContactsOptions } from './contact-source.ts';

type Step = JobStep<ContactValues, ImportContactsOptions>;
type Context = StepContext<ImportContactsOptions>;

const contact: Step = {
  name: 'contact',
  async send(values, context) {
    const { api, marker, signal } = context;
    const { firstName, lastName, responsibleId, externalContactId = marker } = values;
    await assertFreeId(values, context);
    const fields = { ...nameOf({ firstName, lastName }), responsibleId, externalContactId };
    return (await api.crm.contacts.create(fields, { signal })).id;
  },
  find: async (values, context) => foundBy(await findContact(values, context)),
};

const emails: Step = {
  name: 'emails',
  applies: (values) => values.emails.length > 0,
  async send(values, context) {
    const list = values.emails.map((email, index) => ({ email, isMain: index === 0 }));
    await context.api.crm.contacts.emails.create(
      { contactId: contactOf(context), emails: list },
      { signal: context.signal },
    );
    return null;
  },
  find: (values, context) => look(context, { list: 'emails', matches: values.emails.map(isEmail), before: 0 }),
};

const attributes: Step = {
  name: 'attributes',
  applies: (values) => values.attributes.length > 0,
  async send(values, context) {
    await context.api.crm.contacts.attributes.setMany(
      { contactId: contactOf(context), attributesValues: values.attributes },
      { signal: context.signal },
    );
    return null;
  },
  // Setting the same values again has no effect.
  repeatable: true,
};

const phone = repeated('phone', (values) => values.phones, {
  async add(phone, contactId, { api, signal }) {
    return (await api.crm.contacts.phones.create({ contactId, phone }, { signal })).id;
  },
  detail: (phone, before) => ({ list: 'phones', matches: [isPhone(phone)], before }),
});

const messenger = repeated('messenger', (values) => values.messengers, {
  async add(messenger, contactId, { api, signal }) {
    return (await api.crm.contacts.messengers.create({ contactId, ...messenger }, { signal })).id;
  },
  detail: (messenger, before) => ({ list: 'messengers', matches: [isMessenger(messenger)], before }),
});

const tag = repeated('tag', (values) => values.tags, {
  async add(tagId, contactId, { api, signal }) {
    await api.crm.tags.assign({ tagId, contactId }, { signal });
    return null;
  },
  detail: (tagId) => ({ list: 'tags', matches: [isTag(tagId)] }),
});

/**
 * Creates a contact for each row in a file, including emails, phones, messengers, tags and attributes.
 *
 * The job stores the marker of each row in the contact's `externalContactId`, unless the row has an external ID of its own. If the
 * response to the request that creates a contact is lost, the job looks up the contact by name and external ID. If the response to a
 * later request is lost, the job checks whether the contact contains the new entry.
 *
 * @example
 * ```ts
 * import { importContacts, openJobs } from 'carillon-jobs';
 *
 * const jobs = await openJobs({
 *   definitions: [importContacts],
 *   client: { baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } },
 * });
 * const options = { file: 'contacts.csv', responsibleId: 77 };
 * await jobs.plan(importContacts, { name: 'autumn-fair', options });
 * await jobs.work({ until: 'autumn-fair' });
 * console.log(await jobs.status('autumn-fair'));
 * await jobs.close();
 * ```
 */
export const importContacts = defineJob<ContactValues, ImportContactsOptions>({
  name: 'import-contacts',
  version: 1,
  source: (options, { api }) => contactSource(options, api),
  steps: [contact, emails, attributes, phone, messenger, tag],
});

/** Creates a step that is repeated for each entry of a list, because every entry needs a separate request. */
function repeated<Item>(
  name: string,
  itemsOf: (values: ContactValues) => readonly Item[],
  {
    add,
    detail,
  }: {
    add(item: Item, contactId: number, context: Context): Promise<Json>;
    /** @param before - number of entries added by earlier steps */
    detail(item: Item, before: number): Detail;
  },
): Step {
  const itemOf = (values: ContactValues, { index }: Context): Item => {
    const item = itemsOf(values)[index];
    if (item === undefined) throw new Error(`${name} ${index + 1} is missing`);
    return item;
  };
  return {
    name,
    each: itemsOf,
    send: (values, context) => add(itemOf(values, context), contactOf(context), context),
    find: (values, context) => look(context, detail(itemOf(values, context), context.index)),
  };
}

/**
 * Rejects a row if another contact has its external ID, because a lookup could mistake the older contact for the contact of the row.
 */
async function assertFreeId(values: ContactValues, { api, signal }: Context): Promise<void> {
  const { firstName, lastName, externalContactId } = values;
  if (externalContactId === undefined) return;
  for await (const older of api.crm.contacts.list(nameOf({ firstName, lastName }), { signal })) {
    if (older.externalContactId !== externalContactId) continue;
    throw new RowRejectedError(`contact ${older.id} already has the externalContactId of this row`);
  }
}

async function findContact(
  { firstName, lastName, externalContactId }: ContactValues,
  { api, marker, signal }: Context,
): Promise<number | undefined> {
  const sameName = api.crm.contacts.list(nameOf({ firstName, lastName }), { signal });
  return findMarked(sameName, externalContactId ?? marker, (found) => found.externalContactId);
}

async function look(context: Context, detail: Detail): Promise<Found> {
  return { outcome: (await hasDetail(context.api, contactOf(context), detail, context.signal)) ? 'done' : 'not done' };
}

function contactOf({ results }: Context): number {
  if (typeof results.contact !== 'number') throw new RowRejectedError('the contact for this row is not known');
  return results.contact;
}

function nameOf({ firstName, lastName }: { firstName: string | undefined; lastName: string | undefined }) {
  return { ...(firstName !== undefined && { firstName }), ...(lastName !== undefined && { lastName }) };
}
