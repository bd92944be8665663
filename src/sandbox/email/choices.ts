import { domainChoices } from './domains/choices.ts';
import { messageChoices } from './messages/choices.ts';
import { senderChoices } from './senders/choices.ts';
import { unsubscribeChoices } from './unsubscribes/choices.ts';

/** Email choices by id: those of each resource, and those that several resources share. */
export const emailChoices = {
  ...messageChoices,
  ...unsubscribeChoices,
  ...senderChoices,
  ...domainChoices,
  'email-account-active':
    'The SMTP account is activated. While `state.email.activated` is false, all email operations return status 403.',
  'email-refusal-answer':
    'A request that breaks a rule of Document 3 gets status 422 and a sentence in `message`, because the reply is not documented.',
  'email-address':
    'An address has one @ between two parts, and no blanks. Status 422 refuses an email without a valid address in `from` or for a recipient, an email without a recipient in `to`, and an invalid address to unsubscribe. Comparisons of addresses ignore case.',
  'email-dates-format': 'Dates in replies have the format `YYYY-MM-DD HH:MM:SS` if no format is documented.',
  'email-list-order':
    'Messages, bounces and unsubscribed addresses are listed newest first. Sender addresses and sending domains are listed in the order in which they were added.',
  'email-page-size':
    'A page has 100 entries if `limit` is missing or 0. A negative `limit` or `offset` gets status 422.',
} as const;
