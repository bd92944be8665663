import { check, readQuery, type Violation, violationRefusal } from './check.ts';
import { type AnyChoice, choices } from './choices/choices.ts';
import type { Endpoint } from './endpoints.ts';
import type { Account, Context } from './handler.ts';
import type { Incoming } from './incoming.ts';
import { Refusal } from './refusal.ts';
import { emptyReply, jsonReply, type Reply } from './reply.ts';
import { type AnyRule, rules } from './rules.ts';
import type { State } from './state/state.ts';

export interface Answered {
  reply: Reply;
  rule?: AnyRule;
  choices: AnyChoice[];
}

/**
 * Checks a request and lets its handler answer, in this order: shape, the rules that a documented code answers, limits,
 * state.
 */
export function answer(
  endpoint: Endpoint,
  path: Record<string, string | number>,
  incoming: Incoming,
  surroundings: { state: State; now: number; account: Account },
): Answered {
  const { route, coded, schemaRule, handler } = endpoint;
  const context = new RequestContext(surroundings);
  try {
    const query = readQuery(incoming.url.searchParams, route.numbers);
    const body = route.body ? readBody(incoming.text) : undefined;
    const missing: Violation[] =
      route.bodyRequired && body === undefined ? [{ location: ['body'], message: 'A body is required' }] : [];
    const inQuery = check('query', route.query, query);
    const inBody = body === undefined ? { shape: missing, limits: [] } : check('body', route.body, body);
    refuseAny([...inQuery.shape, ...inBody.shape], schemaRule);
    const request = { path, query, body };
    coded?.(request, context);
    refuseAny([...inQuery.limits, ...inBody.limits], schemaRule);
    const content = handler(request, context);
    return { reply: respond(route.status, content, context), choices: context.choices };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reply = refusalReply(error);
    return { reply, choices: error.choice ? [error.choice] : [], ...(error.rule && { rule: error.rule }) };
  }
}

function refuseAny(violations: Violation[], rule: AnyRule | undefined): void {
  if (violations.length > 0) throw violationRefusal(violations, rule);
}

function readBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal({ status: 400, body: { message: 'The body is not JSON.' }, choice: 'malformed-json' });
  }
}

function respond(status: number, content: unknown, { choices: made }: RequestContext): Reply {
  const headers: Record<string, string> = made.length > 0 ? { 'x-sandbox-choice': made.join(', ') } : {};
  return content === undefined ? emptyReply(status, headers) : jsonReply(status, content, headers);
}

/** A failed answer, which names the rule or choice that it follows. */
export function refusalReply({ status, body, rule, choice, retryAfter }: Refusal): Reply {
  const headers: Record<string, string> = {};
  if (rule) headers['x-sandbox-rule'] = `${rule}; Document ${rules[rule].source.replaceAll('§', 'section ')}`;
  if (choice) headers['x-sandbox-choice'] = choice;
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return jsonReply(status, body, headers);
}

class RequestContext implements Context {
  readonly state: State;
  readonly now: number;
  readonly account: Account;
  readonly choices: AnyChoice[] = [];

  constructor({ state, now, account }: { state: State; now: number; account: Account }) {
    this.state = state;
    this.now = now;
    this.account = account;
  }

  refuse(
    rule: AnyRule,
    answer: { status?: number; message: string; body?: unknown; choice?: AnyChoice; retryAfter?: number },
  ): never {
    const { status = 422, message, body = { message }, ...rest } = answer;
    throw new Refusal({ status, body, rule, ...rest });
  }

  refuseByChoice(
    choice: AnyChoice,
    { status = 422, message, body = { message } }: { status?: number; message: string; body?: unknown },
  ): never {
    throw new Refusal({ status, body, choice });
  }

  notFound(what: string, rule?: AnyRule): never {
    const body = { message: `There is no such ${what}.` };
    throw new Refusal(rule ? { status: 404, body, rule } : { status: 404, body, choice: 'unknown-record' });
  }

  chose(choice: AnyChoice): void {
    if (Object.hasOwn(choices, choice) && !this.choices.includes(choice)) this.choices.push(choice);
  }
}
