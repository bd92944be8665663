/**
 * Calls by method that must not compile, each beside one that does, and the types of their results. Checked by `tsc`, never run.
 * `test/client/contract/method-program.ts` misspells every documented name of every operation.
 */
import { expectTypeOf } from 'vitest';
import { type Client, Crm, type Email, type List, Messaging, type Page } from '../../../src/client/index.ts';

export function names(api: Client): void {
  api.crm.deals.get({ dealId: 501 });
  // @ts-expect-error a method that does not exist
  api.crm.deals.fetch({ dealId: 501 });
  // @ts-expect-error a group that does not exist
  api.crm.deal.get({ dealId: 501 });
  // @ts-expect-error a method of another spec
  api.email.deals.get({ dealId: 501 });
  // @ts-expect-error a group is no method
  api.crm.deals({ dealId: 501 });
}

export function parameters(api: Client): void {
  api.crm.deals.update({ dealId: 501, pipelineId: 1, stepId: 12, status: 1, name: 'Renewal', price: 100 });
  api.crm.pipelines.create();
  api.crm.pipelines.create({ name: 'Renewals' });
  // @ts-expect-error required parameters missing
  api.crm.deals.get();
  // @ts-expect-error a path parameter missing
  api.crm.deals.update({ pipelineId: 1, stepId: 12, status: 1, name: 'Renewal', price: 100 });
  // @ts-expect-error a body field missing
  api.crm.deals.update({ dealId: 501, pipelineId: 1, stepId: 12, status: 1, price: 100 });
  // @ts-expect-error a misspelt optional field
  api.crm.deals.create({ pipelineId: 1, stepId: 11, pirce: 100 });
  // @ts-expect-error a misspelt field, although all are optional
  api.crm.pipelines.create({ nmae: 'Renewals' });
  // @ts-expect-error a misspelt query parameter
  api.messaging.push.campaigns.list({ website: 42 });
  // @ts-expect-error a misspelt field inside a list
  api.crm.deals.create({ pipelineId: 1, stepId: 11, attributes: [{ attributeID: 210 }] });
  // @ts-expect-error a text for a number
  api.crm.deals.create({ pipelineId: 1, stepId: 11, price: '100' });
  // @ts-expect-error null for a field that is not nullable
  api.crm.deals.create({ pipelineId: 1, stepId: 11, name: null });
  // @ts-expect-error the groups of a call by path
  api.crm.deals.get({ path: { dealId: 501 } });
  // @ts-expect-error the key that the wire wraps the body in
  api.email.messages.send({ email: { subject: 'Hello', from: {}, to: [] } });
  // @ts-expect-error parameters, although the operation has none
  api.crm.users.list({ limit: 10 });
}

export function atLeastOneField(api: Client): void {
  api.crm.contacts.emails.create({ contactId: 3001, emails: [{ email: 'ann.kowal@example.com' }] });
  // @ts-expect-error an entry without any field
  api.crm.contacts.emails.create({ contactId: 3001, emails: [{}] });
  // @ts-expect-error a misspelt field beside one of them
  api.crm.contacts.emails.create({ contactId: 3001, emails: [{ email: 'ann.kowal@example.com', isMian: true }] });
  // @ts-expect-error the same in a call by path
  api.crm.POST('/contacts/{contactId}/emails', { params: { path: { contactId: 3001 } }, body: { emails: [{}] } });
  api.crm.deals.changePipeline({ dealId: 501, pipelineId: 2, stepId: 21 });
  api.crm.deals.changePipeline({ dealId: 501, pipelineId: 2 });
  // @ts-expect-error a body without any field
  api.crm.deals.changePipeline({ dealId: 501 });
  // @ts-expect-error a misspelt field
  api.crm.deals.changePipeline({ dealId: 501, pipelineId: 2, stepID: 21 });
  // @ts-expect-error the same in a call by path
  api.crm.POST('/deals/{dealId}/change-pipeline', { params: { path: { dealId: 501 } } });
  // @ts-expect-error the same in a call by path
  api.crm.POST('/deals/{dealId}/change-pipeline', { params: { path: { dealId: 501 } }, body: {} });
  api.crm.pipelines.update({ pipelineId: 1, name: 'Renewals' });
  // @ts-expect-error no field to change
  api.crm.pipelines.update({ pipelineId: 1 });
}

export function readonlyLists(api: Client): void {
  const ids = [3001, 3002] as const;
  const attributes: readonly Crm.AttributeValueInput[] = [{ attributeId: 210, value: 'C-1' }];
  api.crm.deals.create({ pipelineId: 1, stepId: 11, contact: ids, attributes });
  api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11, contact: ids, attributes } });
  api.crm.contacts.list({ ids });
  const options: readonly string[] = ['S', 'L'];
  api.crm.contactAttributes.create({ name: 'Size', type: 4, options });
  expectTypeOf<Crm.ContactAttribute['options']>().toEqualTypeOf<(string | number)[] | undefined>();
}

