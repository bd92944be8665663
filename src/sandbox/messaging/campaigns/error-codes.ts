import { messagingBehaviour } from '../../../../generated/messaging/behaviour.ts';
import type { CampaignsCreateErrorCode } from '../../../../generated/messaging/methods.ts';
import { type CampaignCreate, type CampaignError, MessageType } from '../../../../generated/messaging/models.ts';
import { messagingFacts, messagingRules } from '../../../../generated/messaging/reference.ts';
import { isRecord } from '../../../shared/is-record.ts';
import type { AnyChoice } from '../../rules/choices.ts';
import type { Context } from '../../rules/context.ts';
import type { AnyRule } from '../../rules/rules.ts';
import { stringEntries } from '../../rules/validation.ts';
import { isGiven } from '../request-fields.ts';
import type { Template } from './campaigns.ts';
import { containsLink, isTooLong, variablesOf } from './templates.ts';

/** Time from which a system message must use a template. */
const systemTextEnds = Date.parse(messagingRules['messaging-system-text-ended'].values.date);

/** A campaign to check, with the account data that the checks need. */
interface Draft {
  body: CampaignCreate;
  now: number;
  isSystem: boolean;
  namesTemplate: boolean;
  /** Template of a system message; `undefined` if it is missing or unknown. */
  template: Template | undefined;
  variables: ReadonlyMap<string, string>;
}

/**
 * Result of a check. `rule` is set if it differs from the rule that the spec assigns to the code.
 */
interface Found {
  choice: AnyChoice;
  rule?: AnyRule;
}

interface Check {
  /**
   * Checks run in ascending order. The first check that finds a problem rejects the campaign. The order is not
   * documented.
   */
  order: number;
  find(draft: Draft): Found | undefined;
}

/** The codes are documented, but their HTTP status is not. */
const found: Found = { choice: 'messaging-code-response' };

/** The check for each code in Document 2 §7. The types require a check for each code. */
const checks: { [Code in CampaignsCreateErrorCode]: Check } = {
  '3086': { order: 1, find: findSeveralRecipients },
  '3093': { order: 2, find: ({ body, namesTemplate }) => (namesTemplate && body.message ? found : undefined) },
  '3091': { order: 3, find: findMissingTemplate },
  '3084': { order: 4, find: ({ template }) => (template && !template.approved ? found : undefined) },
  '3087': {
    order: 5,
    find: ({ template, body }) => (template && template.senderId !== body.sender_id ? found : undefined),
  },
  '3085': { order: 6, find: findMissingVariable },
  '3088': { order: 7, find: findRejectedValue },
};
const codesInOrder = Object.keys(checks)
  .filter(isCode)
  .sort((left, right) => checks[left].order - checks[right].order);

/** A template ID that no template has. */
const noTemplate = -1;

/**
 * Removes or replaces the empty and invalid values in a system message for which a code is documented: the template ID
 * (3091: "empty or invalid") and the values of the template's variables (3085: "not filled in"). Otherwise, the schema
 * would reject the request without the code.
 */
export function emptyAsMissing(body: unknown, { messaging }: Context['state']): unknown {
  if (!isRecord(body) || body.message_type !== MessageType.System) return body;
  const { template_id: given, ...rest } = body;
  const isEmpty = given === undefined || given === null || given === '';
  const id = typeof given === 'number' && Number.isSafeInteger(given) ? given : noTemplate;
  const template = messaging.templates.get(id);
  return {
    ...rest,
    ...(!isEmpty && { template_id: id }),
    ...(template && isRecord(rest.variables) && { variables: withoutNull(rest.variables, variablesOf(template)) }),
  };
}

function withoutNull(variables: object, names: readonly string[]): object {
  const entries = Object.entries(variables);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === null && names.includes(name) ? '' : value]),
  );
}

/** Rejects a campaign that violates a rule with a code in Document 2 §7. */
export function rejectByCode({ body }: { body: CampaignCreate }, context: Context): void {
  const variables = new Map(stringEntries(body.variables, ['body', 'variables']));
  rejectWithoutAudience(body, context);
  const isSystem = body.message_type === MessageType.System;
  const namesTemplate = isGiven(body.template_id);
  const template = isSystem && namesTemplate ? context.state.messaging.templates.get(body.template_id ?? 0) : undefined;
  const draft: Draft = { body, now: context.now, isSystem, namesTemplate, template, variables };
  for (const code of codesInOrder) {
    const problem = checks[code].find(draft);
    if (problem) reject(code, problem, context);
  }
  const known = new Set(template ? variablesOf(template) : []);
  if (isSystem && variables.size > known.size) context.chose('messaging-variables-unknown');
}

/**
 * Rejects a campaign without an audience. The schema uses `not` to require an audience, but the validators skip `not`.
 * This check concerns the shape of the request, so it runs first.
 */
function rejectWithoutAudience({ address_book, recipients }: CampaignCreate, context: Context): void {
  if (isGiven(address_book) || isGiven(recipients?.length)) return;
  context.reject('messaging-audience', {
    message: 'Specify a mailing list in address_book or phone numbers in recipients.',
    choice: 'messaging-rejection-without-code',
  });
}

function findSeveralRecipients({ body: { address_book, recipients }, isSystem }: Draft): Found | undefined {
  if (!isSystem) return undefined;
  const phones = recipients ?? [];
  if (phones.length > 1) {
    const isOneNumber = new Set(phones.map(Number)).size === 1;
    return isOneNumber ? { choice: 'messaging-repeated-phone' } : found;
  }
  return isGiven(address_book) ? { choice: 'messaging-system-mailing-list' } : undefined;
}

/**
 * Finds a missing template. By choice, text is rejected with the same code once a system message must use a template.
 */
function findMissingTemplate({ body, now, isSystem, namesTemplate, template }: Draft): Found | undefined {
  if (!isSystem) return undefined;
  if (namesTemplate ? !template : !body.message) return found;
  const isText = !namesTemplate && now >= systemTextEnds;
  return isText ? { choice: 'messaging-system-text-code', rule: 'messaging-system-text-ended' } : undefined;
}

function findMissingVariable({ template, variables }: Draft): Found | undefined {
  return template && variablesOf(template).some((name) => !variables.get(name)) ? found : undefined;
}

function findRejectedValue({ variables }: Draft): Found | undefined {
  for (const value of variables.values()) {
    if (isTooLong(value)) return found;
    if (containsLink(value)) return { choice: 'messaging-link-in-variable' };
  }
  return undefined;
}

function isCode(key: string): key is CampaignsCreateErrorCode {
  return Object.hasOwn(checks, key);
}

function reject(code: CampaignsCreateErrorCode, { rule, choice }: Found, context: Context): never {
  const body: CampaignError = { message: code, error_code: messagingFacts.campaignErrorCode };
  context.reject(rule ?? messagingBehaviour.createCampaign.errors[code].rule, { message: code, body, choice });
}
