import { operations as tables } from '../../../generated/operations.ts';
import { products as documents, type Product, productNames } from '../../../generated/products.ts';
import { references, rules, schemas } from '../../../generated/reference.ts';
import { listOperations, type OperationRecord, type OperationTable } from '../../shared/operation.ts';
import type { ErrorCode, JsonSchema, OperationReference, OperationReferences, Rule } from '../../shared/reference.ts';

/** The products, in the order of the documents. */
export const products = productNames;
export type { Product };

/** A documented rule with its ID. */
export interface MethodRule extends Rule {
  readonly id: string;
}

/** A method of the client, with what the spec says about its operation. */
export interface Method
  extends Omit<OperationReference, 'rules' | 'parameters'>,
    Pick<OperationRecord, 'id' | 'wrap' | 'encode' | 'paging' | 'deprecated'> {
  /** Property path in the client, such as `crm.contacts.list`. */
  readonly name: string;
  readonly product: Product;
  /** Words of the name, such as `crm`, `contacts`, `list`. */
  readonly words: readonly string[];
  readonly method: string;
  /** Path template with the base path, such as `/crm/v1/contacts/{contactId}`. */
  readonly path: string;
  /** Path template for calls by HTTP method and path, such as `/contacts/{contactId}`. */
  readonly template: string;
  /** Path parameters, by name. */
  readonly inPath: Readonly<Record<string, JsonSchema>>;
  /** Query parameters, by name. */
  readonly inQuery: Readonly<Record<string, JsonSchema>>;
  readonly rules: readonly MethodRule[];
}

/** All methods, in the order of the products and their specs. */
export const methods: readonly Method[] = products.flatMap(methodsOf);

const byName = new Map(methods.map((method) => [method.name, method]));

function methodsOf(product: Product): Method[] {
  const operations: OperationTable = tables[product];
  const reference: OperationReferences = references[product];
  const known: Readonly<Record<string, Rule>> = rules[product];
  return listOperations(operations).map(({ method, path, record }): Method => {
    const { id, base = operations.base, params = {}, wrap, encode, paging, deprecated } = record;
    const about = reference[id];
    if (!about) throw new Error(`No reference entry for ${id}: run npm run generate`);
    const { parameters = {} } = about;
    const parametersIn = (place: 'path' | 'query'): Record<string, JsonSchema> =>
      Object.fromEntries(Object.entries(parameters).filter(([name]) => params[name] === place));
    const name = `${product}.${record.method}`;
    return {
      ...about,
      name,
      product,
      words: name.split('.'),
      id,
      method,
      path: base + path,
      template: path,
      ...(wrap && { wrap }),
      ...(encode && { encode }),
      ...(paging && { paging }),
      ...(deprecated && { deprecated }),
      inPath: parametersIn('path'),
      inQuery: parametersIn('query'),
      rules: (about.rules ?? []).flatMap((ruleId) => ruleOf(ruleId, known[ruleId])),
    };
  });
}

function ruleOf(id: string, rule: Rule | undefined): MethodRule | [] {
  return rule ? { id, ...rule } : [];
}

/**
 * Finds a method by its name.
 *
 * @param name - property path of the method in the client, such as `crm.contacts.list`
 */
export function findMethod(name: string): Method | undefined {
  return byName.get(name);
}

/** Returns the documented meaning of a failed call's error code, or `undefined` if the method does not document the code. */
export function documentedCode(
  { errors = {} }: Method,
  { code }: { readonly code?: string | undefined },
): ErrorCode | undefined {
  return code !== undefined && Object.hasOwn(errors, code) ? errors[code] : undefined;
}

/** Returns the rules of a product that apply to all its methods. */
export function rulesOf(product: Product): readonly MethodRule[] {
  return Object.entries<Rule>(rules[product]).flatMap(([id, rule]) =>
    rule.operation === undefined ? ruleOf(id, rule) : [],
  );
}

/** Returns a description of a product's records and tasks. */
export function contentsOf(product: Product): string {
  return documents[product].contents;
}

/** Returns the schemas of a product that methods refer to, by name. */
export function schemasOf(product: Product): Readonly<Record<string, JsonSchema>> {
  return schemas[product];
}
