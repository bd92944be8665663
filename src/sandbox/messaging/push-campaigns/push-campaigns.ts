import * as z from 'zod';
import { PushCampaignStatus, SubscriberStatus } from '../../../../generated/messaging/models.ts';
import { messagingTitles } from '../../../../generated/messaging/reference.ts';
import {
  zPushCampaignListItem,
  zPushCampaignStatistics,
  zPushCampaignStatus,
} from '../../../../generated/messaging/zod.ts';
import type { Context } from '../../context.ts';
import { takeId } from '../../data/settings.ts';
import { Table, valuesOf } from '../../data/table.ts';
import { formatDateTime, parseDateTime } from '../../dates.ts';
import { type FurtherFields, shownFurther, zFurtherFields } from '../../further-fields.ts';
import type { Handlers, RequestOf } from '../../handler-types.ts';
import { dateChoices, pagedList, startOfStory } from '../common.ts';
import { isGiven } from '../request-numbers.ts';
import type { MessagingResource } from '../resources.ts';
import { countByStatus } from '../websites.ts';
import { bytesPerKilobyte, createPushCampaign, maxYear } from './create.ts';
import { clickedEvery, creationTime, endOf, numbersOf, statusOf, undeliveredEvery } from './progress.ts';

export interface PushCampaignsTables {
  pushCampaigns: Table<number, PushCampaign>;
}

export interface PushCampaign extends FurtherFields {
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
  further: zFurtherFields,
});

const { New, InProgress, Sent, NoActiveRecipients, CreationInProgress } = PushCampaignStatus;

const choices = {
  'push-quota-answer':
    'A web push campaign beyond the quota of its website gets status 429. The quota period starts when a campaign is created and excludes its last moment. `Retry-After` has the whole seconds until the quota permits another campaign.',
  'push-refusal-answer':
    'A web push campaign that breaks a documented rule gets status 422 and the rule in `message`, because the reply is not documented.',
  'push-json-text': 'A field that holds JSON in a string gets status 422 if it is not JSON of the documented form.',
  'push-empty-text': 'A blank or empty link, image, list of buttons or filter counts as missing.',
  'push-incomplete-button': 'A button without a text or a link gets status 422.',
  'push-incomplete-filter':
    'A filter needs a variable, and each of its conditions needs a condition and a value. `filter_url` needs a type and a search. An incomplete filter gets status 422, and an empty one counts as missing. Without an operator, all conditions must hold.',
  'push-filter-matching':
    'Comparisons of languages, browsers and countries ignore case. `filter_url` checks the page of the subscription. Dates are inclusive. A subscriber without the variable matches only `notequal` and `notlikewith`. `greaterthan` and `lessthan` compare numbers if both sides are numbers, and otherwise texts.',
  'push-time-range': `A negative \`ttl\` or \`stretch_time\`, and sending that ends after the year ${maxYear}, get status 422.`,
  'push-image-forms': `A picture in \`image\` is an address or Base64, which may be a data URI. An address is checked by its file extension, if it has one. Base64 is checked by its first bytes and its size. One KB is ${bytesPerKilobyte.toLocaleString('en-GB')} bytes.`,
  'push-progress': `A web push campaign is being created (${CreationInProgress}) for ${creationTime / 1_000} seconds, then new (${New}) until its date, in progress (${InProgress}) for its \`stretch_time\`, and then sent (${Sent}). A campaign without recipients ends with ${NoActiveRecipients} once it is created. The recipients are the subscribers that were active when it was created.`,
  'push-statistics': `Notifications are sent at equal intervals. Every ${undeliveredEvery}th notification is not delivered, and every ${clickedEvery}th delivered one is clicked.`,
  'push-period':
    '`from` and `to` of a web push campaign are the start and end of sending. The list compares `from` with its period, which includes its bounds.',
  'push-website-filter':
    'In the list of campaigns, a `website_id` of 0 counts as missing, and an unknown ID returns no campaigns.',
} as const;

