import * as z from 'zod';
import { PushCampaignStatus, SubscriberStatus } from '../../../../generated/messaging/models.ts';
import { messagingTitles } from '../../../../generated/messaging/reference.ts';
import { zPushCampaignStatus } from '../../../../generated/messaging/zod.ts';
import { day, hour } from '../../data/dates.ts';
import type { Resource } from '../../data/resource.ts';
import { newId } from '../../data/settings.ts';
import { type Table, tableById } from '../../data/table.ts';
import { type UnhandledFields, zUnhandledFields } from '../../rules/unhandled-fields.ts';
import { type MessagingCommonTables, startOfStory } from '../common.ts';
import { countByStatus, type WebsitesTables } from '../websites.ts';

/** Duration of a campaign's creation, in milliseconds. */
export const creationTime = 10_000;

/** One of this many notifications is not delivered. */
export const undeliveredEvery = 20;
/** One of this many delivered notifications is clicked. */
export const clickedEvery = 12;

/** The last year that the documented date format can express. */
export const maxYear = 9999;

/** Bytes of a KB in the documents. */
export const bytesPerKilobyte = 1_024;

export interface PushCampaignsTables {
  pushCampaigns: Table<number, PushCampaign>;
}

export interface PushCampaign extends UnhandledFields {
  id: number;
  websiteId: number;
  title: string;
  body: string;
  link: string;
  createdAt: number;
  startAt: number;
  /** Duration of sending, in seconds. */
  stretchTime: number;
  /** Number of subscribers that get it. */
  audience: number;
  /** A status that does not depend on the time and never changes. */
  fixedStatus?: PushCampaignStatus;
}

const zPushCampaign = z.object({
  id: z.int(),
  websiteId: z.int(),
  title: z.string(),
  body: z.string(),
  link: z.string(),
  createdAt: z.number(),
  startAt: z.number(),
  stretchTime: z.number(),
  audience: z.int().min(0),
  fixedStatus: zPushCampaignStatus.optional(),
  unhandled: zUnhandledFields,
});

const { New, InProgress, Sent, NoActiveRecipients, CreationInProgress } = PushCampaignStatus;

const choices = {
  'push-quota-response':
    'A web push campaign beyond the quota of its website gets status 429. The quota period starts when a campaign is created and excludes its last moment. `Retry-After` has the whole seconds until the quota permits another campaign.',
  'push-rejection':
    'A web push campaign that breaks a documented rule gets status 422 and the rule in `message`, because the response is not documented.',
  'push-json-text': 'A field that holds JSON in a string gets status 422 if it is not JSON of the documented form.',
  'push-empty-text': 'A blank or empty link, image, list of buttons or filter counts as missing.',
  'push-incomplete-button': 'A button without a text or a link gets status 422.',
  'push-incomplete-filter':
    'A filter needs a variable, and each of its conditions needs a condition and a value. `filter_url` needs a type and a search. An incomplete filter gets status 422, and an empty one counts as missing. Without an operator, all conditions must hold.',
  'push-filter-matching':
    'Comparisons of languages, browsers and countries ignore case. `filter_url` checks the page of the subscription. Dates are inclusive. A subscriber without the variable matches only `notequal` and `notlikewith`. `greaterthan` and `lessthan` compare numbers if both sides are numbers, and otherwise strings.',
  'push-time-range': `A negative \`ttl\` or \`stretch_time\`, and sending that ends after the year ${maxYear}, get status 422.`,
  'push-image-forms': `A picture in \`image\` is an address or Base64, which may be a data URI. An address is checked by its file extension, if it has one. Base64 is checked by its first bytes and its size. One KB is ${bytesPerKilobyte.toLocaleString('en-GB')} bytes.`,
  'push-progress': `A web push campaign is being created (${CreationInProgress}) for ${creationTime / 1_000} seconds, then new (${New}) until its date, in progress (${InProgress}) for its \`stretch_time\`, and then sent (${Sent}). A campaign without recipients ends with ${NoActiveRecipients} once it is created. The recipients are the subscribers that were active when it was created.`,
  'push-statistics': `Notifications are sent at equal intervals. Every ${undeliveredEvery}th notification is not delivered, and every ${clickedEvery}th delivered one is clicked.`,
  'push-period':
    '`from` and `to` of a web push campaign are the start and end of sending. The list compares `from` with its period, which includes its bounds.',
  'push-website-filter':
    'In the list of campaigns, a `website_id` of 0 counts as missing, and an unknown ID returns no campaigns.',
} as const;

/**
 * Web push campaigns.
 *
 * @internal
 */
export const pushCampaigns: Resource<
  PushCampaignsTables,
  typeof choices,
  PushCampaignsTables & WebsitesTables & MessagingCommonTables
> = {
  tables: (ledger) => ({
    pushCampaigns: tableById<PushCampaign>(
      ledger,
      'messaging.pushCampaigns',
      zPushCampaign,
      messagingTitles.PushCampaignListItem,
    ),
  }),

  /** Adds the web push campaign of the story, and one older campaign for every hundred of the seed's size. */
  seed(state, source) {
    const shop = state.websites.get(42);
    if (!shop) return;
    const begins = startOfStory(source);
    const sale: PushCampaign = {
      id: 8101,
      websiteId: shop.id,
      title: 'Autumn sale',
      body: '20 % off all annual plans until Sunday.',
      link: 'https://shop.example.com/sale',
      createdAt: begins,
      startAt: begins + 24.5 * hour,
      stretchTime: 5 * 3_600,
      audience: countByStatus(state, shop.id, SubscriberStatus.Active),
    };
    for (let days = Math.floor(source.size / 100); days > 0; days -= 1) {
      const at = begins - days * day;
      const fixedStatus = pastStatuses[days % pastStatuses.length] ?? PushCampaignStatus.Archived;
      const id = newId(state);
      state.pushCampaigns.put({ ...sale, id, title: `News ${days}`, createdAt: at, startAt: at, fixedStatus });
    }
    state.pushCampaigns.put(sale);
    state.websites.put({ ...shop, campaignsCreated: [begins] });
  },

  choices,
};

/** Statuses of the older campaigns, which do not depend on the time. */
const pastStatuses = [
  PushCampaignStatus.Sent,
  PushCampaignStatus.TestSent,
  PushCampaignStatus.AwaitingAbTestResults,
  PushCampaignStatus.CanceledByUser,
  PushCampaignStatus.Archived,
];