export function encodedFields(api: Client): void {
  const email = { subject: 'Hello', from: { email: 'sales@example.com' }, to: [{ email: 'ann.kowal@example.com' }] };
  const body = { ...email, html: '<p>Hello</p>', text: 'Hello' };
  api.email.messages.send({ ...body, attachments_binary: { 'a.txt': new File([], 'a.txt'), 'a.pdf': new Blob() } });
  api.email.messages.send({ ...body, attachments_binary: { 'a.bin': new Uint8Array([37]) } });
  // @ts-expect-error a text, which could be Base64 already
  api.email.messages.send({ ...body, attachments_binary: { 'a.txt': 'text' } });
  // @ts-expect-error one content for a map of them
  api.email.messages.send({ ...body, attachments_binary: 'text' });
  api.email.messages.send({ ...body, attachments_binary: { 'a.pdf': new ArrayBuffer(1) } });
  // @ts-expect-error a response, whose bytes have to be read
  api.email.messages.send({ ...body, attachments_binary: { 'a.pdf': new Response() } });

  const push = { title: 'Sale', website_id: 42, body: 'Today', ttl: 3600 };
  api.messaging.push.campaigns.create({ ...push, buttons: [{ text: 'See', link: 'https://shop.example.com' }] });
  api.messaging.push.campaigns.create({
    ...push,
    filter_url: { type: 'direct', search: ['https://shop.example.com'] },
  });
  // @ts-expect-error the encoded form on the wire
  api.messaging.push.campaigns.create({ ...push, buttons: '[]' });
  // @ts-expect-error a misspelt field of an encoded value
  api.messaging.push.campaigns.create({ ...push, buttons: [{ label: 'See' }] });
}

export function openFilter(api: Client): void {
  api.crm.deals.list({ limit: 10, offset: 20 });
  // @ts-expect-error a misspelt page size
  api.crm.deals.list({ limt: 10 });
  // @ts-expect-error the page size is a number
  api.crm.deals.list({ limit: '10' });
  // @ts-expect-error the same in a call by path
  api.crm.POST('/deals/get-list', { body: { limt: 10 } });
  // This filter's fields are undocumented. A user declares those that work (`DealFilterFields`).
  const undocumented = { pipelineId: 1, limit: 10 };
  api.crm.deals.list(undocumented);
}

export function constants(api: Client): void {
  const deal = { dealId: 501, pipelineId: 1, stepId: 12, name: 'Renewal', price: 100 };
  api.crm.deals.update({ ...deal, status: Crm.DealStatus.Fail });
  api.crm.deals.update({ ...deal, status: 2 });
  // @ts-expect-error a value that the enum does not have
  api.crm.deals.update({ ...deal, status: 4 });
  // @ts-expect-error a constant of another enum
  api.crm.deals.update({ ...deal, status: Crm.AttributeType.MultiSelect });
  // @ts-expect-error a misspelt constant
  Crm.DealStatus.Failed;
  // @ts-expect-error a constant cannot be changed
  Crm.DealStatus.Fail = 3;
  expectTypeOf(Messaging.CampaignsCreateMaxItems.recipients).toExtend<number>();
  // A list that is sent as JSON text.
  expectTypeOf(Messaging.PushCampaignsCreateMaxItems.buttons).toExtend<number>();
  expectTypeOf<'3084'>().toExtend<Messaging.CampaignsCreateErrorCode>();
  // @ts-expect-error a code that is not documented
  Messaging.CampaignsCreateErrors['9999'];
}

export function options(api: Client, signal: AbortSignal): void {
  api.crm.users.list({ signal, timeout: 1_000, maxRetries: 0, headers: { 'x-trace': '1' } });
  api.crm.deals.get({ dealId: 501 }, { signal });
  api.crm.pipelines.create(undefined, { signal });
  // @ts-expect-error a misspelt option
  api.crm.deals.get({ dealId: 501 }, { singal: signal });
  // @ts-expect-error an option among the parameters
  api.crm.deals.get({ dealId: 501, timeout: 1_000 });
}

export async function results(api: Client): Promise<void> {
  const deal = await api.crm.deals.get({ dealId: 501 });
  expectTypeOf(deal).toEqualTypeOf<Crm.DealsGetResult>();
  expectTypeOf(deal.id).toEqualTypeOf<number>();
  // Every field of an open record except its ID may be absent.
  expectTypeOf(deal.name).toEqualTypeOf<string | undefined>();
  // @ts-expect-error a misspelt field of an open record
  deal.nmae;
  // @ts-expect-error the envelope is removed
  deal.data;
  const [payment] = await api.crm.payments.listByDeal({ dealId: 501 });
  // @ts-expect-error a field of a record without documented fields
  payment?.amount;
  expectTypeOf(await api.crm.deals.delete({ dealId: 501 })).toEqualTypeOf<void>();
  expectTypeOf(await api.email.ips.list()).toEqualTypeOf<string[]>();
  expectTypeOf(await api.email.messages.count()).toEqualTypeOf<Email.MessagesCountResult>();
}

export async function withResponse(api: Client): Promise<void> {
  const { data, meta, response } = await api.email.domains.list().withResponse();
  expectTypeOf(data).toEqualTypeOf<Email.SendingDomain[]>();
  expectTypeOf(meta).toEqualTypeOf<Email.DomainsListMeta>();
  expectTypeOf(response).toEqualTypeOf<Response>();
  // @ts-expect-error a misspelt field of meta
  meta.reslut;
  const plain = await api.crm.deals.get({ dealId: 501 }).withResponse();
  expectTypeOf(plain.meta).toEqualTypeOf<undefined>();
  // @ts-expect-error a failure throws
  plain.error;
}

export async function lists(api: Client): Promise<void> {
  const list = api.crm.contacts.list({ firstName: 'Ann' });
  expectTypeOf(list).toEqualTypeOf<List<Crm.Contact, Crm.ContactsListMeta>>();
  const page = await list;
  expectTypeOf(page).toEqualTypeOf<Page<Crm.Contact, Crm.ContactsListMeta>>();
  expectTypeOf(page.meta.total).toEqualTypeOf<number>();
  expectTypeOf(page.total).toEqualTypeOf<number | undefined>();
  for await (const contact of list) expectTypeOf(contact).toEqualTypeOf<Crm.Contact>();
  expectTypeOf(await list.toArray({ max: 10 })).toEqualTypeOf<Crm.Contact[]>();
  // @ts-expect-error a limit is a page size, so max is required
  list.toArray();
  // @ts-expect-error a page is not a list of items
  page.length;
}
