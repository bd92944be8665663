/** Choices about unsubscribed addresses and resubscription, by id. */
export const unsubscribeChoices = {
  'email-unsubscribe-entry':
    'An address unsubscribed by a request has 1 in `unsubscribe_by_user` and 0 in the other fields.',
  'email-unsubscribed-already': 'Unsubscribing an address that is already on the list does not change its entry.',
  'email-not-unsubscribed': 'Removing an address that is not on the list changes nothing and succeeds.',
  'email-no-addresses': 'A request to unsubscribe or remove no addresses changes nothing and succeeds.',
  'email-resubscribe-unlisted': 'A resubscription request for an address that is not on the list gets status 422.',
  'email-quota-answer':
    'A resubscription request beyond the quota gets status 429, whatever its address. `Retry-After` has the whole seconds until the quota permits another request. Refused requests do not count.',
  'email-confirmation':
    'The confirmation email is in English, whatever the value of `lang`. It has no link, and the recipient never confirms.',
} as const;
