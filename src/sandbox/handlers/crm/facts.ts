import { crmRules } from '../../../../generated/crm/details.ts';

/** What the spec says in its rules, read from them: nothing here is written a second time. */

/** The one translation key that is documented as the name of a default fail reason. */
export const defaultFailReason = crmRules['fail-reason-default-names-are-keys'].values.example;
