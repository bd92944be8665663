/** Choices about unsubscribed addresses and resubscription, by id. */
export const unsubscribeChoices = {
  'email-unsubscribe-entry':
    'An address that is unsubscribed by request has 1 as `unsubscribe_by_user` and 0 in the other fields.',
  'email-unsubscribed-already': 'Unsubscribing an address that is on the list changes nothing about its entry.',
  'email-not-unsubscribed': 'Removing an address that is not on the list changes nothing and succeeds.',
  'email-no-addresses': 'A request without addresses to unsubscribe or to remove changes nothing and succeeds.',
  'email-resubscribe-unlisted': 'A resubscription request for an address that is not on the list is refused with 422.',
  'email-quota-answer':
    'A resubscription request beyond the quota is answered with 429, whatever address it names, and `Retry-After` with the whole seconds until it is free; requests that were refused do not count.',
  'email-confirmation':
    'The confirmation email is in English, whatever `lang` says. It has no link, and nothing makes the recipient confirm.',
} as const;
