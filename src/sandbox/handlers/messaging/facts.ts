import { messagingFacts, messagingRules } from '../../../../generated/messaging/details.ts';
import { messagingRoutes, pageSizeOf } from '../../routes.ts';

/** What the spec says in numbers and dates, read from it: nothing here is written a second time. */

/** Since when a system message has to be a template. */
export const systemTextEnds = Date.parse(messagingRules['messaging-system-text-ended'].values.date);

/** Characters of a variable's value. */
export const longestVariable = messagingFacts.longestVariable;

/** Bytes that a web push image has to stay below. */
export const imageBytes = messagingRules['push-image-file'].values.kilobytes * 1024;

/** Seconds over which a web push campaign is sent that names none. */
export const defaultPushStretch = messagingFacts.defaultPushStretch;

/** Most entries in a reply of a web push list. */
export const pushPageSize = pageSizeOf(messagingRoutes, 'listPushCampaigns');
