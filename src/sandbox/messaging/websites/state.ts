import type { Subscriber, SubscriberStatus, WebsiteVariable } from '../../../../generated/messaging/models.ts';
import { GroupIndex } from '../../data/group-index.ts';
import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';

export interface WebsitesState {
  websites: Table<number, WebsiteEntry>;
  /** Subscribers of all websites. */
  subscribers: Table<number, SubscriberEntry>;
  /**
   * IDs of subscribers in groups: those of each website (`42`), those with each status (`42 status 1`), and those since each
   * day (`42 2026-11-02`).
   */
  subscriberGroups: GroupIndex<string, number, Readonly<SubscriberEntry>>;
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
  variables: readonly WebsiteVariable[];
  /** Creation times of the campaigns that may still count towards the quota. */
  campaignsCreated: readonly number[];
}

export function emptyWebsites(ledger: Ledger): WebsitesState {
  const subscribers = new Table<number, SubscriberEntry>(ledger, 'messaging.subscribers', ({ record }) => record.id);
  return {
    websites: new Table(ledger, 'messaging.websites', ({ id }) => id),
    subscribers,
    subscriberGroups: subscribers.watch(new GroupIndex(subscribers, groupsOf)),
  };
}

/** Returns the subscribers of a website, those who subscribed first first. */
export function* subscribersOf(
  { subscribers, subscriberGroups }: WebsitesState,
  websiteId: number,
): Generator<Readonly<SubscriberEntry>> {
  for (const id of subscriberGroups.keys(String(websiteId))) {
    const entry = subscribers.get(id);
    if (entry) yield entry;
  }
}

/** Counts all subscribers of a website. */
export function countAll({ subscriberGroups }: WebsitesState, websiteId: number): number {
  return subscriberGroups.keys(String(websiteId)).size;
}

export function countByStatus(
  { subscriberGroups }: WebsitesState,
  websiteId: number,
  status: SubscriberStatus,
): number {
  return subscriberGroups.keys(`${websiteId} status ${status}`).size;
}

/** @param day - as `YYYY-MM-DD` */
export function countByDay({ subscriberGroups }: WebsitesState, websiteId: number, day: string): number {
  return subscriberGroups.keys(`${websiteId} ${day}`).size;
}

function groupsOf({ websiteId, record }: Readonly<SubscriberEntry>): string[] {
  const day = record.subscription_date.slice(0, 10);
  return [String(websiteId), `${websiteId} status ${record.status}`, `${websiteId} ${day}`];
}
