import type { SendingDomain } from '../../../generated/email/models.ts';

export interface Mailbox {
  name: string;
  email: string;
}

/** An email as it leaves. */
export interface OutgoingEmail {
  from: Mailbox;
  /** What every recipient can see. */
  visible: { to: Mailbox[]; cc: Mailbox[] };
  /** What nobody can see. */
  hidden: { bcc: Mailbox[] };
  subject: string;
  html: string;
  /** Null where there is no text part. */
  text: string | null;
  /** Names of the files. */
  attachments: string[];
}

/** What becomes of an email: that is settled when it is sent. */
export interface Outcome {
  isBounced: boolean;
  /** Null where nobody opens it. */
  openedAt: number | null;
  /** The click on a link. */
  click: { at: number; url: string } | null;
}

export interface MessageEntry extends Outcome {
  id: string;
  email: OutgoingEmail;
  sentAt: number;
  senderIp: string;
  /** Bytes. */
  size: number;
}

/** A stored template. No operation reads or writes one. */
export interface EmailTemplate {
  id: string;
  realId: string;
  /** Variables stand in both parts as `{{name}}`. */
  html: string;
  text: string | null;
}

export interface UnsubscribedEntry {
  email: string;
  /** No reply tells it. */
  comment: string;
  byLink: number;
  byUser: number;
  spamComplaint: number;
  at: number;
}

/** The data of this part: plain objects and Maps, so that `structuredClone` makes a snapshot. */
export interface EmailState {
  nextId: number;
  /** Whether the SMTP account is activated. */
  activated: boolean;
  /** `user_id` of new sending domains. */
  userId: number;
  /** Addresses that the account sends from. */
  ips: string[];
  /** In the order of sending. */
  messages: Map<string, MessageEntry>;
  templates: Map<string, EmailTemplate>;
  /** By address in lower case. */
  unsubscribed: Map<string, UnsubscribedEntry>;
  /** When resubscriptions were requested: those that can still count for the quota. */
  resubscriptions: number[];
  /** Those of the Email and of the SMTP service, by address in lower case. */
  senders: Map<string, Mailbox>;
  /** By domain in lower case. */
  domains: Map<string, SendingDomain>;
}

export function emptyEmailState(): EmailState {
  return {
    nextId: 1,
    activated: true,
    userId: 1001,
    ips: ['192.0.2.10'],
    messages: new Map(),
    templates: new Map(),
    unsubscribed: new Map(),
    resubscriptions: [],
    senders: new Map(),
    domains: new Map(),
  };
}
