import { listOf, resolve } from './shared/nodes.js';
import { walk } from './shared/walk.js';

/** @typedef {'upper' | 'lower' | 'default' | 'const'} Kind */

/** Kind of limit → the keywords that state it. */
const keywords = {
  upper: ['maximum', 'maxLength', 'maxItems'],
  lower: ['minimum', 'minLength', 'minItems'],
  default: ['default'],
  const: ['const'],
};

/**
 * Phrases that state a limit, with the kind of each of their numbers. `#` is a number.
 *
 * @type {[phrase: string, ...kinds: Kind[]][]}
 */
const phrases = [
  ['(?:at most|up to|(?:not|no) more than|maximum (?:is|of)) #', 'upper'],
  ['#(?: [a-z]+)? (?:at most|or fewer|or less)\\b', 'upper'],
  ['(?:at least|(?:not|no) fewer than|minimum (?:is|of)) #', 'lower'],
  ['#(?: [a-z]+)? (?:at least|or more)\\b', 'lower'],
  ['# to #', 'lower', 'upper'],
  ['between # and #', 'lower', 'upper'],
  ['default(?:s to| is|:) #', 'default'],
  ['\\(?#\\)? if (?:omitted|left out|missing)', 'default'],
  ['always #', 'const'],
];
const patterns = phrases.map(([phrase, ...kinds]) => ({
  pattern: new RegExp(`(?<![\\w-])${phrase.replaceAll('#', '(-?\\d+(?:,\\d{3})*(?:\\.\\d+)?)')}(?!-?\\w)`, 'gi'),
  kinds,
}));

/**
 * A limit in a description must be that of the keyword beside it, on the schema or on its items or values. A description that states a
 * limit without a keyword is not checked, because it may be about something else.
 *
 * @param {unknown} spec
 */
export default function textLimits(spec) {
  return walk(spec).flatMap(({ kind, node, path }) => {
    if ((kind !== 'schema' && kind !== 'parameter') || typeof node.description !== 'string') return [];
    const own = { ...resolve(spec, node), ...node };
    const schema = kind === 'parameter' ? resolve(spec, own.schema) : own;
    const parts = [schema, schema.items, schema.additionalProperties].map((part) => resolve(spec, part));
    return statedIn(node.description).flatMap(({ stated, limit }) => {
      const known = parts.flatMap((part) => limitsOf(part, limit));
      if (known.length === 0 || known.some(({ value }) => value === stated)) return [];
      const actual = known.map(({ keyword, value }) => `\`${keyword}: ${value}\``).join(' and ');
      return [{ message: `the description says ${stated}, and the schema ${actual}`, path: [...path, 'description'] }];
    });
  });
}

/**
 * @param {string} text
 * @returns {{ stated: number, limit: Kind }[]}
 */
function statedIn(text) {
  return patterns.flatMap(({ pattern, kinds }) =>
    [...text.matchAll(pattern)].flatMap(([, ...numbers]) =>
      kinds.map((limit, index) => ({ stated: Number(numbers[index]?.replaceAll(',', '')), limit })),
    ),
  );
}

/**
 * @param {Record<string, unknown>} schema
 * @param {Kind} limit
 * @returns {{ keyword: string, value: unknown }[]}
 */
function limitsOf(schema, limit) {
  const stated = keywords[limit].flatMap((keyword) => {
    const value = schema[keyword];
    return typeof value === 'number' ? [{ keyword, value }] : [];
  });
  const values = listOf(schema.enum).filter((value) => typeof value === 'number');
  if (values.length === 0 || (limit !== 'upper' && limit !== 'lower')) return stated;
  return [...stated, { keyword: 'enum', value: limit === 'upper' ? Math.max(...values) : Math.min(...values) }];
}
