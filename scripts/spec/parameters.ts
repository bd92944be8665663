import { type Encoding, encodingOf } from './encoding.ts';
import { type Operation, resolve } from './model.ts';
import type { Schema } from './schema.ts';

/** One field of a method's flat parameters. */
export interface Field {
  name: string;
  in: 'path' | 'query' | 'body';
  schema: Schema;
  required: boolean;
  encoding?: Encoding;
}

/** The place of an operation in the client, and the one key that the wire wraps its body in. */
export function sdkOf(operation: Operation): { method: string; unwrapBody?: string } {
  const sdk = operation.operation['x-sdk'];
  return typeof sdk === 'string' ? { method: sdk } : sdk;
}

/** Path, query and body fields of an operation, together. Throws where two of them share a name. */
export function flatFields(operation: Operation): Field[] {
  const parameters: Field[] = operation.parameters.flatMap(({ name, in: place, schema, required, description }) =>
    place === 'header'
      ? []
      : [{ name, in: place, schema: { description: description ?? '', ...schema }, required: required === true }],
  );
  const fields = [...parameters, ...bodyFields(operation)];
  const names = fields.map((field) => field.name);
  if (operation.body && fields.some((field) => field.in === 'query')) {
    throw new Error(`${operation.operationId}: a query beside a body is not told apart by the client's methods yet`);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) {
    throw new Error(
      `${operation.operationId}: '${twice}' stands in two places of the request, so its method cannot take it`,
    );
  }
  return fields;
}

function bodyFields(operation: Operation): Field[] {
  if (!operation.body) return [];
  const { document } = operation.spec;
  const { unwrapBody } = sdkOf(operation);
  let schema = resolve(document, operation.body.schema);
  if (unwrapBody) {
    const inner = schema.properties?.[unwrapBody];
    if (!inner) throw new Error(`${operation.operationId}: the body has no '${unwrapBody}' to unwrap`);
    schema = resolve(document, inner);
  }
  if (!schema.properties) {
    if (schema.additionalProperties === true) return [];
    throw new Error(`${operation.operationId}: the fields of the body cannot be told`);
  }
  return Object.entries(schema.properties).map(([name, property]) => {
    const encoding = encodingOf(resolve(document, property));
    return {
      name,
      in: 'body',
      schema: property,
      required: schema.required?.includes(name) ?? false,
      ...(encoding && { encoding }),
    };
  });
}

/** Whether the body is an open object, whose fields nobody documented: a method takes any. */
export function hasOpenBody(operation: Operation): boolean {
  if (!operation.body) return false;
  const schema = resolve(operation.spec.document, operation.body.schema);
  return !schema.properties && schema.additionalProperties === true;
}
