/** A user's program in strict mode. The compiler is the test, and a missing expected error is an error. */
import { type Client, type Crm, createClient, isCarillonError, type Page } from 'carillon';
import { createCrmClient, DealStatus, type DealsGetResult } from 'carillon/crm';
import { createEmailClient, type EmailMessage } from 'carillon/email';
import { createMessagingClient } from 'carillon/messaging';
import { createPathsClient, type PathResult } from 'carillon/paths';
import { createResponseValidator } from 'carillon/validate';

const options = { baseUrl: 'https://api.example.com', auth: { apiKey: 'key' } };

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if both types are identical, so `any` does not pass. */
declare function same<A, B>(proof: Equal<A, B>): void;

export async function byMethod(api: Client = createClient(options)): Promise<void> {
  const deal = await api.crm.deals.get({ dealId: 501 });
  same<typeof deal, DealsGetResult>(true);
  same<typeof deal.id, number>(true);
  same<typeof deal.name, string | undefined>(true);
  // @ts-expect-error a misspelt parameter
  await api.crm.deals.get({ dealID: 501 });
  // @ts-expect-error a misspelt field of a record
  deal.nmae;

  const contacts = await api.crm.contacts.list({ firstName: 'Ann', limit: 2 });
  contacts.data satisfies Page<Crm.Contact>['data'];
  for await (const contact of api.crm.contacts.list()) same<typeof contact, Crm.Contact>(true);
}

export async function byPath(): Promise<void> {
  const api = createPathsClient(options);
  const result = await api.email.GET('/smtp/emails/{id}', { params: { path: { id: 'msg-2026-0001' } } });
  same<typeof result, PathResult<EmailMessage, undefined>>(true);
  if (result.error) same<typeof result.data, undefined>(true);
  else same<typeof result.data, EmailMessage>(true);
  // @ts-expect-error no such path
  await api.email.GET('/smtp/email');
}

export async function oneNamespace(): Promise<void> {
  const crm = createCrmClient({ ...options, validate: createResponseValidator() });
  await crm.deals.update({
    dealId: 501,
    pipelineId: 1,
    stepId: 11,
    name: 'Renewal',
    price: 1,
    status: DealStatus.Fail,
  });
  await createEmailClient(options).unsubscribes.list();
  await createMessagingClient(options).push.websites.count();
}

export function errors(error: unknown): number | undefined {
  return isCarillonError(error, 'ApiError') ? error.status : undefined;
}
