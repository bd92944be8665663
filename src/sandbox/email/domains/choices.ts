/** Choices about sending domains, by id. */
export const domainChoices = {
  'email-new-domain':
    'A new sending domain has status 0, has passed no checks and expires after 365 days. This does not change. The first domain is the default.',
  'email-domain-failure':
    'Adding an existing or invalid domain returns status 200 with `result` false and a sentence in `error`.',
  'email-domain-added': 'The `error` of an added domain is null.',
} as const;
