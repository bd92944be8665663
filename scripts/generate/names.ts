import { inspect } from 'node:util';

/** Pascal case of a name in any of the spec's spellings: `fail-reason`, `failReason`, `fail_reason`, `deals.comments`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map(capitalize)
    .join('');
}

/** A name with a capital first letter, and otherwise as it is. */
export function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A property name as TypeScript writes it. */
export function propertyKey(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return name;
  const quoted = inspect(name);
  // A template cannot name a property.
  return quoted.startsWith('`') ? JSON.stringify(name) : quoted;
}
