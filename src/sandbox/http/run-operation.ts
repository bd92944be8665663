import type { Ledger } from '../data/ledger.ts';
import { maxListed } from '../limits.ts';
import type { AnyChoice } from '../rules/choices.ts';
import { Context, type Surroundings } from '../rules/context.ts';
import { parseJson } from '../rules/json.ts';
import { Rejection, rejection } from '../rules/rejection.ts';
import type { AnyRule } from '../rules/rules.ts';
import { type Violation, validate, violationRejection } from '../rules/validation.ts';
import type { Endpoint } from './handled-operations.ts';
import { readQuery } from './read-parameters.ts';
import { emptyResponse, jsonResponse, type PlainRequest, type PlainResponse } from './request-and-response.ts';
import { type UnknownField, unknownFields } from './unknown-fields.ts';

/**
 * Checks a request and calls the handler of its operation. The steps are, in order: the shape (types and required fields), the
 * rules with a documented response, the limits (lengths and ranges), and the handler. All steps, including the creation of the
 * response, are one transaction: an exception undoes every change.
 *
 * @throws `Rejection` if the request is rejected
 */
export function runOperation(
  endpoint: Endpoint,
  path: Record<string, string | number>,
  request: PlainRequest,
  surroundings: Surroundings & { ledger: Ledger },
): { response: PlainResponse; choices: AnyChoice[] } {
  return surroundings.ledger.run(() => respond(endpoint, path, request, surroundings));
}

function respond(
  endpoint: Endpoint,
  path: Record<string, string | number>,
  request: PlainRequest,
  surroundings: Surroundings,
): { response: PlainResponse; choices: AnyChoice[] } {
  const { route, beforeShape, beforeLimits, schemaRule } = endpoint;
  const { search } = request.url;
  const query = search === '' ? {} : readQuery(request.url.searchParams, route.parameters);
  rejectEncoding(request);
  const given = route.body ? readBody(request.text) : undefined;
  const body = beforeShape ? beforeShape(given, surroundings.state) : given;
  const missing: Violation[] =
    route.bodyRequired && body === undefined ? [{ location: ['body'], message: 'A body is required' }] : [];
  const inQuery = validate('query', route.query, query, route.brokenInferredLimit);
  const inBody =
    body === undefined ? { shape: missing, limits: [] } : validate('body', route.body, body, route.brokenInferredLimit);
  rejectAny([inQuery.shape, inBody.shape], schemaRule);
  const unread = unknownFields(route.body, body, 'body');
  if (search !== '') unread.unshift(...unknownFields(route.query, query, 'query'));
  if (surroundings.account.strict) rejectUnknown(unread, surroundings.account.ownFields);
  const context = new Context(surroundings, endpoint, body, topFields(unread, body));
  const checked = { path, query, body };
  beforeLimits?.(checked, context);
  rejectAny([inQuery.limits, inBody.limits], schemaRule);
  const content = endpoint.handle(checked, context);
  const { choices, stored } = context;
  const ignored = unread.filter((field) => !stored.has(topName(field)));
  return { response: successResponse(route.status, content, choices, ignored), choices };
}

function rejectAny(violations: readonly (readonly Violation[])[], rule: AnyRule | undefined): void {
  const all = violations.flat();
  if (all.length > 0) throw violationRejection(all, rule);
}

/** Rejects a request with a compressed body, which would look like malformed JSON. */
export function rejectEncoding({ headers, text }: PlainRequest): void {
  const encoding = text === '' ? null : headers.get('content-encoding');
  if (encoding === null || encoding.toLowerCase() === 'identity') return;
  const message = `The sandbox does not accept bodies with Content-Encoding: ${encoding.slice(0, 100)}. Send the body uncompressed.`;
  throw rejection(415, message, 'content-encoding');
}

function readBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof Rejection) throw error;
    throw rejection(400, 'The body is not JSON.', 'malformed-json');
  }
}

function successResponse(
  status: number,
  content: unknown,
  choices: readonly AnyChoice[],
  ignored: readonly UnknownField[],
): PlainResponse {
  const headers: Record<string, string> = choices.length > 0 ? { 'x-sandbox-choice': choices.join(', ') } : {};
  if (ignored.length > 0) headers['x-sandbox-ignored'] = placesOf(ignored);
  return content === undefined ? emptyResponse(status, headers) : jsonResponse(status, content, headers);
}

/** Formats locations as a header value, encoded as in a URL. */
function placesOf(fields: readonly UnknownField[]): string {
  const named = fields.slice(0, maxListed).map((place) => place.map(encodeName).join('.'));
  return named.join(', ') + (fields.length > maxListed ? ', ...' : '');
}

/** Encodes a field name, which can contain any characters, even lone surrogates. */
function encodeName(name: string): string {
  return encodeURIComponent(name.slice(0, 100).replace(/[\ud800-\udfff]/g, '?'));
}

function rejectUnknown(fields: readonly UnknownField[], ownFields: readonly string[] = []): void {
  const own: ReadonlySet<string | undefined> = new Set(ownFields);
  const rejected = fields.filter((field) => !own.has(topName(field)));
  if (rejected.length === 0) return;
  const message = `The spec does not describe ${placesOf(rejected)}. If these are your account's own fields, add them to the option 'ownFields'.`;
  throw rejection(422, message, 'unknown-field');
}

/** The unknown fields at the top level of a body, with their values. */
function topFields(fields: readonly UnknownField[], body: unknown): { [name: string]: unknown } | undefined {
  if (fields.length === 0) return undefined;
  const names = new Set(fields.map(topName));
  return Object.fromEntries(Object.entries(Object(body)).filter(([name]) => names.has(name)));
}

/** Returns the name of a field at the top level of the body, or `undefined` if the field is elsewhere. */
function topName([place, name, ...inner]: UnknownField): string | undefined {
  return place === 'body' && inner.length === 0 ? name : undefined;
}
