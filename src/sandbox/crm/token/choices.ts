/** Choices about access tokens, by id. */
export const tokenChoices = {
  'token-request-incomplete': 'A token request without all three fields gets status 422.',
  'client-refused': 'Unknown client credentials get status 401.',
} as const;
