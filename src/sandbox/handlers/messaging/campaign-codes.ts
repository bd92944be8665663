import { messagingFacts } from '../../../../generated/messaging/details.ts';
import type { CampaignsCreateErrorCode } from '../../../../generated/messaging/methods.ts';
import { type CampaignCreate, type CampaignError, MessageType } from '../../../../generated/messaging/models.ts';
import type { AnyChoice } from '../../choices/choices.ts';
import type { Context } from '../../handler.ts';
import type { MessagingHandlers } from '../../handler-types.ts';
import type { AnyRule } from '../../rules.ts';
import { textEntries } from '../texts.ts';
import { systemTextEnds } from './facts.ts';
import { containsLink, isTooLong, variablesOf } from './templates.ts';

type Variables = ReadonlyMap<string, string>;

/** Refuses a campaign by the rules that Document 2 §7 gives a code, in one fixed order. */
export function refuseByCode({ body }: Parameters<MessagingHandlers['createCampaign']>[0], context: Context): void {
  const variables = new Map(textEntries(body.variables, ['body', 'variables']));
  refuseWithoutAudience(body, context);
  const hasTemplate = isGiven(body.template_id);
  if (body.message_type === MessageType.System) refuseSeveralRecipients(body, context);
  if (hasTemplate && body.message) refuse(context, '3093', 'messaging-template-excludes-message');
  if (body.message_type === MessageType.System) {
    if (hasTemplate) refuseTemplate(body, variables, context);
    else refuseMissingTemplate(body, variables, context);
  }
  for (const value of variables.values()) {
    if (isTooLong(value)) refuse(context, '3088', 'messaging-variable-value');
    if (containsLink(value)) refuse(context, '3088', 'messaging-variable-value', 'messaging-link-in-variable');
  }
}

/** The schema demands an audience by `not`, which the validators leave out: it belongs to the shape, so it comes first. */
function refuseWithoutAudience({ address_book, recipients }: CampaignCreate, context: Context): void {
  if (isGiven(address_book) || isGiven(recipients?.length)) return;
  context.refuse('messaging-audience', {
    message: 'Give a mailing list in address_book or phone numbers in recipients.',
    choice: 'messaging-refusal-without-code',
  });
}

function refuseSeveralRecipients({ address_book, recipients }: CampaignCreate, context: Context): void {
  const phones = recipients ?? [];
  if (phones.length > 1) {
    const isOneNumber = new Set(phones.map(Number)).size === 1;
    const choice = isOneNumber ? 'messaging-repeated-phone' : 'messaging-code-answer';
    refuse(context, '3086', 'messaging-system-single-recipient', choice);
  }
  if (isGiven(address_book))
    refuse(context, '3086', 'messaging-system-single-recipient', 'messaging-system-mailing-list');
}

function refuseMissingTemplate({ message }: CampaignCreate, variables: Variables, context: Context): void {
  if (!message) refuse(context, '3091', 'messaging-template-required');
  if (context.now >= systemTextEnds)
    refuse(context, '3091', 'messaging-system-text-ended', 'messaging-system-text-code');
  if (variables.size > 0) context.chose('messaging-variables-unknown');
}

function refuseTemplate({ template_id = 0, sender_id }: CampaignCreate, variables: Variables, context: Context): void {
  const template = context.state.messaging.templates.get(template_id);
  if (!template) refuse(context, '3091', 'messaging-template-required');
  if (!template.approved) refuse(context, '3084', 'messaging-template-approved');
  if (template.senderId !== sender_id) refuse(context, '3087', 'messaging-template-same-sender');
  const names = variablesOf(template);
  if (names.some((name) => !variables.get(name))) refuse(context, '3085', 'messaging-template-variables');
  if (variables.size > new Set(names).size) context.chose('messaging-variables-unknown');
}

/** Null and 0 stand for "not given". */
export function isGiven(number: number | null | undefined): boolean {
  return number !== undefined && number !== null && number !== 0;
}

function refuse(
  context: Context,
  code: CampaignsCreateErrorCode,
  rule: AnyRule,
  choice: AnyChoice = 'messaging-code-answer',
): never {
  const body: CampaignError = { message: code, error_code: messagingFacts.campaignErrorCode };
  context.refuse(rule, { message: code, body, choice });
}
