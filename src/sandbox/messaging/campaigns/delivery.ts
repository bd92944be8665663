import { type CampaignStatistics, ResendSmsStatus } from '../../../../generated/messaging/models.ts';
import { hour, second } from '../../data/dates.ts';
import type { SenderNamesTables } from '../senders.ts';
import { type Campaign, deliverySteps, resendCreationTime } from './campaigns.ts';

/** The current state of a message. */
export interface MessageDelivery {
  phone: number;
  status: MessageStatus;
  sentAt: number;
  changedAt: number;
}

export type MessageStatus = 'send' | (typeof deliverySteps)[number]['status'] | 'not delivered' | 'error';

/** How many steps a message reaches, by the last digit of the phone number. With any other digit, the message fails. */
const stepsByDigit = [1, 2, 2, 3, 3, 3, 4, 4];

/** Returns the messages that have been sent so far. */
export function* deliveries(campaign: Readonly<Campaign>, now: number): Generator<MessageDelivery> {
  const blocked = new Set(campaign.blocked);
  for (const [place, phone] of campaign.phones.entries()) {
    const sentAt = leavesAt(campaign, place);
    if (sentAt > now) return;
    yield { phone, sentAt, ...outcome(campaign, phone, blocked.has(phone), sentAt, now) };
  }
}

/** Returns the time at which the message to a recipient is sent. `place` is the recipient's index in the list. */
function leavesAt({ phones, sendAt, stretchTime }: Campaign, place: number): number {
  return sendAt + Math.floor((stretchTime * hour * place) / phones.length);
}

function outcome(
  { button, liveTime }: Readonly<Campaign>,
  phone: number,
  isBlocked: boolean,
  sentAt: number,
  now: number,
): Pick<MessageDelivery, 'status' | 'changedAt'> {
  if (isBlocked) return { status: 'not delivered', changedAt: sentAt };
  const digit = phone % 10;
  const reached = stepsByDigit[digit];
  if (reached === undefined) {
    const failure = digit === 9 ? 'error' : 'not delivered';
    const changedAt = sentAt + (digit === 9 ? deliverySteps[0].after : liveTime * second);
    return now < changedAt ? { status: 'send', changedAt: sentAt } : { status: failure, changedAt };
  }
  const step = deliverySteps
    .slice(0, button ? reached : Math.min(reached, 3))
    .findLast(({ after }) => sentAt + after <= now);
  return step ? { status: step.status, changedAt: sentAt + step.after } : { status: 'send', changedAt: sentAt };
}

/** Returns whether a status means that the message has reached its recipient. */
export function isDelivered(status: MessageStatus): boolean {
  return deliverySteps.some((step) => step.status === status);
}

/** Counts the messages that have been sent so far. */
export function statistic(campaign: Campaign, now: number): CampaignStatistics['statistic'] {
  const counted = { sent: 0, delivered: 0, read: 0, redirected: 0, undelivered: 0, errors: 0 };
  for (const { status } of deliveries(campaign, now)) {
    counted.sent += 1;
    if (isDelivered(status)) counted.delivered += 1;
    if (status === 'delivered and read' || status === 'read and a clickthrough followed') counted.read += 1;
    if (status === 'read and a clickthrough followed') counted.redirected += 1;
    if (status === 'not delivered') counted.undelivered += 1;
    if (status === 'error') counted.errors += 1;
  }
  return counted;
}

/** Returns the status of the resend through SMS, or `null`. */
export function resendStatus(campaign: Campaign, { senders }: SenderNamesTables, now: number): ResendSmsStatus | null {
  const { resend, sendAt, phones, liveTime } = campaign;
  if (!resend) return null;
  const lastLeaves = phones.length > 0 ? leavesAt(campaign, phones.length - 1) : sendAt;
  const begins = lastLeaves + liveTime * second;
  if (now < begins) return ResendSmsStatus.AwaitingSend;
  const registered = [...senders.values()].some(({ name }) => name === resend.senderName);
  if (!registered) return ResendSmsStatus.SenderNotRegistered;
  return now < begins + resendCreationTime ? ResendSmsStatus.Creating : ResendSmsStatus.Created;
}
