/** Choices about payments, by id. */
export const paymentChoices = {
  'payment-fields': 'A payment in a reply holds no field, since none is documented.',
} as const;
