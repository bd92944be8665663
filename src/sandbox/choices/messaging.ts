import { PushCampaignStatus, ResendSmsStatus } from '../../../generated/messaging/models.ts';

const { New, InProgress, Sent, NoActiveRecipients, CreationInProgress } = PushCampaignStatus;
const { AwaitingSend, Creating, Created, SenderNotRegistered } = ResendSmsStatus;

/** Choices of this part of the sandbox, by id. */
export const messagingChoices = {
  'messaging-code-answer':
    'A campaign that a documented code refuses is answered with HTTP status 422. Where several codes fit, they answer in this order: several recipients, a text beside a template, a template that is missing or unknown, one that is not approved, one of another sender, a variable without a value, a value that is too long or holds a link.',
  'messaging-refusal-without-code':
    'A campaign that breaks a rule without a documented code is answered with 422 and a sentence in `message`.',
  'messaging-system-text-code':
    'A system message sent as text, now that only templates work, is answered with HTTP status 422 and the code for a missing template. In UTC, the day on which text ends begins at midnight.',
  'messaging-system-mailing-list':
    'A system message to a mailing list is answered with HTTP status 422 and the code for several recipients, since it may go to a single phone number only.',
  'messaging-template-text':
    'Templates mark a variable as `{{name}}`; a text matches a template if it is equal to it, as it stands or with every variable filled in.',
  'messaging-variables-unknown': 'Variables that a template does not have, and those beside a text, are ignored.',
  'messaging-link-in-variable':
    'A variable counts as one with a link, which HTTP status 422 and its code refuse, if it has an address with a scheme, one that starts with `www.`, or a domain followed by a path.',
  'messaging-sender-status': 'A sender name is active if its `status` is `active`.',
  'messaging-incomplete-extra':
    'A button needs a text and a link, and a resend through SMS a text and a sender name; a campaign without them is refused with 422.',
  'messaging-empty-content':
    'An empty text of a campaign counts as none, and so do a button without text and link and an image without a link.',
  'messaging-impossible-date': 'A date that is not in the calendar is refused with 422.',
  'messaging-past-date': 'A campaign whose `send_date` is in the past is sent at once.',
  'messaging-generated-name': 'A campaign without a name is called `Campaign of` and the date of its creation.',
  'messaging-dates-format':
    'Dates in replies are written as `YYYY-MM-DD HH:MM:SS`, where the documents show no format.',
  'messaging-repeated-phone':
    'A phone number that a request names twice gets one message, or one entry. For the number of recipients that a request may have it counts twice; a system message is then refused with HTTP status 422.',
  'messaging-phone-range':
    'A phone number is a whole number above 0 that JSON numbers hold exactly; any other is refused with 422.',
  'messaging-test-task-id': 'An emulated campaign is answered with the test ID 999999999, which no campaign has.',
  'messaging-campaign-status': 'The status of a messaging-app campaign is null, since its values are not documented.',
  'messaging-delivery':
    'The last digit of a phone number decides what becomes of a message: 0 delivered, 1 and 2 opened, 3 to 5 read, 6 and 7 a click on the button, where there is one, 8 not delivered when its time to live is over, 9 an error. It is delivered after 10 seconds, opened after 30, read after 60, clicked after 120. The seven statuses are written as the phrases of Document 2.',
  'messaging-blacklisted-recipient':
    'A phone number that is on the blacklist when a campaign is created gets the status `not delivered`.',
  'messaging-statistics':
    'A message counts as sent from its sending on, as delivered once it is, as read once it is read or clicked.',
  'messaging-recipient-listed': 'A recipient is listed from the sending of the message on.',
  'messaging-price': 'A delivered message costs 0.042; any other is free.',
  'messaging-gradual-distances':
    'With `stretch_time` the messages leave in equal distances, in the order of the recipients.',
  'messaging-resend-sms-status': `The resend through SMS waits (${AwaitingSend}) until the time to live of the last message is over, is being created (${Creating}) for a minute, then created (${Created}); it ends with ${SenderNotRegistered} if its sender is not a sender name of the account.`,
  'messaging-list-order':
    'Lists stand in the order of creation, and recipients in that of the request or mailing list.',
  'messaging-page-size':
    'A page has 100 entries if `limit` is missing or 0. A negative `limit` or `offset` is refused with 422.',
  'blacklist-existing-entry': 'Adding a phone number that is on the blacklist changes nothing about its entry.',
  'blacklist-user': 'The `user_id` of every new blacklist entry is the same member of the team.',
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
  'push-website-status': 'The status of a website is 1 in the list and `active` when it is read, or 0 and `inactive`.',
  'push-subscriber-count': 'All subscribers are counted, also the deactivated and unsubscribed ones.',
  'push-subscription-dates': 'The bounds of the subscription date are inclusive.',
  'push-variables-cut':
    'The variables of a website, which are read without pages, end with those that a reply of web push may hold.',
  'push-variable-entry': 'A variable of a subscriber is written as `{name, value}`.',
  'push-script': 'The script of a website stands at `https://push.example.com/<id>.js`.',
} as const;
