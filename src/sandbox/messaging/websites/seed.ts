import { SubscriberStatus } from '../../../../generated/messaging/models.ts';
import { takeId } from '../../data/settings.ts';
import { formatDateTime } from '../../dates.ts';
import type { SeedSource } from '../../seed-source.ts';
import type { MessagingState } from '../state.ts';
import type { SubscriberRecord, WebsiteEntry } from './state.ts';

const day = 86_400_000;
const hour = 3_600_000;

/** Adds two websites. Returns the first one, which has all the subscribers. */
export function seedWebsites(
  state: MessagingState,
  { size, random, now, shift }: SeedSource,
  begins: number,
): Readonly<WebsiteEntry> {
  const shop = addWebsite(state, 42, 'https://shop.example.com', begins, [
    { id: 1, name: 'plan', type: 'string' },
    { id: 2, name: 'seats', type: 'number' },
  ]);
  addWebsite(state, 43, 'https://blog.example.com', begins, []);
  const earlier = Array.from({ length: size }, () => ({
    person: people[Math.floor(random() * people.length)],
    at: begins - Math.floor(random() * 365) * day,
  }));
  // In order of subscription, so that the people of the story come last.
  for (const { person, at } of earlier.sort((one, other) => one.at - other.at))
    if (person) subscribe(state, shop, { ...person, id: takeId(state.settings) }, at);
  // If the story has moved with the clock, the last one subscribed today.
  const today = Math.max(Math.floor(now / day) * day, now - hour);
  for (const [place, person] of people.entries())
    subscribe(state, shop, person, shift > 0 && place === people.length - 1 ? today : begins);
  return shop;
}

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
  state: MessagingState,
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
  { websites }: MessagingState,
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
