/** Choices about sender names, by id. */
export const senderChoices = {
  'messaging-sender-status': 'A sender name is active if its `status` is `active`.',
} as const;
