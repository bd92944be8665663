import { inspect } from 'node:util';
import type { JsonValue } from '../spec/schema.ts';

/** The widest object or list that stays on one line; the sample's column is narrow. */
const lineWidth = 56;

/** A value as TypeScript, in the style of this project. */
export function literal(value: JsonValue, indent = ''): string {
  if (typeof value === 'string') return inspect(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  return Array.isArray(value)
    ? enclose(
        value.map((item) => literal(item, inner)),
        '[',
        ']',
        indent,
      )
    : enclose(
        Object.entries(value).map(([name, member]) => `${propertyName(name)}: ${literal(member, inner)}`),
        '{',
        '}',
        indent,
      );
}

function enclose(parts: string[], open: string, close: string, indent: string): string {
  if (parts.length === 0) return open + close;
  const space = open === '{' ? ' ' : '';
  const line = open + space + parts.join(', ') + space + close;
  if (line.length <= lineWidth && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
