/** Result types of a call by path: one function per row of the table of envelopes. Only type-checked, never run. */
import { expectTypeOf } from 'vitest';
import type { components as CrmComponents } from '../../../generated/crm/types.ts';
import type { components as EmailComponents } from '../../../generated/email/types.ts';
import type { components as MessagingComponents } from '../../../generated/messaging/types.ts';
import type { Payment } from '../../../src/client/crm.ts';
import type { EmailMessage } from '../../../src/client/email.ts';
import type { ApiError, Client, PathResult } from '../../../src/client/index.ts';

type Crm = CrmComponents['schemas'];
type Messaging = MessagingComponents['schemas'];
type Email = EmailComponents['schemas'];

/** Payload and metadata of a success. */
type Success<Call extends Promise<PathResult<unknown, unknown>>> =
  Extract<Awaited<Call>, { error?: undefined }> extends { data: infer Data; meta: infer Meta } ? [Data, Meta] : never;

function success<Call extends Promise<PathResult<unknown, unknown>>>(_: Call): Success<Call> {
  throw new Error('Types only');
}

/** `{data: X}` */
export function payloadUnderData(api: Client): void {
  const deal = api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  expectTypeOf(success(deal)).toEqualTypeOf<[Crm['DealDetailed'], undefined]>();
  const created = api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11 } });
  expectTypeOf(success(created)).toEqualTypeOf<[Crm['Deal'], undefined]>();
}

/** `{data: X}` that stands for a list */
export function inferredList(api: Client): void {
  expectTypeOf(success(api.crm.GET('/users'))).toEqualTypeOf<[Crm['User'][], undefined]>();
}

/** `{data: X[], meta: {…}}` and `{data: X[], total}` */
export function listWithTotal(api: Client): void {
  const [deals, meta] = success(api.crm.POST('/deals/get-list'));
  expectTypeOf(deals).toEqualTypeOf<Crm['Deal'][]>();
  expectTypeOf(meta.total).toEqualTypeOf<number>();
  expectTypeOf<keyof typeof meta>().toEqualTypeOf<'total' | 'searchRequest'>();
  const payments = api.crm.GET('/payments/all');
  expectTypeOf(success(payments)).toEqualTypeOf<[Payment[], { total: number }]>();
}

/** `{data: {list: X[], total, …}}` */
export function listInsideData(api: Client): void {
  const [contacts, meta] = success(api.crm.POST('/contacts/get-list'));
  expectTypeOf(contacts).toEqualTypeOf<Crm['Contact'][]>();
  expectTypeOf(meta.total).toEqualTypeOf<number>();
  expectTypeOf<keyof typeof meta>().toEqualTypeOf<'total' | 'searchRequest'>();
}

/** `{data: {result, data: X[]}}` and `{result, data: X}` */
export function resultBesidePayload(api: Client): void {
  const domains = api.email.GET('/v2/email-service/smtp/sender_domains');
  expectTypeOf(success(domains)).toEqualTypeOf<[Email['SendingDomain'][], { result: boolean }]>();
  const [campaign, meta] = success(
    api.messaging.POST('/msgr', {
      body: {
        message_type: 2,
        sender_id: 5,
        message_live_time: 3600,
        send_date: 'now',
        address_book: 4400,
        message: 'Hello',
      },
    }),
  );
  expectTypeOf(campaign).toEqualTypeOf<Messaging['CampaignCreated']>();
  expectTypeOf(meta).toEqualTypeOf<{ result: boolean }>();
}

/** `{data: {result, error}}` */
export function resultUnderData(api: Client): void {
  const path = { domain: 'example.com' };
  const [added, meta] = success(api.email.POST('/v2/email-service/smtp/sender_domains/{domain}', { params: { path } }));
  expectTypeOf<keyof typeof added>().toEqualTypeOf<'result' | 'error'>();
  expectTypeOf(meta).toEqualTypeOf<undefined>();
}

/** A bare array or object, unchanged */
export function bare(api: Client): void {
  expectTypeOf(success(api.email.GET('/smtp/ips'))).toEqualTypeOf<[string[], undefined]>();
  expectTypeOf(success(api.email.GET('/smtp/emails/total'))).toEqualTypeOf<[{ total: number }, undefined]>();
  const path = { id: 'msg-2026-0001' };
  const message = api.email.GET('/smtp/emails/{id}', { params: { path } });
  expectTypeOf(success(message)).toEqualTypeOf<[EmailMessage, undefined]>();
}

/** 204, or no documented body */
export function nothing(api: Client): void {
  const deleted = api.crm.DELETE('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  expectTypeOf(success(deleted)).toEqualTypeOf<[undefined, undefined]>();
}

export async function fields(api: Client): Promise<void> {
  const { data, error } = await api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  if (error) return;
  expectTypeOf(data.id).toEqualTypeOf<number>();
  // Every field of an open record except its ID may be absent.
  expectTypeOf(data.name).toEqualTypeOf<string | undefined>();
  // @ts-expect-error a misspelt field of an open record
  data.nmae;
  // @ts-expect-error the envelope is removed
  data.data;
  const { data: count } = await api.email.GET('/smtp/emails/total');
  // @ts-expect-error a misspelt field of a closed record
  count?.totla;
}

export async function narrowing(api: Client): Promise<void> {
  const result = await api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  expectTypeOf(result.response).toEqualTypeOf<Response>();
  expectTypeOf(result.error).toEqualTypeOf<ApiError | undefined>();
  expectTypeOf(result.data).toEqualTypeOf<Crm['DealDetailed'] | undefined>();
  // @ts-expect-error the payload may be absent until the error is checked
  result.data.id;
  if (result.error) {
    expectTypeOf(result.data).toEqualTypeOf<undefined>();
    expectTypeOf(result.error.status).toEqualTypeOf<number>();
    // @ts-expect-error a misspelt field of an error
    result.error.statusCode;
  } else {
    expectTypeOf(result.data).toEqualTypeOf<Crm['DealDetailed']>();
  }
  // Destructured variables still narrow each other.
  const { data, error } = result;
  if (error === undefined) expectTypeOf(data).toEqualTypeOf<Crm['DealDetailed']>();
  else expectTypeOf(data).toEqualTypeOf<undefined>();
}