type Operations = 'createPushCampaign' | 'listPushCampaigns' | 'getPushCampaign';
type ListQuery = RequestOf<Handlers['messaging']['listPushCampaigns']>['query'];

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Web push campaigns.
 *
 * @internal
 */
export const pushCampaigns: MessagingResource<PushCampaignsTables, typeof choices, Operations> = {
  tables: (ledger) => ({
    pushCampaigns: new Table(ledger, 'messaging.pushCampaigns', {
      key: ({ id }) => id,
      schema: zPushCampaign,
      title: (record) => valuesOf(record, messagingTitles.PushCampaignListItem),
      ids: ({ id }) => [id],
      needs: ({ websiteId }) => ({ 'messaging.websites': [websiteId] }),
    }),
  }),

  /** Adds the web push campaign of the story, and one older campaign for every hundred of the seed's size. */
  *seed(state, source) {
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
      const id = takeId(state.settings);
      state.pushCampaigns.put({ ...sale, id, title: `News ${days}`, createdAt: at, startAt: at, fixedStatus });
      yield;
    }
    state.pushCampaigns.put(sale);
    state.websites.put({ ...shop, campaignsCreated: [begins] });
  },

  choices,

  handlers: {
    createPushCampaign,

    listPushCampaigns: {
      list: { ...pagedList, entry: ['push-period', 'push-progress', ...dateChoices] },
      handle({ query }, context) {
        return context.page(selected(query, context), query).map((campaign) => ({
          ...shownFurther(campaign, zPushCampaignListItem),
          id: campaign.id,
          title: campaign.title,
          body: campaign.body,
          website_id: campaign.websiteId,
          from: formatDateTime(campaign.startAt),
          to: formatDateTime(endOf(campaign)),
          status: statusOf(campaign, context.now),
        }));
      },
    },

    getPushCampaign: {
      always: ['push-progress'],
      handle({ path }, context) {
        const { messaging } = context.state;
        const campaign = messaging.pushCampaigns.get(path.id) ?? context.notFound('web push campaign');
        const { sent, delivered, clicked } = numbersOf(campaign, context.now);
        if (sent > 0) context.chose('push-statistics');
        return {
          ...shownFurther(campaign, zPushCampaignStatistics),
          id: campaign.id,
          message: { title: campaign.title, text: campaign.body, link: campaign.link },
          website: messaging.websites.get(campaign.websiteId)?.url ?? '',
          website_id: campaign.websiteId,
          status: statusOf(campaign, context.now),
          send: String(sent),
          delivered,
          redirect: clicked,
        };
      },
    },
  },
};

/** Statuses of the older campaigns, which do not depend on the time. */
const pastStatuses = [
  PushCampaignStatus.Sent,
  PushCampaignStatus.TestSent,
  PushCampaignStatus.AwaitingAbTestResults,
  PushCampaignStatus.CanceledByUser,
  PushCampaignStatus.Archived,
];

function selected({ from, to, website_id: websiteId }: ListQuery, context: Context): Iterable<Readonly<PushCampaign>> {
  const { websites, pushCampaigns } = context.state.messaging;
  const earliest = readBound(from, context) ?? Number.NEGATIVE_INFINITY;
  const latest = readBound(to, context) ?? Number.POSITIVE_INFINITY;
  if (websiteId !== undefined && !websites.has(websiteId)) context.chose('push-website-filter');
  return [...pushCampaigns.values()].filter((campaign) => {
    // Replies contain whole seconds, so compare the bounds with whole seconds.
    const start = Math.floor(campaign.startAt / 1_000) * 1_000;
    return start >= earliest && start <= latest && (!isGiven(websiteId) || campaign.websiteId === websiteId);
  });
}

function readBound(text: string | undefined, context: Context): number | undefined {
  if (text === undefined) return undefined;
  const moment = parseDateTime(text);
  if (moment === undefined)
    return context.refuseByChoice('messaging-impossible-date', {
      message: `${text} is not a date and time that exists.`,
    });
  context.chose('push-period');
  context.chose('utc-dates');
  return moment;
}
