import { join } from 'node:path';

/** The three specs, in the order of the documents and pages. */
export const specNames = ['crm', 'messaging', 'email'] as const;
export type SpecName = (typeof specNames)[number];

export const repositoryRoot = join(import.meta.dirname, '..', '..');

export function specPath(name: SpecName): string {
  return join(repositoryRoot, 'spec', `${name}.yaml`);
}

export function generatedPath(name: SpecName, ...rest: string[]): string {
  return join(repositoryRoot, 'generated', name, ...rest);
}
