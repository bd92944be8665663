/** Choices about sending domains, by id. */
export const domainChoices = {
  'email-new-domain':
    'A new sending domain has status 0 and no check passed, expires after 365 days, and stays so; the first one is the default.',
  'email-domain-failure':
    'A domain that is there, or that cannot be one, is answered with status 200, `result` false and a sentence in `error`.',
  'email-domain-added': 'The `error` of a domain that was added is null.',
} as const;
