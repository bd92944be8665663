import type { AnyChoice } from './choices.ts';
import { emptyReply, jsonReply, type PlainReply } from './http.ts';
import { type AnyRule, rules } from './rules.ts';

/** A failed reply: checks and handlers throw it, and `refusalReply` writes it. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly rule: AnyRule | undefined;
  readonly choice: AnyChoice | undefined;
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter: number | undefined;

  constructor(answer: { status: number; body: unknown; rule?: AnyRule; choice?: AnyChoice; retryAfter?: number }) {
    super(`Refused with status ${answer.status}`);
    this.status = answer.status;
    this.body = answer.body;
    this.rule = answer.rule;
    this.choice = answer.choice;
    this.retryAfter = answer.retryAfter;
  }
}

/** How handlers refuse a request. */
export interface Refusals {
  /**
   * A documented rule refuses the request. The reply carries `x-sandbox-rule`.
   *
   * @param rule - id of the rule in the spec
   * @param answer - status (default 422) and body (default `{ message }`); `choice` if the documents have the rule but not
   * this reply; `retryAfter` in whole seconds
   */
  refuse(
    rule: AnyRule,
    answer: { status?: number; message: string; body?: unknown; choice?: AnyChoice; retryAfter?: number },
  ): never;
  /** The sandbox refuses by a choice, because the documents say nothing. The reply carries `x-sandbox-choice`. */
  refuseByChoice(choice: AnyChoice, answer: { status?: number; message: string; body?: unknown }): never;
  /** 404 for a record that does not exist; it names the rule if one is documented, else the sandbox's choice. */
  notFound(what: string, rule?: AnyRule): never;
  /** 422 for a record that a body names and that does not exist. */
  unknownReference(what: string): never;
}

/** A failed reply, which names the rule or choice that it follows. */
export function refusalReply({ status, body, rule, choice, retryAfter }: Refusal): PlainReply {
  const headers: Record<string, string> = {};
  if (rule) headers['x-sandbox-rule'] = `${rule}; Document ${rules[rule].source.replaceAll('§', 'section ')}`;
  if (choice) headers['x-sandbox-choice'] = choice;
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return jsonReply(status, body, headers);
}

export const unroutedChoice = 'unknown-operation' satisfies AnyChoice;

/**
 * The reply to a request that reaches no operation.
 *
 * @param allowed - the methods of the path, or `undefined` if no operation has the path
 */
export function unroutedReply(method: string, allowed: readonly string[] | undefined): PlainReply {
  const headers: Record<string, string> = { 'x-sandbox-choice': unroutedChoice };
  if (!allowed) return jsonReply(404, { message: 'There is no such operation.' }, headers);
  headers.allow = allowed.join(', ');
  if (method === 'OPTIONS') return emptyReply(204, headers);
  return jsonReply(405, { message: `This path knows ${headers.allow}.` }, headers);
}
