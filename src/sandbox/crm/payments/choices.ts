/** Choices about payments, by id. */
export const paymentChoices = {
  'payment-fields': 'A payment in a reply has no fields, because none are documented.',
} as const;
