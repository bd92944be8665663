import { type Method, methods } from '../catalogue/index.ts';

/** The permissions that the person who starts the server grants. */
export interface Policy {
  /** Whether only methods that read are permitted. */
  readonly readOnly: boolean;
  /** Names of methods, or groups such as `crm.deals.*`. An empty list permits all. */
  readonly allow: readonly string[];
  /** Maximum number of people or records that calls can affect without confirmation, if the calls can be undone. */
  readonly maxPeople: number;
}

/** Whether the policy permits a method. */
export function isPermitted(
  { readOnly, allow }: Pick<Policy, 'readOnly' | 'allow'>,
  { name, effect }: Method,
): boolean {
  if (readOnly && effect !== 'read') return false;
  return allow.length === 0 || allow.some((pattern) => fits(pattern, name));
}

/** Returns the permitted methods. */
export function permittedMethods(policy: Policy): Method[] {
  return methods.filter((method) => isPermitted(policy, method));
}

/** Finds misspelt patterns, which match no method. */
export function unknownPatterns(allow: readonly string[]): string[] {
  return allow.filter((pattern) => !methods.some(({ name }) => fits(pattern, name)));
}

function fits(pattern: string, name: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
