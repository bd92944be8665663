import type { CampaignCreate, CampaignCreated } from '../../../../generated/messaging/models.ts';
import {
  zCampaignCreate,
  zCampaignCreated,
  zCampaignListItem,
  zCampaignStatistics,
} from '../../../../generated/messaging/zod.ts';
import { formatDate, formatDateTime, parseDateTime } from '../../data/dates.ts';
import { newId } from '../../data/settings.ts';
import { dateChoices } from '../../rules/choices.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { shownUnhandled, unhandledFields } from '../../rules/unhandled-fields.ts';
import { isGiven, readPhones } from '../request-fields.ts';
import { type Campaign, testTaskId } from './campaigns.ts';
import { readContent, rejectOtherText } from './content.ts';
import { emptyAsMissing, rejectByCode } from './error-codes.ts';

/** Creates a campaign. Checks the fields of the request before the account data. */
export const createCampaign: Handlers['messaging']['createCampaign'] = {
  always: dateChoices,
  beforeShape: emptyAsMissing,
  beforeLimits: rejectByCode,
  handle({ body }, context) {
    const { messaging } = context.state;
    const { task_name, message_type, sender_id, message_live_time, send_date, stretch_time, ...others } = body;
    const { address_book: _, message: __, ...untreated } = others;
    const recipients = readRecipients(body, context);
    const content = readContent(body, context);
    const sendAt = readSendDate(send_date, context);
    rejectSender(body, context);
    rejectOtherText(body, content, context);
    const audience = findAudience(body, recipients, context);
    const campaign: Campaign = {
      ...content,
      ...audience,
      ...unhandledFields(untreated, zCampaignCreate, zCampaignCreated, zCampaignListItem, zCampaignStatistics),
      id: testTaskId,
      name: task_name || generatedName(context),
      type: message_type,
      senderId: sender_id,
      liveTime: message_live_time,
      stretchTime: stretch_time ?? 0,
      createdAt: context.now,
      sendAt,
      blocked: audience.phones.filter((phone) => messaging.blacklist.has(phone)),
    };
    if (body.emulate) context.chose('messaging-test-task-id');
    else {
      campaign.id = newId(messaging);
      messaging.campaigns.put(campaign);
    }
    if (campaign.blocked.length > 0) context.chose('messaging-blacklisted-recipient');
    return { result: true, data: created(campaign) };
  },
};

/** Returns the phone numbers in a request. Rejects a request that also contains a mailing list. */
function readRecipients({ address_book, recipients }: CampaignCreate, context: Context): number[] {
  if (isGiven(address_book) && isGiven(recipients?.length))
    context.reject('messaging-audience', {
      message: 'Specify either a mailing list in address_book or phone numbers in recipients, but not both.',
      choice: 'messaging-rejection-without-code',
    });
  return [...readPhones(recipients ?? [], context)];
}

function rejectSender({ sender_id }: CampaignCreate, context: Context): void {
  const sender = context.state.messaging.senders.get(sender_id);
  if (sender?.status === 'active') return;
  context.reject('messaging-sender-active', {
    message: 'sender_id must be the ID of an active, registered sender name.',
    choice: sender ? 'messaging-sender-status' : 'messaging-rejection-without-code',
  });
}

function readSendDate(text: string, context: Context): number {
  // The schema permits a date, or one word that means now.
  if (!/\d/.test(text)) return context.now;
  const sendAt = parseDateTime(text);
  if (sendAt === undefined)
    return context.reject('messaging-send-date', {
      message: 'send_date must be a valid date and time.',
      choice: 'messaging-impossible-date',
    });
  if (sendAt >= context.now) return sendAt;
  context.chose('messaging-past-date');
  return context.now;
}

function findAudience(
  { address_book }: CampaignCreate,
  recipients: number[],
  context: Context,
): Pick<Campaign, 'addressBook' | 'phones'> {
  if (!address_book) return { addressBook: null, phones: recipients };
  const { phones } = context.find(context.state.messaging.mailingLists, address_book, 'mailing list');
  return { addressBook: address_book, phones };
}

function generatedName(context: Context): string {
  context.chose('messaging-generated-name');
  return `Campaign of ${formatDate(context.now)}`;
}

function created(campaign: Campaign): CampaignCreated {
  return {
    ...shownUnhandled(campaign, zCampaignCreated),
    address_book_id: campaign.addressBook,
    button_link: campaign.button?.link ?? null,
    button_text: campaign.button?.text ?? null,
    image_link: campaign.imageLink,
    message: campaign.message,
    message_live_time: String(campaign.liveTime),
    message_type: campaign.type,
    resend_sms: campaign.resend ? 1 : 0,
    send_date: formatDateTime(campaign.sendAt),
    sender_id: campaign.senderId,
    sms_sender_name: campaign.resend?.senderName ?? null,
    sms_text: campaign.resend?.text ?? null,
    task_id: campaign.id,
    task_name: campaign.name,
  };
}
