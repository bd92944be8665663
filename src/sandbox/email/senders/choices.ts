/** Choices about sender addresses, by id. */
export const senderChoices = {
  'email-sender':
    'Emails and resubscription requests must use a sender address of the account. Any other address gets status 422.',
  'email-known-sender': 'Adding an existing sender address changes its name and succeeds.',
} as const;
