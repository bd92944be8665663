import { PushCampaignStatus } from '../../../../generated/messaging/models.ts';

const { New, InProgress, Sent, NoActiveRecipients, CreationInProgress } = PushCampaignStatus;

/** Choices about web push campaigns, by id. */
export const pushCampaignChoices = {
  'push-quota-answer':
    'A web push campaign beyond the quota of its website is answered with 429. The time counts from the creation of a campaign, and its last moment is free again. `Retry-After` has the whole seconds until then.',
  'push-refusal-answer':
    'A web push campaign that breaks a documented rule is answered with 422 and the rule in `message`, since the documents show no answer.',
  'push-json-text': 'A field that holds JSON in a string is refused with 422 if it is not JSON of the described form.',
  'push-empty-text':
    'A link, an image, buttons and a filter that are an empty text, or one of blanks, count as not given.',
  'push-incomplete-button': 'A button without a text or without a link is refused with 422.',
  'push-incomplete-filter':
    'A filter needs a variable and, in each condition, a condition and a value; `filter_url` needs a type and a search. One that lacks a part is refused with 422, an empty one counts as not given. Without an operator all conditions have to hold.',
  'push-filter-matching':
    'Languages, browsers and countries are compared without regard to case; `filter_url` looks at the page of the subscription; dates are inclusive. A subscriber without the variable meets `notequal` and `notlikewith` only. `greaterthan` and `lessthan` compare numbers if both sides are numbers, else texts.',
  'push-time-range':
    'A negative `ttl` or `stretch_time`, and a sending that does not end while years have four digits, are refused with 422.',
  'push-image-forms':
    'A picture in `image` is an address or Base64 (also as a data URI). An address is held to its file name, if that has an ending; Base64 to its first bytes and its size, a KB being 1,024 bytes.',
  'push-progress': `A web push campaign is being created (${CreationInProgress}) for 10 seconds, then new (${New}) until its date, in progress (${InProgress}) for its \`stretch_time\`, then sent (${Sent}); one that reaches nobody ends with ${NoActiveRecipients} once it is created. It reaches the subscribers that were active when it was created.`,
  'push-statistics':
    'Notifications leave in equal distances. Every 20th is not delivered, and every 12th delivered one is clicked.',
  'push-period':
    '`from` and `to` of a web push campaign are the start and end of its sending; the list compares `from` with its period, bounds included.',
  'push-website-filter':
    'A `website_id` of 0 counts as not given where campaigns are listed; the ID of no website finds none.',
} as const;
