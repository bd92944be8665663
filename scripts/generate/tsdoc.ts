import type { Schema } from '../spec/schema.ts';

/** A TSDoc comment of the given lines, indented; nothing where there is nothing to say. */
export function tsdoc(lines: (string | undefined | false)[], indent = ''): string {
  const text = lines.filter((line) => typeof line === 'string' && line !== '').flatMap((line) => wrap(String(line)));
  if (text.length === 0) return '';
  const [only] = text;
  if (text.length === 1 && only && !only.startsWith('@')) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${text.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Description, limits and marks of a schema, a line each. */
export function schemaLines(schema: Schema, target: Schema = schema): string[] {
  const description = (schema.description ?? target.description ?? '').trim();
  const facts = limitTexts({ ...target, ...schema });
  return [
    description,
    facts.length > 0 ? `${facts.join('; ')}.` : '',
    schema.deprecated || target.deprecated ? '@deprecated' : '',
  ].filter(Boolean);
}

/** The plain limits of a schema, as a reader says them. */
export function limitTexts(schema: Schema): string[] {
  const { default: standard, format, pattern } = schema;
  return [
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, 'items'),
    range(schema.minProperties, schema.maxProperties, 'entries'),
    format ? `Format: ${format}` : '',
    pattern ? `Pattern: \`${pattern.replaceAll('*/', '*\\/')}\`` : '',
    standard === undefined ? '' : `Default: \`${JSON.stringify(standard)}\``,
  ].filter(Boolean);
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const of = unit && ` ${unit}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most}${of}`;
  if (most !== undefined) return `At most ${most}${of}`;
  return least === undefined ? '' : `At least ${least}${of}`;
}

const width = 116;

/** Lines of one paragraph; what could end or alter the comment is escaped. */
function wrap(text: string): string[] {
  if (text.startsWith('@example')) return text.split('\n');
  const words = text.replaceAll('*/', '*\\/').split(/\s+/);
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return line ? [...lines, line] : lines;
}
