/** Choices about the blacklist, by id. */
export const blacklistChoices = {
  'blacklist-existing-entry': 'Adding a phone number that is on the blacklist changes nothing about its entry.',
  'blacklist-user': 'The `user_id` of every new blacklist entry is the same member of the team.',
} as const;
