/** Choices about the team, by id. */
export const teamChoices = {
  'no-team': 'A sandbox without any team members accepts any `responsibleId`.',
} as const;
