import { closest } from '../../shared/did-you-mean.ts';
import {
  fieldsOf,
  findMethod,
  type JsonSchema,
  type Method,
  methods,
  parametersSchema,
  search,
  takesOtherFields,
} from '../catalogue/index.ts';
import { whenAsked } from '../catalogue/needs-consent.ts';
import { findUnsupported } from '../catalogue/search.ts';
import { effectTexts, quotaText, typeText } from '../catalogue/type-text.ts';
import { cutText } from '../text/cut-text.ts';
import { isPermitted, type Policy } from './policy.ts';
import { estimateTokens, maxEstimated } from './result.ts';

/** Maximum length of the search words, in characters. */
const maxWords = 400;

/** Describes the named methods, up to the token limit of a response. */
export function describeMethods(names: readonly string[], policy: Policy): string {
  const parts: string[] = [];
  let tokens = 0;
  for (const [index, name] of names.entries()) {
    const text = describeMethod(name, policy);
    tokens += estimateTokens(text);
    if (index > 0 && tokens > maxEstimated) {
      parts.push(
        `The response has no room for ${cutText(names.slice(index).join(', '), 500)}. Describe these methods separately.`,
      );
      break;
    }
    parts.push(text);
  }
  return parts.join('\n\n');
}

function describeMethod(name: string, policy: Policy): string {
  const method = findMethod(name);
  if (!method) return `${unknownMethod(name)}`;
  const full = textOf(method, policy, true);
  return estimateTokens(full) <= maxEstimated ? full : textOf(method, policy, false);
}

/** Returns the error text for an unknown method, which suggests methods with similar words. */
export function unknownMethod(name: string): string {
  const misspelt = closest(
    cutText(name, 80),
    methods.map((method) => method.name),
  );
  const found = search(cutText(name, maxWords), 3).map((method) => method.name);
  const similar = misspelt === undefined ? found : [misspelt];
  const hint = similar.length > 0 ? ` Similar: ${similar.join(', ')}.` : '';
  const unknown = `There is no method ${JSON.stringify(cutText(name, 80))}.${hint} Nothing was sent.`;
  return [unknown, ...describeUnsupported(name)].join('\n');
}

/** Finds methods by words. */
export function findMethods(words: string, policy: Policy): string {
  const asked = cutText(words, maxWords);
  const found = search(asked).filter((method) => isPermitted(policy, method));
  const missing = describeUnsupported(asked);
  if (found.length === 0 && missing.length === 0)
    return 'No method matches these words. The instructions list all methods.';
  return [...missing, ...found.map(({ name, effect, summary }) => `${name} (${effect}): ${summary}`)].join('\n');
}

function describeUnsupported(words: string): string[] {
  const found = findUnsupported(cutText(words, maxWords)).slice(0, 3);
  return found.map(({ title, why, instead }) => `Not in the documented API: ${title}. ${why} Instead: ${instead}`);
}

const askTexts = {
  always: '; the person must confirm',
  sometimes: '; the person may have to confirm',
  never: '',
} as const;

function textOf(method: Method, policy: Policy, isFull: boolean): string {
  const { name, effect, summary, description, paging, quota, rules, errors = {}, statuses = {} } = method;
  const fields = fieldsOf(method).map(
    ({ name, required, schema }) =>
      `- ${name}${required ? ' (required)' : ''}: ${typeText(schema)}${about(schema, isFull)}`,
  );
  const types = Object.entries(parametersSchema(method).$defs ?? {}).flatMap(([name, schema]) =>
    typeLines(name, schema, isFull),
  );
  const other =
    takesOtherFields(method) === 'open' ? ['- any other field: the fields of this body are not documented'] : [];
  return [
    `## ${name}`,
    `${summary}. Tool: ${effect} (${effectTexts[effect]}${askTexts[whenAsked(method)]}).${isPermitted(policy, method) ? '' : ' This server does not permit the method.'}`,
    isFull && description,
    paging &&
      `Pages: params ${paging.limit} and ${paging.offset}${paging.maximum ? `, at most ${paging.maximum} items` : ''}.`,
    quota && `Quota: ${quotaText(quota)}.`,
    list('Parameters', [...fields, ...other]) || 'No parameters.',
    list('Types', types),
    list(
      'Rules',
      rules.map(({ text }) => `- ${text}`),
    ),
    list('Failures', [
      ...Object.entries(statuses).map(([status, meaning]) => `- ${status}: ${meaning}`),
      ...Object.entries(errors).map(([code, { meaning, advice }]) => `- ${code}: ${meaning} ${advice}`),
    ]),
    `Example params: ${JSON.stringify(method.example)}`,
  ]
    .filter(Boolean)
    .join('\n');
}

function typeLines(name: string, schema: JsonSchema, isFull: boolean): string[] {
  const { properties = {}, required = [] } = schema.items ?? schema;
  const inner = Object.entries(properties).map(
    ([field, inner]) =>
      `  - ${field}${required.includes(field) ? ' (required)' : ''}: ${typeText(inner)}${about(inner, isFull)}`,
  );
  return [`- ${name}: ${typeText(schema)}${about(schema, isFull)}`, ...inner];
}

function about({ description }: JsonSchema, isFull: boolean): string {
  return description && isFull ? `. ${description}` : '';
}

function list(heading: string, lines: readonly string[]): string {
  return lines.length > 0 ? `${heading}:\n${lines.join('\n')}` : '';
}
