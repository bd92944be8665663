import type { AnyChoice } from '../rules/choices.ts';
import type { Refusal } from '../rules/refusal.ts';
import { rules, sourceInWords } from '../rules/rules.ts';
import { emptyReply, jsonReply, type PlainReply } from './plain.ts';

/** Turns a refusal into a reply that names its rule and choice. */
export function refusalReply({ status, body, rule, choice, retryAfter }: Refusal): PlainReply {
  const headers: Record<string, string> = {};
  if (rule) headers['x-sandbox-rule'] = `${rule}; ${sourceInWords(rules[rule].source)}`;
  if (choice) headers['x-sandbox-choice'] = choice;
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return jsonReply(status, body, headers);
}

export const unroutedChoice = 'unknown-operation' satisfies AnyChoice;

/**
 * The reply to a request that matches no operation.
 *
 * @param allowed - the methods of the path, or `undefined` if no operation has the path
 */
export function unroutedReply(method: string, allowed: readonly string[] | undefined): PlainReply {
  const headers: Record<string, string> = { 'x-sandbox-choice': unroutedChoice };
  if (!allowed) return jsonReply(404, { message: 'There is no such operation.' }, headers);
  headers.allow = allowed.join(', ');
  if (method === 'OPTIONS') return emptyReply(204, headers);
  return jsonReply(405, { message: `This path supports ${headers.allow}.` }, headers);
}
