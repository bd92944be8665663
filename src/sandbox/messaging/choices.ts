import { blacklistChoices } from './blacklist/choices.ts';
import { campaignChoices } from './campaigns/choices.ts';
import { pushCampaignChoices } from './push-campaigns/choices.ts';
import { senderChoices } from './senders/choices.ts';
import { websiteChoices } from './websites/choices.ts';

/** Messaging choices by id: those of each resource, and those that several resources share. */
export const messagingChoices = {
  ...campaignChoices,
  ...senderChoices,
  ...blacklistChoices,
  ...pushCampaignChoices,
  ...websiteChoices,
  'messaging-impossible-date': 'A date that does not exist gets status 422.',
  'messaging-past-date': 'A campaign with a `send_date` in the past is sent at once.',
  'messaging-dates-format': 'Dates in replies have the format `YYYY-MM-DD HH:MM:SS` if no format is documented.',
  'messaging-repeated-phone':
    'A phone number that appears twice in a request gets one message or one entry. It counts twice towards the maximum number of recipients of a request, so a system message then gets HTTP status 422.',
  'messaging-phone-range':
    'A phone number is an integer above 0 that JSON numbers represent exactly. Any other value gets status 422.',
  'messaging-list-order':
    'Lists are in order of creation. Recipients are in the order of the request or the mailing list.',
  'messaging-page-size':
    'A page has 100 entries if `limit` is missing or 0. A negative `limit` or `offset` gets status 422.',
} as const;
