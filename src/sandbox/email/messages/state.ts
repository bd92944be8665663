import type { Mailbox } from '../senders/state.ts';

export interface MessagesState {
  /** In the order of sending. */
  messages: Map<string, MessageEntry>;
  templates: Map<string, EmailTemplate>;
}

/** An email as it is sent. */
export interface OutgoingEmail {
  from: Mailbox;
  /** Every recipient can see them. */
  visible: { to: Mailbox[]; cc: Mailbox[] };
  /** Nobody can see them. */
  hidden: { bcc: Mailbox[] };
  subject: string;
  html: string;
  /** Null if there is no text part. */
  text: string | null;
  /** Names of the files. */
  attachments: string[];
}

/** The outcome of an email, which is decided when it is sent. */
export interface Outcome {
  isBounced: boolean;
  /** Null if nobody opens it. */
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
  /** Variables are written as `{{name}}` in both parts. */
  html: string;
  text: string | null;
}

export function emptyMessages(): MessagesState {
  return { messages: new Map(), templates: new Map() };
}
