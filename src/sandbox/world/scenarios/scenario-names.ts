/** The built-in scenarios, each with a file in `scenarios/`. */
export const scenarioNames = [
  'empty',
  'large',
  'quota-used-up',
  'slow',
  'failing',
  'expired-key',
  'unsubscribed',
] as const;

/** Name of a built-in scenario. */
export type ScenarioName = (typeof scenarioNames)[number];
