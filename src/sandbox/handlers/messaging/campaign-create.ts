import type { MessagingHandlers } from '../../../../generated/messaging/handlers.ts';
import type { CampaignCreate, CampaignCreated } from '../../../../generated/messaging/models.ts';
import { formatDate, formatDateTime, parseDateTime } from '../../dates.ts';
import type { Context } from '../../handler.ts';
import type { Campaign } from '../../state/messaging.ts';
import { isGiven } from './campaign-codes.ts';
import { readContent } from './campaign-content.ts';
import { readPhones } from './phones.ts';

/** ID that answers an emulated campaign. */
const testTaskId = 999_999_999;

/** Creates a campaign; the rules with a code have been checked. */
export const createCampaign: MessagingHandlers['createCampaign'] = ({ body }, context) => {
  const { messaging } = context.state;
  refuseSender(body, context);
  const content = readContent(body, context);
  const sendAt = readSendDate(body.send_date, context);
  const audience = readAudience(body, context);
  const campaign: Campaign = {
    ...content,
    ...audience,
    id: testTaskId,
    name: body.task_name || generatedName(context),
    type: body.message_type,
    senderId: body.sender_id,
    liveTime: body.message_live_time,
    stretchTime: body.stretch_time ?? 0,
    createdAt: context.now,
    sendAt,
    blocked: new Set(audience.phones.filter((phone) => messaging.blacklist.has(phone))),
  };
  if (body.emulate) context.chose('messaging-test-task-id');
  else {
    campaign.id = messaging.nextId++;
    messaging.campaigns.set(campaign.id, campaign);
  }
  if (campaign.blocked.size > 0) context.chose('messaging-blacklisted-recipient');
  return { result: true, data: created(campaign) };
};

function refuseSender({ sender_id }: CampaignCreate, context: Context): void {
  const sender = context.state.messaging.senders.get(sender_id);
  if (sender?.status === 'active') return;
  context.refuse('messaging-sender-active', {
    message: 'sender_id is the ID of a registered sender name that is active.',
    choice: sender ? 'messaging-sender-status' : 'messaging-refusal-without-code',
  });
}

function readSendDate(text: string, context: Context): number {
  context.chose('messaging-dates-format');
  context.chose('utc-dates');
  if (text === 'now') return context.now;
  const sendAt = parseDateTime(text);
  if (sendAt === undefined)
    return context.refuse('messaging-send-date', {
      message: 'send_date is a day and time of the calendar.',
      choice: 'messaging-impossible-date',
    });
  if (sendAt >= context.now) return sendAt;
  context.chose('messaging-past-date');
  return context.now;
}

function readAudience(body: CampaignCreate, context: Context): Pick<Campaign, 'addressBook' | 'phones'> {
  const recipients = body.recipients ?? [];
  if (!isGiven(body.address_book)) return { addressBook: null, phones: [...readPhones(recipients, context)] };
  if (recipients.length > 0)
    context.refuse('messaging-audience', {
      message: 'Give either a mailing list in address_book or phone numbers in recipients.',
      choice: 'messaging-refusal-without-code',
    });
  const addressBook = body.address_book ?? 0;
  const phones = context.state.messaging.mailingLists.get(addressBook) ?? context.notFound('mailing list');
  return { addressBook, phones: [...phones] };
}

function generatedName(context: Context): string {
  context.chose('messaging-generated-name');
  return `Campaign of ${formatDate(context.now)}`;
}

function created(campaign: Campaign): CampaignCreated {
  return {
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
