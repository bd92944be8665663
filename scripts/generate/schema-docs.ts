import type { Mark, Marks, Schema } from '../spec/schema.ts';
import type { Block, Part } from './tsdoc.ts';

export interface SchemaDocs {
  /** What the schema refers to, where it is a reference; it fills in description and limits. */
  target?: Schema;
  /** What a reader must know before the description, which then tells what is sent. */
  encoding?: string | undefined;
  /** Where the limits stand, if elsewhere than in `target`. */
  value?: Schema | undefined;
  /** The items of a list. */
  items?: Schema | undefined;
  /** The values of a map. */
  values?: Schema | undefined;
  /** Document and sections. */
  source?: string | undefined;
}

/** What a comment says of a schema: description, limits, section, what is open, and whether it is deprecated. */
export function schemaDocs(schema: Schema, docs: SchemaDocs = {}): Part[] {
  const { target = schema, encoding, value, items, values, source } = docs;
  const own = sentence(schema.description ?? target.description ?? '');
  const description = encoding ? [encoding, own && `On the wire: ${own}`].filter(Boolean).join(' ') : own;
  const limits = without(limitTexts(value ?? { ...target, ...schema }), description);
  // An encoded value is described by what it is encoded from.
  const inner = encoding ? [] : [each(without(limitTexts(items), description)), each(valueTexts(values))];
  const deprecated: Block = { tag: 'deprecated' };
  return [
    append(description, [...limits, ...inner, sourceText(source)]),
    ...openTexts(schema, items, values),
    (schema.deprecated || target.deprecated) && deprecated,
  ];
}

/** What the documents leave open or contradict; the texts are whole sentences. */
export function openTexts(...marked: (Marks | undefined)[]): string[] {
  return [...new Set(marked.flatMap((marks) => [...texts(marks?.['x-conflict']), ...texts(marks?.['x-open'])]))];
}

export function sourceText(source: string | undefined): string {
  return source ? `Document ${source}.` : '';
}

function texts(mark: Mark | undefined): string[] {
  return mark === undefined ? [] : [mark].flat().map((text) => text.trim());
}

/** The plain limits of a schema, as a reader says them. */
function limitTexts(schema: Schema = {}): string[] {
  const { default: standard, format, pattern, uniqueItems } = schema;
  return [
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, 'items'),
    range(schema.minProperties, schema.maxProperties, 'entries'),
    uniqueItems ? 'No item twice' : '',
    format ? `Format: ${format}` : '',
    pattern ? `Pattern: \`${pattern}\`` : '',
    standard === undefined ? '' : `Default: \`${JSON.stringify(standard)}\``,
  ]
    .filter(Boolean)
    .map(sentence);
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const of = unit && ` ${unit}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most}${of}`;
  if (most !== undefined) return `At most ${most}${of}`;
  return least === undefined ? '' : `At least ${least}${of}`;
}

/** The values of a map have a description of their own; what the items of a list are, the list says. */
function valueTexts(values: Schema = {}): string[] {
  const description = sentence(values.description ?? '');
  return [description, ...without(limitTexts(values), description)].filter(Boolean);
}

function each(texts: string[]): string {
  return texts.length > 0 ? `Each: ${texts.join(' ')}` : '';
}

/** Facts that the text does not tell already. */
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

/** Puts short facts behind a paragraph; behind a table they are one of their own. */
function append(description: string, facts: (string | undefined | false)[]): string {
  const said = facts.filter(Boolean).join(' ');
  return [description, said].filter(Boolean).join(/\n\s*\n/.test(description) ? '\n\n' : ' ');
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?:|]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
