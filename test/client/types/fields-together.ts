/**
 * Fields that are valid only in certain combinations. Combinations that must not compile are beside ones that do.
 * Checked by `tsc`, never run.
 */
import { expectTypeOf } from 'vitest';
import { type Client, Crm, type Email, type Messaging } from '../../../src/client/index.ts';

export function emailContent(api: Client): void {
  const head = { subject: 'Hello', from: { email: 'sales@example.com' }, to: [{ email: 'ann.kowal@example.com' }] };
  const html = '<p>Hello</p>';
  const text = 'Hello';
  const template = { id: 700 };
  const { send } = api.email.messages;
  send({ ...head, html, text });
  send({ ...head, html, text, auto_plain_text: false });
  send({ ...head, html, auto_plain_text: true });
  send({ ...head, template });
  // @ts-expect-error no content
  send(head);
  // @ts-expect-error HTML without a text part
  send({ ...head, html });
  // @ts-expect-error HTML without a text part
  send({ ...head, html, auto_plain_text: false });
  // @ts-expect-error text without HTML
  send({ ...head, text });
  // @ts-expect-error two contents
  send({ ...head, html, text, template });
  // @ts-expect-error two contents
  send({ ...head, text, template });
  // @ts-expect-error a misspelt field
  send({ ...head, html, text, auto_plain_txt: true });
  // @ts-expect-error a misspelt field
  send({ ...head, template, atachments: {} });

  api.email.POST('/smtp/emails', { body: { email: { ...head, html: 'PHA+', text } } });
  api.email.POST('/smtp/emails', { body: { email: { ...head, template } } });
  // @ts-expect-error no content
  api.email.POST('/smtp/emails', { body: { email: head } });
  // @ts-expect-error two contents
  api.email.POST('/smtp/emails', { body: { email: { ...head, html: 'PHA+', text, template } } });
  // @ts-expect-error a misspelt field
  api.email.POST('/smtp/emails', { body: { email: { ...head, template, subjet: 'Hello' } } });
}

export function campaignAudience(api: Client): void {
  const campaign = {
    message_type: 2,
    sender_id: 5,
    message_live_time: 3_600,
    send_date: 'now',
    message: 'Hi',
  } as const;
  const recipients = [15550100123];
  const { create } = api.messaging.campaigns;
  create({ ...campaign, recipients });
  create({ ...campaign, address_book: 4400 });
  // Unset values of the other field are accepted.
  create({ ...campaign, recipients, address_book: null });
  create({ ...campaign, recipients, address_book: 0 });
  create({ ...campaign, recipients: [], address_book: 4400 });
  // @ts-expect-error no audience
  create(campaign);
  // @ts-expect-error no audience
  create({ ...campaign, recipients: null });
  // @ts-expect-error no audience
  create({ ...campaign, address_book: null });
  // @ts-expect-error two audiences
  create({ ...campaign, recipients, address_book: 4400 });
  // @ts-expect-error a misspelt field
  create({ ...campaign, recipients, streth_time: 1 });

  api.messaging.POST('/msgr', { body: { ...campaign, recipients } });
  // @ts-expect-error no audience
  api.messaging.POST('/msgr', { body: campaign });
  // @ts-expect-error two audiences
  api.messaging.POST('/msgr', { body: { ...campaign, recipients, address_book: 4400 } });
}

export function failReason(api: Client): void {
  const deal = { dealId: 501, pipelineId: 1, stepId: 12, name: 'Renewal', price: 100 };
  const { update } = api.crm.deals;
  update({ ...deal, status: 2 });
  update({ ...deal, status: Crm.DealStatus.Fail, failReasonId: 32, failReasonComment: 'Too expensive' });
  update({ ...deal, status: 1 });
  // @ts-expect-error a reason for a deal that did not fail
  update({ ...deal, status: 1, failReasonId: 32 });
  // @ts-expect-error a comment on a deal that did not fail
  update({ ...deal, status: Crm.DealStatus.Success, failReasonComment: 'Signed' });
  // @ts-expect-error a misspelt field
  update({ ...deal, status: 2, failReasonID: 32 });
  // @ts-expect-error a deal is not created as failed
  api.crm.deals.create({ pipelineId: 1, stepId: 12, failReasonId: 32 });

  const { dealId, ...body } = deal;
  const path = { params: { path: { dealId } } };
  api.crm.PUT('/deals/{dealId}', { ...path, body: { ...body, status: 2, failReasonId: 32 } });
  // @ts-expect-error a reason for a deal that did not fail
  api.crm.PUT('/deals/{dealId}', { ...path, body: { ...body, status: 3, failReasonId: 32 } });
}

/** Bodies that a program builds from variables. */
export function builtStepByStep(api: Client, status: Crm.DealStatus, reason: number | undefined, list?: number): void {
  const deal = { dealId: 501, pipelineId: 1, stepId: 12, name: 'Renewal', price: 100 };
  api.crm.deals.update({ ...deal, status });
  let outcome: Crm.DealUpdateOutcome = { status: 1 };
  if (reason !== undefined) outcome = { status: 2, failReasonId: reason };
  api.crm.deals.update({ ...deal, ...outcome });
  // @ts-expect-error the status may be another than 2
  api.crm.deals.update({ ...deal, status, failReasonId: 32 });
  if (status === 2) api.crm.deals.update({ ...deal, status, failReasonId: 32 });

  const audience: Messaging.CampaignCreateAudience = list ? { address_book: list } : { recipients: [15550100123] };
  const common: Messaging.CampaignCreateCommon = {
    message_type: 2,
    sender_id: 5,
    message_live_time: 3_600,
    send_date: 'now',
    message: 'Hi',
  };
  common.task_name = 'Renewal';
  api.messaging.campaigns.create({ ...common, ...audience });

  const content: Email.MessagesSendContent = list ? { template: { id: list } } : { html: '<p>Hi</p>', text: 'Hi' };
  const params: Email.MessagesSendParams = { subject: 'Hi', from: { email: 'sales@example.com' }, to: [], ...content };
  params.cc = [{ email: 'ben.ito@example.com' }];
  api.email.messages.send(params);
  expectTypeOf(params.template).toEqualTypeOf<Email.TemplateReference | undefined>();
}
