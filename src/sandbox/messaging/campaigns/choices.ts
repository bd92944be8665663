import { ResendSmsStatus } from '../../../../generated/messaging/models.ts';

const { AwaitingSend, Creating, Created, SenderNotRegistered } = ResendSmsStatus;

/** Choices about messaging-app campaigns, by id. */
export const campaignChoices = {
  'messaging-code-answer':
    'A campaign refused with a documented code gets HTTP status 422. If several codes apply, the first in this order is returned: several recipients, text together with a template, a missing or unknown template, an unapproved template, a template of another sender, a variable without a value, a value that is too long or contains a link.',
  'messaging-refusal-without-code':
    'A campaign that breaks a rule without a documented code gets status 422 and a sentence in `message`.',
  'messaging-system-text-code':
    'A system message sent as text after text has ended gets HTTP status 422 and the code for a missing template. The day on which text ends begins at midnight UTC.',
  'messaging-system-mailing-list':
    'A system message to a mailing list gets HTTP status 422 and the code for several recipients, because it may only go to a single phone number.',
  'messaging-template-text':
    'Templates mark a variable as `{{name}}`. A text matches a template if it is equal to it, either unchanged or with all variables filled in.',
  'messaging-variables-unknown':
    'Variables that a template does not have, and variables sent with a text, are ignored.',
  'messaging-link-in-variable':
    'HTTP status 422 and its code refuse a variable with a link. A link is an address with a scheme, an address that starts with `www.`, or a domain followed by a path.',
  'messaging-incomplete-extra':
    'A button needs a text and a link, and a resend through SMS needs a text and a sender name. A campaign without them gets status 422.',
  'messaging-empty-content':
    'An empty campaign text counts as missing. So do a button without a text and a link, and an image without a link.',
  'messaging-generated-name': 'A campaign without a name is called `Campaign of` followed by its creation date.',
  'messaging-test-task-id': 'An emulated campaign returns the test ID 999999999, which no campaign has.',
  'messaging-campaign-status': 'The status of a messaging-app campaign is null, because its values are not documented.',
  'messaging-delivery':
    'The last digit of the phone number determines the outcome of a message: 0 delivered; 1 and 2 opened; 3 to 5 read; 6 and 7 button clicked, if there is a button; 8 not delivered when its time to live ends; 9 error. A message is delivered after 10 seconds, opened after 30, read after 60 and clicked after 120. The seven statuses are the phrases of Document 2.',
  'messaging-blacklisted-recipient':
    'A phone number on the blacklist when a campaign is created gets the status `not delivered`.',
  'messaging-statistics':
    'A message counts as sent once it is sent, as delivered once it is delivered, and as read once it is read or clicked.',
  'messaging-recipient-listed': 'Recipients are listed once their message is sent.',
  'messaging-price': 'A delivered message costs 0.042. Any other message is free.',
  'messaging-gradual-distances':
    'With `stretch_time`, messages are sent at equal intervals, in the order of the recipients.',
  'messaging-resend-sms-status': `The resend through SMS waits (${AwaitingSend}) until the time to live of the last message ends. It is then being created (${Creating}) for a minute, and then created (${Created}). It ends with ${SenderNotRegistered} if its sender is not a sender name of the account.`,
} as const;
