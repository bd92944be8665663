import { gapTexts } from '../../spec/gap-texts.ts';
import type { GapExtensions, Schema } from '../../spec/schema.ts';
import { describeSource } from '../../spec/source.ts';
import type { TsdocBlock, TsdocPart } from './tsdoc.ts';

interface SchemaDocs {
  /** Target of the schema if it is a reference. It supplies missing descriptions and limits. */
  target?: Schema;
  /** How to pass the value, which the client encodes. Precedes the description. */
  encoding?: string | undefined;
  /** Schema with the limits, if it is not `target`. */
  value?: Schema | undefined;
  /** Items of a list. */
  items?: Schema | undefined;
  /** Reference in a list or a union, such as an enum that can be null, with its target. */
  inner?: { reference: Schema; target: Schema } | undefined;
  /** Values of a map. */
  values?: Schema | undefined;
  /** Document and sections, in the form of `x-source`. */
  source?: string | undefined;
}

/** Parts of a schema's comment: description, limits, what is not documented, source, deprecation. */
export function schemaDocs(schema: Schema, docs: SchemaDocs = {}): TsdocPart[] {
  const { target = schema, encoding, value, items, inner, values, source } = docs;
  const own = sentence(schema.description ?? target.description ?? '');
  const decoded = schema['x-decoded'] ?? target['x-decoded'] ?? (own && `On the wire: ${own}`);
  const description = encoding ? [encoding, sentence(decoded)].filter(Boolean).join(' ') : own;
  const limits = without(limitTexts(value ?? { ...target, ...schema }), description);
  // Limits of items and values apply to the encoded value.
  const ofParts = encoding ? [] : [each(without(limitTexts(items), description)), each(valueTexts(values))];
  const deprecated: TsdocBlock = { tag: 'deprecated' };
  return [
    ...append(description, [...limits, ...ofParts]),
    enumText(inner?.reference ?? schema, inner?.target ?? target),
    ...gapSentences(schema, items, values),
    sourceText(source),
    (schema.deprecated || target.deprecated) && deprecated,
  ];
}

/**
 * Meanings of an enum's values, with the constants that name them. The constants have their own comments.
 *
 * @param only - the values that are allowed in this place
 */
export function enumText(schema: Schema, target: Schema, only: readonly unknown[] = target.enum ?? []): string {
  const { enum: values = [], 'x-enumDescriptions': meanings = {}, 'x-enum-varnames': names = [] } = target;
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1);
  if (!name || values.length > maxListLength) return '';
  const rows = values.map((value, index) => {
    const constant = names[index] === undefined ? '' : ` (\`${name}.${names[index]}\`)`;
    const meaning = meanings[String(value)];
    return only.includes(value) && meaning ? `- \`${value}\`${constant}: ${sentence(meaning)}` : '';
  });
  return rows.filter(Boolean).join('\n');
}

/** Most enum values that a hover can show without scrolling. */
const maxListLength = 12;

/** Contradictory and undocumented facts, in whole sentences. */
export function gapSentences(...nodes: (GapExtensions | undefined)[]): string[] {
  const gaps = nodes.flatMap((node) => [...gapTexts(node?.['x-conflict']), ...gapTexts(node?.['x-open'])]);
  return [...new Set(gaps.map(({ text }) => text))];
}

/** Last paragraph of a comment, with the source of its facts. */
export function sourceText(source: string | undefined): string {
  return source ? `Source: ${describeSource(source)}.` : '';
}

/** Limits of a schema as short sentences. */
function limitTexts(schema: Schema = {}): string[] {
  const { default: standard, format, pattern, uniqueItems } = schema;
  return [
    // `minLength: 0` is not a limit. Schemas without a type contain it (spec/README.md, "How to write open shapes").
    range(schema.minLength || undefined, schema.maxLength, 'characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, 'items'),
    range(schema.minProperties, schema.maxProperties, 'entries'),
    // The comment of a reference's target says this.
    schema['x-at-least-one'] && !schema.$ref ? 'At least one field' : '',
    uniqueItems ? 'Items are unique' : '',
    format ? `Format: ${format}` : '',
    pattern ? `Pattern: \`${pattern}\`` : '',
    standard === undefined ? '' : `Default: \`${JSON.stringify(standard)}\``,
  ]
    .filter(Boolean)
    .map(sentence);
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const of = unit && ` ${unit}`;
  // The type already says this.
  if (most === 0) return '';
  if (least !== undefined && most !== undefined) return `${least} to ${most}${of}`;
  if (most !== undefined) return `At most ${most}${of}`;
  return least === undefined ? '' : `At least ${least}${of}`;
}

/** Description and limits of the values of a map. A list's description already covers its items. */
function valueTexts(values: Schema = {}): string[] {
  const description = sentence(values.description ?? '');
  return [description, ...without(limitTexts(values), description)].filter(Boolean);
}

function each(texts: string[]): string {
  return texts.length > 0 ? `Each: ${texts.join(' ')}` : '';
}

/** The facts that the text does not contain. */
function without(facts: string[], text: string): string[] {
  const told = normalise(text);
  return facts.filter((fact) => {
    const phrase = normalise(fact)
      .replace(/\.$/, '')
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return !new RegExp(`(?<!\\d)${phrase}(?!\\d)`).test(told);
  });
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(\d),(?=\d{3})/g, '$1')
    .replaceAll('up to', 'at most');
}

/** Appends short facts to the first paragraph, so that units and limits come first. */
function append(description: string, facts: (string | undefined | false)[]): string[] {
  const said = facts.filter(Boolean).join(' ');
  const [first = '', ...others] = description.split(/\n\s*\n/);
  return [[first, said].filter(Boolean).join(' '), ...others];
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?:|]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
