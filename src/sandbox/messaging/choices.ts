import { blacklistChoices } from './blacklist/choices.ts';
import { campaignChoices } from './campaigns/choices.ts';
import { pushCampaignChoices } from './push-campaigns/choices.ts';
import { senderChoices } from './senders/choices.ts';
import { websiteChoices } from './websites/choices.ts';

/** Choices of this part of the sandbox, by id: those of every resource, and those that several share. */
export const messagingChoices = {
  ...campaignChoices,
  ...senderChoices,
  ...blacklistChoices,
  ...pushCampaignChoices,
  ...websiteChoices,
  'messaging-impossible-date': 'A date that is not in the calendar is refused with 422.',
  'messaging-past-date': 'A campaign whose `send_date` is in the past is sent at once.',
  'messaging-dates-format':
    'Dates in replies are written as `YYYY-MM-DD HH:MM:SS`, where the documents show no format.',
  'messaging-repeated-phone':
    'A phone number that a request names twice gets one message, or one entry. For the number of recipients that a request may have it counts twice; a system message is then refused with HTTP status 422.',
  'messaging-phone-range':
    'A phone number is a whole number above 0 that JSON numbers hold exactly; any other is refused with 422.',
  'messaging-list-order':
    'Lists stand in the order of creation, and recipients in that of the request or mailing list.',
  'messaging-page-size':
    'A page has 100 entries if `limit` is missing or 0. A negative `limit` or `offset` is refused with 422.',
} as const;
