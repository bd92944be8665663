/** Choices about access tokens, by id. */
export const tokenChoices = {
  'token-request-incomplete': 'A token request that lacks one of its three fields is answered with 422.',
  'client-refused': 'Client credentials that the sandbox was not given are answered with 401.',
} as const;
