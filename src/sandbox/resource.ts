import type { Ledger } from './data/ledger.ts';
import type { SeedSource } from './seed-source.ts';
import type { Steps } from './slices.ts';

/**
 * A resource of the sandbox, such as tags. All of its parts are required. Resources and products are internal; the package
 * declares only the types of their tables.
 */
export interface Resource<
  Tables extends object = object,
  State = never,
  Choices extends { readonly [id: string]: string } = { readonly [id: string]: string },
  Handlers extends object = object,
> {
  /** Creates its empty tables and the indexes that follow them. Every table has a schema. */
  tables(ledger: Ledger): Tables;
  /** Adds its records of the example story (spec/README.md), and more if the source has a size, in steps. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most seeds are short and have no return statement, which only `void` permits
  seed(state: State, source: SeedSource): Steps | void;
  /** A sentence for each decision about behaviour that is not documented, by id. */
  readonly choices: Choices;
  /** Answers its operations, by operationId. */
  readonly handlers: Handlers;
}

/** All resources of a product together. */
export interface Product<Member extends Resource> {
  tables(ledger: Ledger): All<ReturnType<Member['tables']>>;
  seed(state: Member extends Resource<object, infer State> ? State : never, source: SeedSource): Steps;
  choices: All<Member['choices']>;
  handlers: All<Member['handlers']>;
  /** The resources, to find the choices of each operation. */
  resources: readonly Pick<Resource, 'choices' | 'handlers'>[];
}

/** Joins the resources of a product. The seed fills them in this order. */
export function joinResources<const List extends readonly Resource[]>(list: List): Product<List[number]>;
export function joinResources(list: readonly Resource<object, unknown>[]): Product<Resource<object, unknown>> {
  return {
    tables: (ledger) => merge(list.map(({ tables }) => tables(ledger))),
    *seed(state, source) {
      for (const { seed } of list) yield* seed(state, source) ?? [];
    },
    choices: merge(list.map(({ choices }) => choices)),
    handlers: merge(list.map(({ handlers }) => handlers)),
    resources: list,
  };
}

/**
 * Merges objects into one.
 *
 * @throws `Error` if two of them have the same key
 */
function merge<Part extends object>(parts: readonly Part[]): All<Part> {
  const keys = parts.flatMap(Object.keys);
  const repeated = keys.find((key, place) => keys.indexOf(key) < place);
  if (repeated !== undefined) throw new Error(`Two resources of a product have '${repeated}'`);
  return Object.assign({}, ...parts);
}

/** Intersection of the members of a union. `A | B` becomes `A & B`. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Every) => void
  ? Every
  : never;
