/** Choices about the blacklist, by id. */
export const blacklistChoices = {
  'blacklist-existing-entry': 'Adding a phone number that is already on the blacklist does not change its entry.',
  'blacklist-user': 'All new blacklist entries have the `user_id` of the same team member.',
} as const;
