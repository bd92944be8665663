import { messagingBehaviour } from '../../../../generated/messaging/behaviour.ts';
import { type PushCampaignCreate, SubscriberStatus } from '../../../../generated/messaging/models.ts';
import { messagingFacts, messagingRules } from '../../../../generated/messaging/reference.ts';
import {
  zPushCampaignCreate,
  zPushCampaignListItem,
  zPushCampaignStatistics,
} from '../../../../generated/messaging/zod.ts';
import { newId } from '../../data/settings.ts';
import { decodeBase64 } from '../../rules/bytes.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { countIf } from '../../rules/paging.ts';
import { checkQuota } from '../../rules/quota.ts';
import { unhandledFields } from '../../rules/unhandled-fields.ts';
import { readDate } from '../request-fields.ts';
import { subscribersOf } from '../websites.ts';
import { findWebsite } from '../websites-handlers.ts';
import { readFilters, type SubscriberTest } from './filters.ts';
import { readButtons, rejectManyButtons } from './json-fields.ts';
import { bytesPerKilobyte, creationTime, maxYear } from './push-campaigns.ts';

const quota = messagingBehaviour.createPushCampaign.quota;
/** The last time that the documented date format can express. */
const endOfDates = Date.UTC(maxYear, 11, 31, 23, 59, 59);
/** A web push image must be smaller than this number of bytes. */
const imageBytes = messagingRules['push-image-file'].values.kilobytes * bytesPerKilobyte;

/** Permitted file types, with the first characters of their Base64 form and their file extensions. */
const kinds = [
  { base64: '/9j/', endings: ['jpg', 'jpeg'] },
  { base64: 'iVBORw0KGgo', endings: ['png'] },
  { base64: 'R0lGOD', endings: ['gif'] },
];

/**
 * Creates a web push campaign for the subscribers that currently match its filters. Checks the shape first, then the
 * limits, then the state.
 */
export const createPushCampaign: Handlers['messaging']['createPushCampaign'] = {
  always: ['push-progress'],
  handle({ body }, context) {
    const { messaging } = context.state;
    const { stretch_time: stretchTime = messagingFacts.defaultPushStretch } = body;
    markEmptyStrings(body, context);
    const buttons = readButtons(body.buttons, context);
    const tests = readFilters(body, context);
    const startAt = readStart(body, context);
    rejectTimes({ ttl: body.ttl, stretchTime, startAt }, context);
    rejectImage(body.image, context);
    rejectManyButtons(buttons, context);
    const website = findWebsite(body.website_id, context);
    const recent = checkQuota(context, website.campaignsCreated, quota, 'push-campaign-quota', {
      message: `The quota of a website is ${quota.requests} web push campaign per ${quota.seconds / 60} minutes.`,
      choice: 'push-quota-response',
    });

    const isActive: SubscriberTest = ({ record }) => record.status === SubscriberStatus.Active;
    const audience = countIf(subscribersOf(messaging, website.id), (entry) =>
      [isActive, ...tests].every((test) => test(entry)),
    );
    const id = newId(messaging);
    const { title, body: text, website_id: _, ...untreated } = body;
    messaging.pushCampaigns.put({
      ...unhandledFields(untreated, zPushCampaignCreate, zPushCampaignListItem, zPushCampaignStatistics),
      id,
      websiteId: website.id,
      title,
      body: text,
      link: body.link?.trim() || website.url,
      createdAt: context.now,
      startAt,
      stretchTime,
      audience,
    });
    messaging.websites.put({ ...website, campaignsCreated: [...recent, context.now] });
    return { result: true, id };
  },
};

function markEmptyStrings(body: PushCampaignCreate, context: Context): void {
  const { link, image, buttons, filter_lang, filter_browser, filter_region, filter_url } = body;
  const strings = [link, image, buttons, filter_lang, filter_browser, filter_region, filter_url];
  if (strings.some((one) => one?.trim() === '')) context.chose('push-empty-text');
}

/** Returns the time at which sending starts, which is never before the campaign has been created. */
function readStart({ send_date: text }: PushCampaignCreate, context: Context): number {
  const created = context.now + creationTime;
  if (text === undefined) return created;
  const sendAt = readDate('send_date', text, context);
  if (sendAt < context.now) context.chose('messaging-past-date');
  return Math.max(sendAt, created);
}

function rejectTimes(
  { ttl, stretchTime, startAt }: { ttl: number; stretchTime: number; startAt: number },
  context: Context,
): void {
  if (ttl < 0 || stretchTime < 0)
    context.rejectByChoice('push-time-range', 'ttl and stretch_time must not be negative.');
  if (startAt + stretchTime * 1_000 > endOfDates)
    context.rejectByChoice('push-time-range', 'Sending must end before the year 10000.');
}

function rejectImage(image: string | undefined, context: Context): void {
  if (!image?.trim()) return;
  const fault = imageFault(image);
  if (fault !== undefined) context.reject('push-image-file', { message: fault, choice: 'push-image-forms' });
  context.chose('push-image-forms');
}

/** Returns the problem with the larger image of a notification, or `undefined` if the image is valid. */
function imageFault(image: string): string | undefined {
  if (/^https?:\/\//i.test(image)) return addressFault(image);
  // Base64 may contain line breaks, so whitespace in it has no meaning.
  const base64 = image
    .trim()
    .replace(/^data:[\w/+.-]{0,100};base64,/i, '')
    .trimStart();
  const begin = base64.slice(0, 100).replace(/\s/g, '');
  const length = kinds.some((kind) => begin.startsWith(kind.base64)) ? decodeBase64(base64)?.length : undefined;
  if (length === undefined) return 'image must be a URL, or a JPG, PNG or GIF file in Base64.';
  return length < imageBytes ? undefined : `image must be smaller than ${imageBytes} bytes.`;
}

function addressFault(image: string): string | undefined {
  if (!URL.canParse(image)) return 'image is not a valid URL.';
  const ending = /\.(\w+)$/.exec(new URL(image).pathname)?.[1]?.toLowerCase();
  if (ending === undefined || kinds.some(({ endings }) => endings.includes(ending))) return undefined;
  return 'image must be a JPG, PNG or GIF file.';
}
