import type { Ledger } from './ledger.ts';
import type { SeedSource } from './seed-source.ts';

/**
 * Data of a sandbox resource, such as tags. All members are required. A resource does not refer to its handlers, which use the
 * tables and choices of all resources. Resources and products are internal; the package declares only the types of their
 * tables.
 */
export interface Resource<
  Tables extends object = object,
  Choices extends { readonly [id: string]: string } = { readonly [id: string]: string },
  State = Tables,
> {
  /** Creates the empty tables for the resource, and their indexes. Every table has a schema. */
  tables(ledger: Ledger): Tables;
  /**
   * Adds the records of the resource in the example story (spec/README.md), and further records if `source.size` is above 0.
   */
  seed(state: State, source: SeedSource): void;
  /** A sentence for each decision about behaviour that is not documented, by ID. */
  readonly choices: Choices;
}

type AnyResource = Resource<object, Resource['choices'], never>;

/** All resources of a product together. */
export interface Product<Resources extends { readonly [name: string]: AnyResource }> {
  tables(ledger: Ledger): All<ReturnType<Resources[keyof Resources]['tables']>>;
  seed(state: All<StateOf<Resources[keyof Resources]>>, source: SeedSource): void;
  choices: All<Resources[keyof Resources]['choices']>;
  /** The resources by name. Used to find the choices of each operation. */
  resources: Resources;
}

/** Joins the resources of a product. The seed fills the resources in this order. */
export function joinResources<const Resources extends { readonly [name: string]: AnyResource }>(
  resources: Resources,
): Product<Resources>;
export function joinResources(resources: { readonly [name: string]: Resource<object, Resource['choices'], unknown> }) {
  const list = Object.values(resources);
  return {
    tables: (ledger: Ledger) => merge(list.map(({ tables }) => tables(ledger))),
    seed(state: unknown, source: SeedSource): void {
      for (const { seed } of list) seed(state, source);
    },
    choices: merge(list.map(({ choices }) => choices)),
    resources,
  };
}

/**
 * Merges objects into one.
 *
 * @throws `Error` if two objects have the same key
 */
export function merge<Part extends object>(parts: readonly Part[]): All<Part> {
  const keys = parts.flatMap(Object.keys);
  const repeated = keys.find((key, place) => keys.indexOf(key) < place);
  if (repeated !== undefined) throw new Error(`Two resources of a product define '${repeated}'`);
  return Object.assign({}, ...parts);
}

type StateOf<Member> = Member extends { seed(state: infer State, source: SeedSource): unknown } ? State : never;

/** Intersection of the members of a union. `A | B` becomes `A & B`. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Every) => void
  ? Every
  : never;
