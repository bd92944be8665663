import { type Method, methods } from '../catalogue/index.ts';

/** The permissions that the person who starts the server gives. */
export interface Policy {
  /** Only methods that read. */
  readonly readOnly: boolean;
  /** Names of methods, or groups such as `crm.deals.*`. Empty permits all. */
  readonly allow: readonly string[];
  /** The number of people or records that calls which can be undone may concern without a question. */
  readonly mostPeople: number;
}

/** Whether a method can be called. */
export function isPermitted(
  { readOnly, allow }: Pick<Policy, 'readOnly' | 'allow'>,
  { name, effect }: Method,
): boolean {
  if (readOnly && effect !== 'read') return false;
  return allow.length === 0 || allow.some((pattern) => fits(pattern, name));
}

/** The methods that can be called. */
export function permittedMethods(policy: Policy): Method[] {
  return methods.filter((method) => isPermitted(policy, method));
}

/** The patterns that no method fits: they are misspelt. */
export function unknownPatterns(allow: readonly string[]): string[] {
  return allow.filter((pattern) => !methods.some(({ name }) => fits(pattern, name)));
}

function fits(pattern: string, name: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
