/** Choices about sender addresses, by id. */
export const senderChoices = {
  'email-sender':
    'Emails and resubscription requests leave from the sender addresses of the account only; any other address is refused with 422.',
  'email-known-sender': 'Adding a sender address that is there changes its name and succeeds.',
} as const;
