import { crmCatalogue } from '../../generated/crm/catalogue.ts';
import { emailCatalogue } from '../../generated/email/catalogue.ts';
import { messagingCatalogue } from '../../generated/messaging/catalogue.ts';
import type { CatalogueRecord, CatalogueRule, ProductCatalogue } from '../core/catalogue-record.ts';

/** The products, in the order of the documents. */
export const products = ['crm', 'messaging', 'email'] as const;
export type Product = (typeof products)[number];

const catalogues: Record<Product, ProductCatalogue> = {
  crm: crmCatalogue,
  messaging: messagingCatalogue,
  email: emailCatalogue,
};

/** A method of the client, and what the spec says about its operation. */
export interface Method extends Omit<CatalogueRecord, 'name'> {
  /** Place in the client: `crm.contacts.list`. */
  readonly name: string;
  readonly product: Product;
  /** Place in words: `crm`, `contacts`, `list`. */
  readonly words: readonly string[];
}

/** All methods: the products one after the other, each in the order of its spec. */
export const methods: readonly Method[] = products.flatMap((product) =>
  catalogues[product].methods.map((record) => {
    const name = `${product}.${record.name}`;
    return { ...record, name, product, words: name.split('.') };
  }),
);

const byName = new Map(methods.map((method) => [method.name, method]));

/**
 * Finds a method by its name.
 *
 * @param name - its place in the client, such as `crm.contacts.list`
 */
export function findMethod(name: string): Method | undefined {
  return byName.get(name);
}

/** Rules of a whole product, which apply to all its methods. */
export function rulesOf(product: Product): readonly CatalogueRule[] {
  return catalogues[product].rules;
}

/** The schemas that those of a product's methods refer to, by name. */
export function schemasOf(product: Product): ProductCatalogue['schemas'] {
  return catalogues[product].schemas;
}
