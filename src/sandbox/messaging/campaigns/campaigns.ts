import * as z from 'zod';
import { MessageType, ResendSmsStatus } from '../../../../generated/messaging/models.ts';
import { messagingTitles } from '../../../../generated/messaging/reference.ts';
import { zMessageType } from '../../../../generated/messaging/zod.ts';
import { hour, second } from '../../data/dates.ts';
import type { Resource } from '../../data/resource.ts';
import { newId } from '../../data/settings.ts';
import { type Table, tableById } from '../../data/table.ts';
import { type UnhandledFields, zUnhandledFields } from '../../rules/unhandled-fields.ts';
import { type MessagingCommonTables, startOfStory } from '../common.ts';
import { shopSender as shop } from '../senders.ts';

/** How long the creation of a resend through SMS takes, in milliseconds. */
export const resendCreationTime = 60 * second;

/** Steps of a delivery, with the time from sending to each step. The statuses are those of Document 2 §3. */
export const deliverySteps = [
  { status: 'delivered', after: 10 * second },
  { status: 'delivered and opened', after: 30 * second },
  { status: 'delivered and read', after: 60 * second },
  { status: 'read and a clickthrough followed', after: 120 * second },
] as const;

/** Campaign ID in the response to an emulated campaign. */
export const testTaskId = 999_999_999;

export interface CampaignsTables {
  templates: Table<number, Template>;
  mailingLists: Table<number, MailingList>;
  campaigns: Table<number, Campaign>;
}

/** A message template of a sender name. No operation reads or writes templates. */
export interface Template {
  id: number;
  senderId: number;
  approved: boolean;
  /** Text of the message. Variables are marked as `{{name}}`. */
  text: string;
}

/** A mailing list. No operation reads or writes mailing lists. */
export interface MailingList {
  id: number;
  /** Phone numbers. */
  phones: readonly number[];
}

export interface Campaign extends UnhandledFields {
  id: number;
  name: string;
  type: MessageType;
  message: string | null;
  button: { text: string; link: string } | null;
  imageLink: string | null;
  /** Resend through SMS. */
  resend: { text: string; senderName: string } | null;
  addressBook: number | null;
  senderId: number;
  /** Time to live of a message, in seconds. */
  liveTime: number;
  /** Duration of sending, in hours. */
  stretchTime: number;
  createdAt: number;
  sendAt: number;
  phones: readonly number[];
  /** Phone numbers that were on the blacklist when the campaign was created. */
  blocked: readonly number[];
}

const zTemplate = z.object({ id: z.int(), senderId: z.int(), approved: z.boolean(), text: z.string() });
const zPhones = z.array(z.int().positive());
const zMailingList = z.object({ id: z.int(), phones: zPhones });
const zCampaign = z.object({
  id: z.int(),
  name: z.string(),
  type: zMessageType,
  message: z.string().nullable(),
  button: z.object({ text: z.string(), link: z.string() }).nullable(),
  imageLink: z.string().nullable(),
  resend: z.object({ text: z.string(), senderName: z.string() }).nullable(),
  addressBook: z.int().nullable(),
  senderId: z.int(),
  liveTime: z.number(),
  stretchTime: z.number(),
  createdAt: z.number(),
  sendAt: z.number(),
  phones: zPhones,
  blocked: zPhones,
  unhandled: zUnhandledFields,
});

const { AwaitingSend, Creating, Created, SenderNotRegistered } = ResendSmsStatus;

/** Price of a delivered message. */
export const price = 0.042;

const [delivered, opened, read, clicked] = deliverySteps;

