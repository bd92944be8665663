import { rules } from '../../generated/rules.ts';

export { rules };

/** Id of a rule. */
export type AnyRule = keyof typeof rules;
