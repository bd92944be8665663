import { join } from 'node:path';

/** How people name a product of the platform. */
export interface ProductNames {
  /** Name of its document: `CRM` of the CRM document. */
  label: string;
  /** Name in menus. */
  menu: string;
  /** Its records and tasks, as a sentence without its full stop. */
  contents: string;
}

/**
 * The products of the platform, in the order of their documents and pages. A name is that of the spec (`spec/crm.yaml`), of its folders
 * in `generated/` and `src/sandbox/`, and of its part of the client (`api.crm`, types in `Crm`).
 */
export const products = {
  crm: { label: 'CRM', menu: 'CRM', contents: 'Pipelines, deals, contacts, tags, payments and boards' },
  messaging: {
    label: 'Messaging',
    menu: 'Messaging and web push',
    contents: 'Messaging-app campaigns, phone blacklist and web push',
  },
  email: { label: 'Email', menu: 'Email', contents: 'Transactional email' },
} as const satisfies Record<string, ProductNames>;

export type SpecName = keyof typeof products;

/** The names of the specs, in the order of the documents and pages. */
export const specNames = Object.keys(products) as SpecName[];

export const repositoryRoot = join(import.meta.dirname, '..', '..');

export function specPath(name: SpecName): string {
  return join(repositoryRoot, 'spec', `${name}.yaml`);
}

export function generatedPath(name: SpecName, ...rest: string[]): string {
  return join(repositoryRoot, 'generated', name, ...rest);
}
