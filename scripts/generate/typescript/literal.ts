import { inspect } from 'node:util';
import type { JsonValue } from '../../spec/schema.ts';
import { propertyKey } from './names.ts';

/** Maximum width of an object or list on one line. The docs show samples in a narrow column. */
const widest = 56;

/** A generated constant that replaces its value: `Crm.DealStatus.Fail`, or an expression. */
export class Constant {
  /** Full name or expression. */
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A JSON value that can contain constants. */
export type Literal = JsonValue | Constant | Literal[] | { [key: string]: Literal };

/**
 * A value as TypeScript, in the style of this project.
 *
 * @param room - characters left on its first line
 */
export function literal(value: Literal, indent = '', room = widest): string {
  if (value instanceof Constant) return value.name;
  if (typeof value === 'string') return inspect(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  return Array.isArray(value)
    ? enclose(
        value.map((item) => literal(item, inner)),
        '[',
        ']',
        indent,
        room,
      )
    : enclose(
        Object.entries(value).map(([name, member]) => `${propertyKey(name)}: ${literal(member, inner)}`),
        '{',
        '}',
        indent,
        room,
      );
}

function enclose(parts: string[], open: string, close: string, indent: string, room: number): string {
  if (parts.length === 0) return open + close;
  const space = open === '{' ? ' ' : '';
  const line = open + space + parts.join(', ') + space + close;
  if (line.length <= Math.min(room, widest) && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`;
}

/** A value as TypeScript on one line; the formatter breaks long ones. */
export function source(value: unknown): string {
  if (typeof value === 'string') return inspect(value);
  if (Array.isArray(value)) return `[${value.map(source).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${propertyKey(name)}: ${source(inner)}`)
    .join(', ')} }`;
}

/** The entries of an object, one per line. */
export function lines(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => `${propertyKey(name)}: ${source(value)},\n`)
    .join('');
}
