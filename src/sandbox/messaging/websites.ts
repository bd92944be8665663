import * as z from 'zod';
import { type Subscriber, SubscriberStatus, type WebsiteVariable } from '../../../generated/messaging/models.ts';
import { messagingTitles } from '../../../generated/messaging/reference.ts';
import { zSubscriber, zWebsiteVariable } from '../../../generated/messaging/zod.ts';
import { day, formatDateTime, hour } from '../data/dates.ts';
import { GroupIndex } from '../data/group-index.ts';
import type { Resource } from '../data/resource.ts';
import { newId } from '../data/settings.ts';
import { Table, tableById } from '../data/table.ts';
import { countIf } from '../rules/paging.ts';
import { type MessagingCommonTables, startOfStory } from './common.ts';

export interface WebsitesTables {
  websites: Table<number, WebsiteEntry>;
  /** Subscribers of all websites. */
  subscribers: Table<number, SubscriberEntry>;
  /** IDs of subscribers, by website ID. */
  subscribersByWebsite: GroupIndex<number, number, Readonly<SubscriberEntry>>;
}

/** A subscriber as it appears in responses. The form of the variables is a choice of the sandbox. */
export interface SubscriberRecord extends Omit<Subscriber, 'variables'> {
  variables: { name: string; value: string }[];
}

export interface SubscriberEntry {
  record: SubscriberRecord;
  websiteId: number;
  /** URL of the page on which the person subscribed. `filter_url` applies to this URL. */
  page: string;
}

export interface WebsiteEntry {
  id: number;
  url: string;
  active: boolean;
  icon: string;
  addedAt: number;
  variables: readonly WebsiteVariable[];
  /** Creation times of the campaigns that may still count towards the quota. */
  campaignsCreated: readonly number[];
}

const zWebsiteEntry = z.object({
  id: z.int(),
  url: z.string(),
  active: z.boolean(),
  icon: z.string(),
  addedAt: z.number(),
  variables: z.array(zWebsiteVariable),
  campaignsCreated: z.array(z.number()),
});
const zSubscriberEntry = z.object({
  record: zSubscriber.extend({ variables: z.array(z.object({ name: z.string(), value: z.string() })) }),
  websiteId: z.int(),
  page: z.string(),
});

const choices = {
  'push-website-status':
    'In the list, the status of a website is 1 if it is active and 0 if it is inactive. In the record of a single website, the status is `active` or `inactive`.',
  'push-subscriber-count': 'Subscriber counts include deactivated and unsubscribed subscribers.',
  'push-subscription-dates': 'A range of subscription dates includes its first and last day.',
  'push-variables-cut':
    "The list of a website's variables has only one page, with at most the documented maximum number of items in a web push response.",
  'push-variable-entry': 'A subscriber variable in a response has the form `{name, value}`.',
  'push-script': 'The script of a website is at `https://push.example.com/<id>.js`.',
} as const;

/**
 * Websites and their subscribers.
 *
 * @internal
 */
export const websites: Resource<WebsitesTables, typeof choices, WebsitesTables & MessagingCommonTables> = {
  tables(ledger) {
    const subscribers = new Table<number, SubscriberEntry>(ledger, 'messaging.subscribers', {
      key: ({ record }) => record.id,
      schema: zSubscriberEntry,
      ids: ({ record }) => [record.id],
    });
    return {
      websites: tableById<WebsiteEntry>(ledger, 'messaging.websites', zWebsiteEntry, messagingTitles.Website),
      subscribers,
      subscribersByWebsite: subscribers.watch(new GroupIndex(({ websiteId }) => [websiteId])),
    };
  },

  /** Adds two websites. All subscribers belong to the first website. */
  seed(state, source) {
    const { size, random, now, shift } = source;
    const begins = startOfStory(source);
    const shop = addWebsite(state, 42, 'https://shop.example.com', begins, [
      { id: 1, name: 'plan', type: 'string' },
      { id: 2, name: 'seats', type: 'number' },
    ]);
    addWebsite(state, 43, 'https://blog.example.com', begins, []);
    const earlier: { person: (typeof people)[number] | undefined; at: number }[] = [];
    for (let count = 0; count < size; count += 1) {
      const person = people[Math.floor(random() * people.length)];
      earlier.push({ person, at: begins - Math.floor(random() * 365) * day });
    }
    // In order of subscription, so that the people of the story come last.
    for (const { person, at } of earlier.sort((one, other) => one.at - other.at)) {
      if (person) subscribe(state, shop, { ...person, id: newId(state) }, at);
    }
    // If the story has moved with the clock, the last person subscribed today.
    const today = Math.max(Math.floor(now / day) * day, now - hour);
    for (const [place, person] of people.entries())
      subscribe(state, shop, person, shift > 0 && place === people.length - 1 ? today : begins);
  },

  choices,
};

interface Person {
  id: number;
  browser: string;
  lang: string;
  os: string;
  country_code: string;
  city: string;
  status: SubscriberStatus;
  page: string;
  variables: SubscriberRecord['variables'];
}

const { Active, Deactivated, Unsubscribed } = SubscriberStatus;
const warsaw = { browser: 'Chrome', lang: 'en', os: 'Windows', country_code: 'PL', city: 'Warsaw' };
const berlin = { browser: 'Firefox', lang: 'de', os: 'Linux', country_code: 'DE', city: 'Berlin' };
const plans = 'https://shop.example.com/plans';
const people: Person[] = [
  { id: 67001, ...warsaw, status: Active, page: 'https://shop.example.com/', variables: [] },
  { id: 67002, ...berlin, status: Active, page: plans, variables: bought('Team', 12) },
  { id: 67003, ...warsaw, browser: 'Safari', status: Deactivated, page: plans, variables: bought('Enterprise', 140) },
  { id: 67004, ...berlin, status: Unsubscribed, page: 'https://shop.example.com/sale', variables: bought('Basic', 1) },
  { id: 67005, ...warsaw, browser: 'Firefox', status: Active, page: `${plans}/team`, variables: bought('Basic', 9) },
];

function bought(plan: string, seats: number): Person['variables'] {
  return [
    { name: 'plan', value: plan },
    { name: 'seats', value: String(seats) },
  ];
}

function subscribe(
  state: WebsitesTables,
  website: Readonly<WebsiteEntry>,
  { page, variables, ...person }: Person,
  subscribedAt: number,
): void {
  state.subscribers.put({
    record: {
      ...person,
      variables: variables.map((variable) => ({ ...variable })),
      subscription_date: formatDateTime(subscribedAt),
    },
    websiteId: website.id,
    page,
  });
}

function addWebsite(
  { websites }: WebsitesTables,
  id: number,
  url: string,
  addedAt: number,
  variables: WebsiteEntry['variables'],
): Readonly<WebsiteEntry> {
  return websites.put({
    id,
    url,
    active: true,
    icon: `${url}/icon.png`,
    addedAt,
    variables,
    campaignsCreated: [],
  });
}

/** Returns the subscribers of a website, in order of subscription. */
export function subscribersOf(
  { subscribers, subscribersByWebsite }: WebsitesTables,
  websiteId: number,
): Readonly<SubscriberEntry>[] {
  return subscribers.getAll(subscribersByWebsite.keys(websiteId));
}

/** Counts the subscribers of a website who have the given status. */
export function countByStatus(state: WebsitesTables, websiteId: number, status: SubscriberStatus): number {
  return countIf(subscribersOf(state, websiteId), ({ record }) => record.status === status);
}
