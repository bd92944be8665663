import { type MessagingHandlers, messagingQuotas } from '../../../../generated/messaging/handlers.ts';
import { type PushCampaignCreate, SubscriberStatus } from '../../../../generated/messaging/models.ts';
import { parseDateTime } from '../../dates.ts';
import type { Context } from '../../handler.ts';
import type { WebsiteEntry } from '../../state/messaging.ts';
import { defaultPushStretch } from './facts.ts';
import { readFilters } from './push-filters.ts';
import { imageFault } from './push-image.ts';
import { checkButtons } from './push-json.ts';
import { creationTime } from './push-progress.ts';
import { findWebsite } from './websites.ts';

const quota = messagingQuotas.createPushCampaign;

/** Creates a web push campaign for the subscribers that pass its filters now. */
export const createPushCampaign: MessagingHandlers['createPushCampaign'] = ({ body }, context) => {
  const { messaging } = context.state;
  const website = findWebsite(body.website_id, context);
  const { stretch_time: stretchTime = defaultPushStretch } = body;
  refuseNegativeTimes(body.ttl, stretchTime, context);
  refuseImage(body.image, context);
  checkButtons(body.buttons, context);
  const tests = readFilters(body, context);
  const sendAt = readSendDate(body, context);
  const recent = campaignsWithinQuota(website, context);

  let audience = 0;
  for (const entry of website.subscribers.values())
    if (entry.record.status === SubscriberStatus.Active && tests.every((test) => test(entry))) audience += 1;
  const id = messaging.nextId++;
  messaging.pushCampaigns.set(id, {
    id,
    websiteId: website.id,
    title: body.title,
    body: body.body,
    link: body.link || website.url,
    createdAt: context.now,
    startAt: Math.max(sendAt, context.now + creationTime),
    stretchTime,
    audience,
  });
  website.campaignsCreated = [...recent, context.now];
  context.chose('push-progress');
  return { result: true, id };
};

function refuseNegativeTimes(ttl: number, stretchTime: number, context: Context): void {
  if (ttl < 0 || stretchTime < 0)
    context.refuseByChoice('push-negative-time', { message: 'ttl and stretch_time are 0 or more.' });
}

function refuseImage(image: string | undefined, context: Context): void {
  if (!image) return;
  const fault = imageFault(image);
  if (fault !== undefined) context.refuse('push-image-file', { message: fault, choice: 'push-image-forms' });
  context.chose('push-image-forms');
}

function readSendDate({ send_date: text }: PushCampaignCreate, context: Context): number {
  if (text === undefined) return context.now;
  const sendAt = parseDateTime(text);
  if (sendAt === undefined)
    return context.refuseByChoice('messaging-impossible-date', {
      message: 'send_date is a day and time of the calendar.',
    });
  context.chose('utc-dates');
  if (sendAt < context.now) context.chose('messaging-past-date');
  return sendAt;
}

/** When the campaigns were created that count for the quota; refuses one more than it permits. */
function campaignsWithinQuota({ campaignsCreated }: WebsiteEntry, context: Context): number[] {
  const recent = campaignsCreated.filter((createdAt) => context.now - createdAt < quota.seconds * 1_000);
  if (recent.length >= quota.requests)
    context.refuse('push-campaign-quota', {
      status: 429,
      message: `A website takes ${quota.requests} web push campaign in ${quota.seconds / 60} minutes.`,
      choice: 'push-quota-answer',
    });
  return recent;
}
