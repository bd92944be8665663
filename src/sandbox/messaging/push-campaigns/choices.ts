import { PushCampaignStatus } from '../../../../generated/messaging/models.ts';

const { New, InProgress, Sent, NoActiveRecipients, CreationInProgress } = PushCampaignStatus;

/** Choices about web push campaigns, by id. */
export const pushCampaignChoices = {
  'push-quota-answer':
    'A web push campaign beyond the quota of its website gets status 429. The quota period starts when a campaign is created and excludes its last moment. `Retry-After` has the whole seconds until the quota permits another campaign.',
  'push-refusal-answer':
    'A web push campaign that breaks a documented rule gets status 422 and the rule in `message`, because the reply is not documented.',
  'push-json-text': 'A field that holds JSON in a string gets status 422 if it is not JSON of the documented form.',
  'push-empty-text': 'A blank or empty link, image, list of buttons or filter counts as missing.',
  'push-incomplete-button': 'A button without a text or a link gets status 422.',
  'push-incomplete-filter':
    'A filter needs a variable, and each of its conditions needs a condition and a value. `filter_url` needs a type and a search. An incomplete filter gets status 422, and an empty one counts as missing. Without an operator, all conditions must hold.',
  'push-filter-matching':
    'Comparisons of languages, browsers and countries ignore case. `filter_url` checks the page of the subscription. Dates are inclusive. A subscriber without the variable matches only `notequal` and `notlikewith`. `greaterthan` and `lessthan` compare numbers if both sides are numbers, and otherwise texts.',
  'push-time-range': 'A negative `ttl` or `stretch_time`, and sending that ends after the year 9999, get status 422.',
  'push-image-forms':
    'A picture in `image` is an address or Base64, which may be a data URI. An address is checked by its file extension, if it has one. Base64 is checked by its first bytes and its size. One KB is 1,024 bytes.',
  'push-progress': `A web push campaign is being created (${CreationInProgress}) for 10 seconds, then new (${New}) until its date, in progress (${InProgress}) for its \`stretch_time\`, and then sent (${Sent}). A campaign without recipients ends with ${NoActiveRecipients} once it is created. The recipients are the subscribers that were active when it was created.`,
  'push-statistics':
    'Notifications are sent at equal intervals. Every 20th notification is not delivered, and every 12th delivered one is clicked.',
  'push-period':
    '`from` and `to` of a web push campaign are the start and end of sending. The list compares `from` with its period, which includes its bounds.',
  'push-website-filter':
    'In the list of campaigns, a `website_id` of 0 counts as missing, and an unknown ID returns no campaigns.',
} as const;
