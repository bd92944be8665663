import { crmChoices } from './crm/choices.ts';
import { emailChoices } from './email/choices.ts';
import { messagingChoices } from './messaging/choices.ts';

/** Choices that concern every operation. */
const generalChoices = {
  'credential-refused':
    'A request without a valid credential is answered with 401. The documents do not show this answer.',
  'any-credential':
    'Every bearer token is accepted unless the sandbox was given keys, and all client credentials unless it was given some.',
  'request-shape':
    'A request that does not fit the schema is answered with 422 and a list of what is wrong. The documents do not show this answer.',
  'malformed-json': 'A body that is not JSON is answered with 400.',
  'unknown-record': 'A record that is not there is answered with 404, also where the documents do not say so.',
  'unknown-operation':
    'A path that no operation has is answered with 404, a method that a known path does not have with 405, OPTIONS with the methods of the path.',
  'utc-dates': 'Dates and times are read and written in UTC. The documents name no time zone.',
} as const;

/**
 * What the documents do not state and the sandbox had to decide, by id: the one list of it. A reply that was shaped by one
 * names it in `x-sandbox-choice`.
 */
export const choices = { ...generalChoices, ...crmChoices, ...messagingChoices, ...emailChoices } as const;

/** Id of a choice. */
export type AnyChoice = keyof typeof choices;
