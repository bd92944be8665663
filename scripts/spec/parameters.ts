import { type Encoding, encodingOf } from './encoding.ts';
import { SpecFault } from './fault.ts';
import { resolve, type SpecOperation } from './model.ts';
import type { Schema } from './schema.ts';

/** One field of a method's flat parameters. */
export interface Field {
  name: string;
  in: 'path' | 'query' | 'body';
  schema: Schema;
  required: boolean;
  encoding?: Encoding;
}

/** Path of an operation's method in the client, and the key that wraps its body on the wire, if any. */
export function sdkOf(operation: SpecOperation): { method: string; unwrapBody?: string } {
  const sdk = operation.operation['x-sdk'];
  return typeof sdk === 'string' ? { method: sdk } : sdk;
}

/**
 * Fields of the path, the query and the body of an operation in one list.
 *
 * @throws {@link SpecFault} if the method cannot take them
 */
export function flatFields(operation: SpecOperation): Field[] {
  const { operationId } = operation;
  const place = (name: string): [string, number] => {
    const own = operation.operation.parameters ?? [];
    return [
      'parameters',
      Math.max(
        own.findIndex((each) => resolve(operation.spec.openapi, each).name === name),
        0,
      ),
    ];
  };
  const parameters = operation.parameters.map(({ name, in: where, required = false, ...parameter }): Field => {
    const { description = parameter.schema.description, 'x-open': open = parameter.schema['x-open'] } = parameter;
    const schema: Schema = {
      ...parameter.schema,
      ...(description && { description }),
      ...(open && { 'x-open': open }),
      ...(parameter.deprecated && { deprecated: true }),
    };
    return { name, in: where, schema, required };
  });
  const fields = [...parameters, ...bodyFields(operation)];
  const names = fields.map((field) => field.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) {
    const message = `${operationId}: '${twice}' is in two places of the request, but the method takes only one field of that name: support for a second field belongs in scripts/spec/parameters.ts`;
    throw new SpecFault('fields-unique', place(twice), message);
  }
  return fields;
}

function bodyFields(operation: SpecOperation): Field[] {
  const { operationId } = operation;
  if (!operation.body) return [];
  const { openapi } = operation.spec;
  const { unwrapBody } = sdkOf(operation);
  let reference = operation.body.schema.$ref;
  let schema = resolve(openapi, operation.body.schema);
  if (unwrapBody) {
    const { [unwrapBody]: inner, ...others } = schema.properties ?? {};
    if (!inner || Object.keys(others).length > 0 || !schema.required?.includes(unwrapBody)) {
      const message = `${operationId}: '${unwrapBody}' is not the only, required key of the body`;
      throw new SpecFault('sdk-unwrap', ['x-sdk'], message);
    }
    reference = inner.$ref;
    schema = resolve(openapi, inner);
  }
  if (!schema.properties) {
    if (schema.additionalProperties === true) return [];
    const message = `${operationId}: a method takes the fields of a body: write an object with \`properties\` or with \`additionalProperties: true\`, or open an issue with the document that needs a list, a map or a union`;
    throw new SpecFault('body-form', ['requestBody', 'content', 'application/json', 'schema'], message);
  }
  return Object.entries(schema.properties).map(([name, property]) => {
    const encoding = encodingOf(resolve(openapi, property));
    const deep = encoding ? undefined : findEncoded(operation, property, name);
    if (deep) {
      const message = `${operationId}: '${deep}' is encoded, but the client encodes only whole fields of a body: make it such a field, or add support in src/client/core/encode.ts`;
      const place = reference?.split('/').slice(1) ?? ['requestBody', 'content', 'application/json', 'schema'];
      throw new SpecFault('body-encoding', [...place, 'properties', name], message);
    }
    const required = schema.required?.includes(name) ?? false;
    return { name, in: 'body', schema: property, required, ...(encoding && { encoding }) };
  });
}

/** Path of an encoded field inside another field, if any. */
function findEncoded(operation: SpecOperation, node: Schema, place: string, above: Schema[] = []): string | undefined {
  const schema = resolve(operation.spec.openapi, node);
  if (above.includes(schema)) return undefined;
  const { properties = {}, items, additionalProperties: values, anyOf = [], oneOf = [], allOf = [] } = schema;
  const below: [string, Schema][] = [
    ...Object.entries(properties).map(([name, property]): [string, Schema] => [`${place}.${name}`, property]),
    ...[items, typeof values === 'object' ? values : undefined, ...anyOf, ...oneOf, ...allOf].flatMap(
      (part): [string, Schema][] => (part ? [[place, part]] : []),
    ),
  ];
  for (const [name, part] of below) {
    const found = encodingOf(resolve(operation.spec.openapi, part))
      ? name
      : findEncoded(operation, part, name, [...above, schema]);
    if (found) return found;
  }
  return undefined;
}

/** Whether a body can have fields that the spec does not name: an open object, or a record with an account's own fields. */
export function acceptsOwnFields(operation: SpecOperation): boolean {
  if (!operation.body) return false;
  const { openapi } = operation.spec;
  const { unwrapBody } = sdkOf(operation);
  const schema = resolve(openapi, operation.body.schema);
  const inner = unwrapBody ? schema.properties?.[unwrapBody] : undefined;
  const fields = inner ? resolve(openapi, inner) : schema;
  return fields.additionalProperties === true || fields['x-record'] !== undefined;
}

/** Whether the body is an open object. Its fields are not documented, so the method accepts any. */
export function hasOpenBody(operation: SpecOperation): boolean {
  if (!operation.body) return false;
  const schema = resolve(operation.spec.openapi, operation.body.schema);
  return !schema.properties && schema.additionalProperties === true;
}
