import type {
  BlacklistEntry,
  MessageType,
  PushCampaignStatus,
  SenderName,
  Subscriber,
  SubscriberStatus,
  WebsiteVariable,
} from '../../../generated/messaging/models.ts';

/** A template of a sender name. No operation reads or writes one. */
export interface Template {
  id: number;
  senderId: number;
  approved: boolean;
  /** Variables stand in it as `{{name}}`. */
  text: string;
}

export interface Campaign {
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
  /** Seconds. */
  liveTime: number;
  /** Hours over which it is sent. */
  stretchTime: number;
  createdAt: number;
  sendAt: number;
  phones: number[];
  /** Phone numbers that were on the blacklist when it was created. */
  blocked: Set<number>;
}

/** A subscriber as it is answered; what a variable looks like is this sandbox's choice. */
export interface SubscriberRecord extends Subscriber {
  variables: { name: string; value: string }[];
}

export interface SubscriberEntry {
  record: SubscriberRecord;
  websiteId: number;
  /** Address of the page of the subscription, which the filter by address looks at. */
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
  /** How many subscribers have each status. */
  byStatus: Map<SubscriberStatus, number>;
  /** How many subscribed on each day, by `YYYY-MM-DD`. */
  byDay: Map<string, number>;
  /** When the last campaigns were created: those that can still count for the quota. */
  campaignsCreated: number[];
}

export interface PushCampaign {
  id: number;
  websiteId: number;
  title: string;
  body: string;
  link: string;
  createdAt: number;
  startAt: number;
  /** Seconds over which it is sent. */
  stretchTime: number;
  /** Number of subscribers that it goes to. */
  audience: number;
  /** A status that time does not bring; it stays. */
  fixedStatus?: PushCampaignStatus;
}

/** The data of this part: plain objects and Maps, so that `structuredClone` makes a snapshot. */
export interface MessagingState {
  nextId: number;
  /** `user_id` of new blacklist entries. */
  userId: number;
  senders: Map<number, SenderName>;
  templates: Map<number, Template>;
  /** Phone numbers of the mailing lists. No operation reads or writes one. */
  mailingLists: Map<number, number[]>;
  campaigns: Map<number, Campaign>;
  /** By phone number. */
  blacklist: Map<number, BlacklistEntry>;
  websites: Map<number, WebsiteEntry>;
  /** Those of all websites; change them with `addSubscriber` and `setSubscriberStatus`. */
  subscribers: Map<number, SubscriberEntry>;
  pushCampaigns: Map<number, PushCampaign>;
}

export function emptyMessagingState(): MessagingState {
  return {
    nextId: 1,
    userId: 77,
    senders: new Map(),
    templates: new Map(),
    mailingLists: new Map(),
    campaigns: new Map(),
    blacklist: new Map(),
    websites: new Map(),
    subscribers: new Map(),
    pushCampaigns: new Map(),
  };
}

/** Adds a subscriber to its website and keeps the website's numbers. */
export function addSubscriber(state: MessagingState, website: WebsiteEntry, entry: SubscriberEntry): void {
  const { id, status, subscription_date: date } = entry.record;
  state.subscribers.set(id, entry);
  website.subscribers.set(id, entry);
  count(website.byStatus, status, 1);
  count(website.byDay, date.slice(0, 10), 1);
}

/** Changes the status of a subscriber and keeps its website's numbers. */
export function setSubscriberStatus(state: MessagingState, entry: SubscriberEntry, status: SubscriberStatus): void {
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
