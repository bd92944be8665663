import type { MessageType } from '../../../../generated/messaging/models.ts';

export interface CampaignsState {
  templates: Map<number, Template>;
  /** Phone numbers of the mailing lists. No operation reads or writes mailing lists. */
  mailingLists: Map<number, number[]>;
  campaigns: Map<number, Campaign>;
}

/** A template of a sender name. No operation reads or writes templates. */
export interface Template {
  id: number;
  senderId: number;
  approved: boolean;
  /** Text of the message. Variables are marked as `{{name}}`. */
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
  /** Time to live of a message, in seconds. */
  liveTime: number;
  /** Duration of sending, in hours. */
  stretchTime: number;
  createdAt: number;
  sendAt: number;
  phones: number[];
  /** Phone numbers that were on the blacklist when the campaign was created. */
  blocked: Set<number>;
}

export function emptyCampaigns(): CampaignsState {
  return { templates: new Map(), mailingLists: new Map(), campaigns: new Map() };
}
