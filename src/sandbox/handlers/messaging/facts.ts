import { messagingPageSizes, messagingRules } from '../../../../generated/messaging/handlers.ts';
import { zCampaignCreate, zPushCampaignCreate } from '../../../../generated/messaging/validators.ts';

/** What the spec says in numbers and dates, read from it: nothing here is written a second time. */

/** Since when a system message has to be a template. */
export const systemTextEnds = Date.parse(messagingRules['messaging-system-text-ended'].values.date);

/** Characters of a variable's value. */
export const longestVariable = zCampaignCreate.shape.variables.unwrap().valueType.maxLength ?? Number.POSITIVE_INFINITY;

/** Bytes that a web push image has to stay below. */
export const imageBytes = messagingRules['push-image-file'].values.kilobytes * 1024;

/** Seconds over which a web push campaign is sent that names none. */
export const defaultPushStretch = zPushCampaignCreate.shape.stretch_time.parse(undefined);

/** Most entries in a reply of a web push list. */
export const pushPageSize = messagingPageSizes.listPushCampaigns;
