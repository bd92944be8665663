import { crmChoices } from './crm.ts';
import { emailChoices } from './email.ts';
import { generalChoices } from './general.ts';
import { messagingChoices } from './messaging.ts';

/**
 * What the documents leave open and the sandbox had to decide, by id: the one list of it. A reply that was shaped by one
 * names it in `x-sandbox-choice`.
 */
export const choices = { ...generalChoices, ...crmChoices, ...messagingChoices, ...emailChoices } as const;

/** Id of a choice. */
export type AnyChoice = keyof typeof choices;
