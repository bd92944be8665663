import type { MessageType } from '../../../../generated/messaging/models.ts';
import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';

export interface CampaignsState {
  templates: Table<number, Template>;
  mailingLists: Table<number, MailingList>;
  campaigns: Table<number, Campaign>;
}

/** A template of a sender name. No operation reads or writes templates. */
export interface Template {
  id: number;
  senderId: number;
  approved: boolean;
  /** Text of the message. Variables are marked as `{{name}}`. */
  text: string;
}

/** A mailing list. No operation reads or writes mailing lists. */
export interface MailingList {
  id: number;
  /** Phone numbers. */
  phones: readonly number[];
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
  /** Time to live of a message, in seconds. */
  liveTime: number;
  /** Duration of sending, in hours. */
  stretchTime: number;
  createdAt: number;
  sendAt: number;
  phones: readonly number[];
  /** Phone numbers that were on the blacklist when the campaign was created. */
  blocked: readonly number[];
}

export function emptyCampaigns(ledger: Ledger): CampaignsState {
  return {
    templates: new Table(ledger, 'messaging.templates', ({ id }) => id),
    mailingLists: new Table(ledger, 'messaging.mailingLists', ({ id }) => id),
    campaigns: new Table(ledger, 'messaging.campaigns', ({ id }) => id),
  };
}
