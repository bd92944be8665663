import { crmRules } from '../../generated/crm/reference.ts';
import { emailRules } from '../../generated/email/reference.ts';
import { messagingRules } from '../../generated/messaging/reference.ts';

/** Every rule of behaviour in the specs, by id. */
export const rules = { ...crmRules, ...messagingRules, ...emailRules } as const;

/** Id of a rule. */
export type AnyRule = keyof typeof rules;
