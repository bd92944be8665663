import { deriveEnvelope, type Envelope } from '../../spec/envelope.ts';
import { listOperations, resolve, type Spec, type SpecOperation } from '../../spec/model.ts';
import { type Field, flatFields, hasOpenBody, sdkOf } from '../../spec/parameters.ts';
import type { Pagination, RateLimit } from '../../spec/schema.ts';
import { pascalCase } from '../typescript/names.ts';
import { needsField } from './at-least-one.ts';
import { requestComponents } from './request-components.ts';

/** Facts that all operations of a spec share, computed once. */
interface Common {
  /** Names of the components that only requests contain. Their types may be wider than those in responses. */
  requestComponents: ReadonlySet<string>;
  /** Operation, such as `GET /deals/{dealId}` → its method, such as `deals.get`. */
  methodNames: ReadonlyMap<string, string>;
}

/** All data about one operation that generators need, computed once. */
export interface OperationModel extends SpecOperation, Common {
  /** Path in the client: `deals.comments.create`. */
  place: string;
  /** Prefix of the names of its types: `DealsCommentsCreate`. */
  typeName: string;
  /** The single key that wraps the body on the wire. */
  wrap: string | undefined;
  /** Fields of the path, the query and the body in the form that the method takes. */
  fields: Field[];
  /** Component that declares the body's fields. `undefined` if there is no body. */
  bodyModel: string | undefined;
  /** Whether the body is an open object, so that the method takes any field. */
  hasOpenBody: boolean;
  /** Whether the body needs at least one of its fields although none is required. */
  needsField: boolean;
  envelope: Envelope;
  paging: Pagination | undefined;
  quota: RateLimit | undefined;
  /** Whether requests carry no credential. */
  isAnonymous: boolean;
}

/** A spec with the models of its operations. */
export interface SpecModel extends Common {
  spec: Spec;
  /** Prefix of the names that its files export: `Crm`. */
  typeName: string;
  /** Base path of most operations. */
  base: string;
  operations: OperationModel[];
}

/** @throws Error that names the operation, if the client cannot represent the operation */
export function modelSpec(spec: Spec): SpecModel {
  const listed = listOperations(spec);
  const common: Common = {
    requestComponents: requestComponents(spec, listed),
    methodNames: new Map(listed.map((operation) => [operation.key, sdkOf(operation).method])),
  };
  const operations = listed.map((operation) => modelOperation(operation, common));
  return { ...common, spec, typeName: pascalCase(spec.name), base: commonBase(operations), operations };
}

function modelOperation(operation: SpecOperation, common: Common): OperationModel {
  const { method: place, unwrapBody: wrap } = sdkOf(operation);
  const { 'x-pagination': paging, 'x-rate-limit': quota, security } = operation.operation;
  return {
    ...operation,
    ...common,
    place,
    typeName: place.split('.').map(pascalCase).join(''),
    wrap,
    fields: flatFields(operation),
    bodyModel: bodyModel(operation, wrap),
    hasOpenBody: hasOpenBody(operation),
    needsField: operation.body !== undefined && needsField(resolve(operation.spec.openapi, operation.body.schema)),
    envelope: deriveEnvelope(operation),
    paging,
    quota,
    isAnonymous: security?.length === 0,
  };
}

function bodyModel({ spec, body }: SpecOperation, wrap: string | undefined): string | undefined {
  if (!body) return undefined;
  const fields = wrap ? resolve(spec.openapi, body.schema).properties?.[wrap] : body.schema;
  return fields?.$ref?.slice(fields.$ref.lastIndexOf('/') + 1);
}

function commonBase(operations: SpecOperation[]): string {
  const counts = new Map<string, number>();
  for (const { base } of operations) counts.set(base, (counts.get(base) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}
