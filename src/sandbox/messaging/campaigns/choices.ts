import { ResendSmsStatus } from '../../../../generated/messaging/models.ts';

const { AwaitingSend, Creating, Created, SenderNotRegistered } = ResendSmsStatus;

/** Choices about messaging-app campaigns, by id. */
export const campaignChoices = {
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
  'messaging-incomplete-extra':
    'A button needs a text and a link, and a resend through SMS a text and a sender name; a campaign without them is refused with 422.',
  'messaging-empty-content':
    'An empty text of a campaign counts as none, and so do a button without text and link and an image without a link.',
  'messaging-generated-name': 'A campaign without a name is called `Campaign of` and the date of its creation.',
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
} as const;
