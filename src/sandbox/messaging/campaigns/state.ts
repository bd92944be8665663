import type { MessageType } from '../../../../generated/messaging/models.ts';

export interface CampaignsState {
  templates: Map<number, Template>;
  /** Phone numbers of the mailing lists. No operation reads or writes one. */
  mailingLists: Map<number, number[]>;
  campaigns: Map<number, Campaign>;
}

/** A template of a sender name. No operation reads or writes one. */
export interface Template {
  id: number;
  senderId: number;
  approved: boolean;
  /** Variables are written as `{{name}}`. */
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

export function emptyCampaigns(): CampaignsState {
  return { templates: new Map(), mailingLists: new Map(), campaigns: new Map() };
}
