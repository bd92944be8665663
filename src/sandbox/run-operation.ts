import { authenticate } from './authentication.ts';
import type { AnyChoice } from './choices.ts';
import { type Account, RequestContext } from './context.ts';
import type { Endpoint } from './endpoints.ts';
import { emptyReply, jsonReply, type PlainReply, type PlainRequest } from './http.ts';
import { NestingError, parseJson } from './json.ts';
import { Refusal, refusalReply } from './refusal.ts';
import { readQuery } from './router.ts';
import type { AnyRule } from './rules.ts';
import type { State } from './state.ts';
import { type Violation, validate, violationRefusal } from './validation.ts';

export interface OperationResult {
  reply: PlainReply;
  rule?: AnyRule;
  choices: AnyChoice[];
}

/**
 * Checks a request and calls the handler of its operation. The order is: credential, shape, rules with a documented
 * reply, limits, handler. Refusals become replies here.
 */
export function runOperation(
  endpoint: Endpoint,
  path: Record<string, string | number>,
  request: PlainRequest,
  surroundings: { state: State; now: number; account: Account },
): OperationResult {
  const { route, handle, beforeLimits, schemaRule } = endpoint;
  try {
    if (!route.anonymous) authenticate(request.headers.get('authorization'), surroundings);
    const query = readQuery(request.url.searchParams, route.numbers);
    const body = route.body ? readBody(request.text) : undefined;
    const missing: Violation[] =
      route.bodyRequired && body === undefined ? [{ location: ['body'], message: 'A body is required' }] : [];
    const inQuery = validate('query', route.query, query);
    const inBody = body === undefined ? { shape: missing, limits: [] } : validate('body', route.body, body);
    refuseAny([...inQuery.shape, ...inBody.shape], schemaRule);
    const context = new RequestContext(surroundings, endpoint, route.pageSize);
    const checked = { path, query, body };
    beforeLimits?.(checked, context);
    refuseAny([...inQuery.limits, ...inBody.limits], schemaRule);
    const content = handle(checked, context);
    const { choices } = context;
    return { reply: successReply(route.status, content, choices), choices };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { rule, choice } = error;
    return { reply: refusalReply(error), choices: choice ? [choice] : [], ...(rule && { rule }) };
  }
}

function refuseAny(violations: Violation[], rule: AnyRule | undefined): void {
  if (violations.length > 0) throw violationRefusal(violations, rule);
}

function readBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof NestingError)
      throw new Refusal({ status: 400, body: { message: error.message }, choice: 'body-nesting' });
    throw new Refusal({ status: 400, body: { message: 'The body is not JSON.' }, choice: 'malformed-json' });
  }
}

function successReply(status: number, content: unknown, choices: readonly AnyChoice[]): PlainReply {
  const headers: Record<string, string> = choices.length > 0 ? { 'x-sandbox-choice': choices.join(', ') } : {};
  return content === undefined ? emptyReply(status, headers) : jsonReply(status, content, headers);
}
