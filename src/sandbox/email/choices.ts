import { domainChoices } from './domains/choices.ts';
import { messageChoices } from './messages/choices.ts';
import { senderChoices } from './senders/choices.ts';
import { unsubscribeChoices } from './unsubscribes/choices.ts';

/** Choices of this part of the sandbox, by id: those of every resource, and those that several share. */
export const emailChoices = {
  ...messageChoices,
  ...unsubscribeChoices,
  ...senderChoices,
  ...domainChoices,
  'email-account-active':
    'The SMTP account is activated; while `state.email.activated` is false, every operation is answered with 403.',
  'email-refusal-answer':
    'A request that breaks a rule of Document 3 is answered with 422 and a sentence in `message`, since the documents show no answer.',
  'email-address':
    'An address has one @ between two parts and no blanks; an email without one in `from` and for every recipient, an email without a recipient in `to`, and an address to unsubscribe that is none are refused with 422. Addresses are compared without regard to case.',
  'email-dates-format': 'Dates in replies are written as `YYYY-MM-DD HH:MM:SS`, where the documents show no format.',
  'email-list-order':
    'Messages, bounces and unsubscribed addresses are listed with the newest first, sender addresses and sending domains in the order in which they were added.',
  'email-page-size':
    'A page has 100 entries if `limit` is missing or 0. A negative `limit` or `offset` is refused with 422.',
} as const;
