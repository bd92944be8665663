import type { Subscriber, SubscriberStatus, WebsiteVariable } from '../../../../generated/messaging/models.ts';

export interface WebsitesState {
  websites: Map<number, WebsiteEntry>;
  /** Subscribers of all websites. Change them with `addSubscriber` and `setSubscriberStatus`. */
  subscribers: Map<number, SubscriberEntry>;
}

/** A subscriber in the form of replies. The form of a variable is a choice of the sandbox. */
export interface SubscriberRecord extends Subscriber {
  variables: { name: string; value: string }[];
}

export interface SubscriberEntry {
  record: SubscriberRecord;
  websiteId: number;
  /** Address of the page where the person subscribed, used by the filter by address. */
  page: string;
}

export interface WebsiteEntry {
  id: number;
  url: string;
  active: boolean;
  icon: string;
  addedAt: number;
  variables: WebsiteVariable[];
  subscribers: Map<number, SubscriberEntry>;
  /** Number of subscribers by status. */
  byStatus: Map<SubscriberStatus, number>;
  /** Number of new subscribers by day, as `YYYY-MM-DD`. */
  byDay: Map<string, number>;
  /** Creation times of the campaigns that may still count towards the quota. */
  campaignsCreated: number[];
}

export function emptyWebsites(): WebsitesState {
  return { websites: new Map(), subscribers: new Map() };
}

/** Adds a subscriber to its website and updates the website's counts. */
export function addSubscriber(state: WebsitesState, website: WebsiteEntry, entry: SubscriberEntry): void {
  const { id, status, subscription_date: date } = entry.record;
  state.subscribers.set(id, entry);
  website.subscribers.set(id, entry);
  count(website.byStatus, status, 1);
  count(website.byDay, date.slice(0, 10), 1);
}

/** Changes the status of a subscriber and updates its website's counts. */
export function setSubscriberStatus(state: WebsitesState, entry: SubscriberEntry, status: SubscriberStatus): void {
  const website = state.websites.get(entry.websiteId);
  if (website) {
    count(website.byStatus, entry.record.status, -1);
    count(website.byStatus, status, 1);
  }
  entry.record.status = status;
}

function count<Key>(numbers: Map<Key, number>, key: Key, by: number): void {
  numbers.set(key, (numbers.get(key) ?? 0) + by);
}
