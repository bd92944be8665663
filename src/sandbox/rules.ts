import { crmRules } from '../../generated/crm/handlers.ts';
import { emailRules } from '../../generated/email/handlers.ts';
import { messagingRules } from '../../generated/messaging/handlers.ts';

/** Every rule of behaviour in the specs, by id. */
export const rules = { ...crmRules, ...messagingRules, ...emailRules } as const;

/** Id of a rule. */
export type AnyRule = keyof typeof rules;
