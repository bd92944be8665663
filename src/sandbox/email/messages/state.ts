import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';
import type { Mailbox } from '../senders/state.ts';

export interface MessagesState {
  /** Messages in the order in which they were sent. */
  messages: Table<string, MessageEntry>;
  templates: Table<string, EmailTemplate>;
}

/** An email that is sent. */
export interface OutgoingEmail {
  from: Mailbox;
  /** Visible to all recipients. */
  visible: { to: Mailbox[]; cc: Mailbox[] };
  /** Hidden from all recipients. */
  hidden: { bcc: Mailbox[] };
  subject: string;
  html: string;
  /** Text part, or `null`. */
  text: string | null;
  /** File names. */
  attachments: string[];
}

/** The outcome of an email, determined when it is sent. */
export interface Outcome {
  isBounced: boolean;
  /** Time of opening, or `null` if nobody opens it. */
  openedAt: number | null;
  /** Click on a link, or `null`. */
  click: { at: number; url: string } | null;
}

export interface MessageEntry extends Outcome {
  id: string;
  email: OutgoingEmail;
  sentAt: number;
  senderIp: string;
  /** Size in bytes. */
  size: number;
}

/** A stored template. No operation reads or writes templates. */
export interface EmailTemplate {
  id: string;
  realId: string;
  /** HTML part. Both parts mark variables as `{{name}}`. */
  html: string;
  text: string | null;
}

export function emptyMessages(ledger: Ledger): MessagesState {
  return {
    messages: new Table(ledger, 'email.messages', ({ id }) => id),
    templates: new Table(ledger, 'email.templates', ({ id }) => id),
  };
}
