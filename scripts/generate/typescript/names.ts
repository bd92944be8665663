import { inspect } from 'node:util';

/** Converts a name to Pascal case: `fail-reason`, `failReason`, `fail_reason` or `deals.comments`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map(capitalize)
    .join('');
}

/** A string with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A property name in TypeScript syntax. */
export function propertyKey(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return name;
  const quoted = inspect(name);
  // A template cannot name a property.
  return quoted.startsWith('`') ? JSON.stringify(name) : quoted;
}
