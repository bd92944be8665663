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

/** How long the creation of a campaign takes, in milliseconds. */
export const creationTime = 10_000;

/** One in this many notifications is not delivered. */
export const undeliveredEvery = 20;
/** One in this many delivered notifications is clicked. */
export const clickedEvery = 12;

/** The last year that the documented date format can express. */
export const maxYear = 9999;

/** Number of bytes in one KB, as the sandbox interprets the documents. */
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
  /** Number of subscribers that the campaign is sent to. */
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
    'A request to create a web push campaign beyond the quota of its website returns status 429. The quota period starts when a campaign is created, and another campaign is permitted exactly when the period ends. `Retry-After` contains the number of whole seconds until the quota permits another campaign.',
  'push-rejection':
    'A request to create a web push campaign returns status 422, with the rule in `message`, if it violates a documented rule. The documents do not specify this response.',
  'push-json-text':
    'If a field takes JSON in a string and the string does not have the documented form, the request is rejected with status 422.',
  'push-empty-text':
    'A link, image, list of buttons or filter that is empty or contains only whitespace counts as missing.',
  'push-incomplete-button': 'A request with a button that lacks text or a link returns status 422.',
  'push-incomplete-filter':
    'A filter needs a `variable_name`, and each item in `conditions` needs a `condition` and a `value`. `filter_url` needs a `type` and a `search`. A request with an incomplete filter returns status 422, but an empty filter counts as missing. If `operator` is omitted, all conditions must be met.',
  'push-filter-matching':
    'Comparisons of languages, browsers and countries ignore case. `filter_url` applies to the page on which a person subscribed. Date ranges include their first and last day. A subscriber without the variable matches only `notequal` and `notlikewith`. `greaterthan` and `lessthan` compare numbers if both sides are numbers, and strings otherwise.',
  'push-time-range': `A request returns status 422 if \`ttl\` or \`stretch_time\` is negative, or if sending would end after the year ${maxYear}.`,
  'push-image-forms': `\`image\` takes a URL, or a picture in Base64, optionally as a data URI. If a URL has a file extension, the extension is checked. For a picture in Base64, the first bytes and the size are checked. One KB is ${bytesPerKilobyte.toLocaleString('en-GB')} bytes.`,
  'push-progress': `The status of a web push campaign is ${CreationInProgress} (being created) for ${creationTime / 1_000} seconds, then ${New} (new) until the send date, ${InProgress} (in progress) for the \`stretch_time\`, and finally ${Sent} (sent). A campaign without recipients has the final status ${NoActiveRecipients} once it has been created. The recipients are the subscribers who were active when the campaign was created.`,
  'push-statistics': `Notifications are sent at equal intervals. One in ${undeliveredEvery} notifications is not delivered, and one in ${clickedEvery} of those delivered is clicked.`,
  'push-period':
    'In a response, `from` and `to` of a web push campaign are the times at which sending starts and ends. The list returns the campaigns whose sending starts in the requested period, including its bounds.',
  'push-website-filter':
    'In a request for the list of campaigns, a `website_id` of 0 counts as missing. The list is empty if the `website_id` is unknown.',
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

  /** Adds the web push campaign of the story, and `size / 100` older campaigns. */
  seed(state, source) {
    const shop = state.websites.get(42);
    if (!shop) return;
    const begins = startOfStory(source);
    const sale: PushCampaign = {
      id: 8101,
      websiteId: shop.id,
      title: 'Autumn sale',
      body: '20% off all annual plans until Sunday.',
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
