import { emailFacts, emailRules } from '../../../../generated/email/details.ts';

/** What the spec says in its rules, read from them: nothing here is written a second time. */

/** The value of `country` that leaves the country out. */
export const countryOff = emailRules['email-country-off'].values.word;

/** Milliseconds for which bounces can be asked for. */
export const bounceWindow = emailRules['email-bounce-window'].values.hours * 3_600_000;

/** What a sending domain says of the kind of its service. */
export const domainServiceType = emailFacts.domainServiceType;
