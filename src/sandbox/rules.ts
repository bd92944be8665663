import { crmRules } from '../../generated/crm/details.ts';
import { emailRules } from '../../generated/email/details.ts';
import { messagingRules } from '../../generated/messaging/details.ts';

/** Every rule of behaviour in the specs, by id. */
export const rules = { ...crmRules, ...messagingRules, ...emailRules } as const;

/** Id of a rule. */
export type AnyRule = keyof typeof rules;
