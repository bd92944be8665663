import type { AnyChoice } from '../rules/choices.ts';
import type { Rejection } from '../rules/rejection.ts';
import { rules, sourceInWords } from '../rules/rules.ts';
import { emptyResponse, jsonResponse, type PlainResponse } from './request-and-response.ts';

/** Turns a rejection into a response that names the rule and the choice. */
export function rejectionResponse({ status, body, rule, choice, retryAfter }: Rejection): PlainResponse {
  const headers: Record<string, string> = {};
  if (rule) headers['x-sandbox-rule'] = `${rule}; ${sourceInWords(rules[rule].source)}`;
  if (choice) headers['x-sandbox-choice'] = choice;
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return jsonResponse(status, body, headers);
}

export const unroutedChoice = 'unknown-operation' satisfies AnyChoice;

/**
 * Returns the response to a request that matches no operation.
 *
 * @param allowed - the methods of the path, or `undefined` if no operation has the path
 */
export function unroutedResponse(method: string, allowed: readonly string[] | undefined): PlainResponse {
  const headers: Record<string, string> = { 'x-sandbox-choice': unroutedChoice };
  if (!allowed) return jsonResponse(404, { message: 'There is no such operation.' }, headers);
  headers.allow = allowed.join(', ');
  if (method === 'OPTIONS') return emptyResponse(204, headers);
  return jsonResponse(405, { message: `This path supports ${headers.allow}.` }, headers);
}