const choices = {
  'messaging-code-response':
    'A request that is rejected with a documented code returns HTTP status 422. If several codes apply, the response contains the code that comes first in this order: several recipients, text together with a template, a missing or unknown template, an unapproved template, a template of another sender, a variable without a value, a value that is too long or contains a link.',
  'messaging-rejection-without-code':
    'A request to create a campaign returns status 422, with a sentence in `message`, if it violates a rule without a documented code.',
  'messaging-system-text-code':
    'From midnight UTC of the day from which only templates are accepted, a request to send a system message as text returns HTTP status 422 with the error code for a missing template.',
  'messaging-system-mailing-list':
    'A request to send a system message to a mailing list returns HTTP status 422 with the error code for several recipients, because a system message can be sent only to a single phone number.',
  'messaging-template-text':
    'Templates mark a variable as `{{name}}`. Text matches a template if it equals the template, either unchanged or with all variables filled in.',
  'messaging-variables-unknown':
    'Variables that the template does not define are ignored. Variables that are sent with text instead of a template are also ignored.',
  'messaging-link-in-variable':
    'A request with a link in the value of a variable returns HTTP status 422 with the documented code. A link is an address with a scheme, an address that starts with `www.`, or a domain followed by a path.',
  'messaging-incomplete-extra':
    'A button needs text and a link. An SMS resend needs text and a sender name. A request with an incomplete button or SMS resend returns status 422.',
  'messaging-empty-content':
    'Empty campaign text counts as missing. So do a button that has neither text nor a link, and an image that lacks a link.',
  'messaging-generated-name':
    'If a request contains no campaign name, the campaign is named `Campaign of` followed by its creation date.',
  'messaging-test-task-id': `The response to an emulated campaign contains the test ID ${testTaskId}, which does not belong to any campaign.`,
  'messaging-campaign-status':
    'The `status` of a messaging-app campaign is null, because the values of the field are not documented.',
  'messaging-delivery': `The last digit of the phone number determines the outcome of a message. 0: delivered. 1 or 2: opened. 3 to 5: read. 6 or 7: button clicked, or read if there is no button. 8: not delivered when the time to live ends. 9: error. A message is delivered after ${delivered.after / second} seconds, opened after ${opened.after / second}, read after ${read.after / second} and clicked after ${clicked.after / second}. The seven statuses are phrases from the messaging document.`,
  'messaging-blacklisted-recipient':
    'A message to a phone number that was on the blacklist when the campaign was created has the status `not delivered`.',
  'messaging-statistics':
    'The counts are cumulative: a delivered message also counts as sent, and a read message as delivered. A click on the button counts as reading.',
  'messaging-recipient-listed': 'A recipient appears in the list when the message to that recipient is sent.',
  'messaging-price': `A delivered message costs ${price}. Any other message is free.`,
  'messaging-gradual-distances':
    'If `stretch_time` is set, messages are sent at equal intervals, in the order of the recipients.',
  'messaging-resend-sms-status': `The status of a resend through SMS is ${AwaitingSend} (awaiting) until the time to live of the last message ends. The status is then ${Creating} (being created) for ${resendCreationTime / second} seconds, and then ${Created} (created). If the sender of the resend is not a sender name of the account, the status after the wait is ${SenderNotRegistered}.`,
} as const;

const ann = 15550100123;
const ben = 15550100124;

/**
 * Messaging-app campaigns, with the templates and mailing lists that they use.
 *
 * @internal
 */
export const campaigns: Resource<CampaignsTables, typeof choices, CampaignsTables & MessagingCommonTables> = {
  tables: (ledger) => ({
    templates: tableById<Template>(ledger, 'messaging.templates', zTemplate, ['text']),
    mailingLists: tableById<MailingList>(ledger, 'messaging.mailingLists', zMailingList),
    campaigns: tableById<Campaign>(ledger, 'messaging.campaigns', zCampaign, messagingTitles.CampaignListItem),
  }),

  seed(state, source) {
    seedTemplates(state);
    // Ann, Ben, and a phone number for each other outcome of a message.
    const phones = [ann, ben, ...[0, 1, 2, 5, 6, 8, 9].map((digit) => 15550100130 + digit)];
    state.mailingLists.put({ id: 4400, phones });
    state.mailingLists.put({ id: 4401, phones: [] });
    if (source.size > 0)
      state.mailingLists.put({
        id: 4402,
        phones: Array.from({ length: Math.min(source.size, 1_000) }, (_, place) => 15550300000 + place),
      });

    const base = campaign(startOfStory(source));
    state.campaigns.put({
      ...base,
      id: 9001,
      name: 'Renewal reminder',
      message: 'Your annual plan renews this month.',
      button: { text: 'Renew now', link: 'https://shop.example.com/renew' },
      imageLink: 'https://shop.example.com/renewal.png',
      resend: { text: 'Your annual plan renews this month.', senderName: shop.name },
      addressBook: 4400,
      phones,
      blocked: [ben],
    });
    state.campaigns.put({
      ...base,
      id: 9002,
      name: 'Contract ready',
      type: MessageType.System,
      liveTime: 600,
      phones: [ann],
    });
    for (let place = 0; place < Math.floor(source.size / 10); place += 1) {
      const phone = 15550200000 + Math.floor(source.random() * 100_000);
      const name = `Reminder ${place + 1}`;
      state.campaigns.put({ ...base, id: newId(state), name, message: 'Hello!', phones: [phone] });
    }
  },

  choices,
};

function seedTemplates({ templates }: CampaignsTables): void {
  const text = 'Hello {{name}}, the contract of your {{plan}} plan is ready.';
  templates.put({ id: 700, senderId: shop.id, approved: true, text });
  templates.put({ id: 701, senderId: shop.id, approved: false, text: 'Your plan {{plan}} ends soon.' });
  templates.put({ id: 702, senderId: 7, approved: true, text: 'Your invoice {{number}} is paid.' });
}

/** Returns the fields that all campaigns of the seed share. */
function campaign(begins: number): Omit<Campaign, 'id' | 'name'> {
  return {
    type: MessageType.Promo,
    message: null,
    button: null,
    imageLink: null,
    resend: null,
    addressBook: null,
    senderId: shop.id,
    liveTime: 3_600,
    stretchTime: 0,
    createdAt: begins,
    sendAt: begins + 24.5 * hour,
    phones: [],
    blocked: [],
  };
}
