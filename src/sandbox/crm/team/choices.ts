/** Choices about the team, by id. */
export const teamChoices = {
  'no-team': 'A sandbox that holds no team member at all accepts any `responsibleId`.',
} as const;
