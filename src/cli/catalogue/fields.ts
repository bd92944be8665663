import type { Encoding } from '../../shared/operation.ts';
import type { JsonSchema } from '../../shared/reference.ts';
import { type Method, schemasOf } from './methods.ts';

/** A parameter of a method. All parameters are in one flat object, regardless of their location in the request. */
export interface Field {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly required: boolean;
  /** The schema, with the referenced schema merged into it. */
  readonly schema: JsonSchema;
  /** How the client encodes the value. */
  readonly encoding?: Encoding | undefined;
}

const known = new WeakMap<Method, readonly Field[]>();

/** Returns the parameters of a method: first those in the path, then those in the query and the body. */
export function fieldsOf(method: Method): readonly Field[] {
  // The fields are cached, because a file of rows needs them for every row.
  const before = known.get(method);
  if (before) return before;
  const fields = readFields(method);
  known.set(method, fields);
  return fields;
}

function readFields(method: Method): Field[] {
  const { inPath, inQuery, requiredParameters = [], encode = {} } = method;
  const { properties = {}, required = [] } = fieldsOfBody(method);
  return [
    ...Object.entries(inPath).map(([name, schema]): Field => ({ ...field(name, schema), in: 'path', required: true })),
    ...Object.entries(inQuery).map(
      ([name, schema]): Field => ({ ...field(name, schema), in: 'query', required: requiredParameters.includes(name) }),
    ),
    ...Object.entries({ ...pagingFields(method), ...properties }).map(
      ([name, schema]): Field => ({
        ...field(name, schema),
        in: 'body',
        required: required.includes(name),
        encoding: Object.hasOwn(encode, name) ? encode[name] : undefined,
      }),
    ),
  ];

  function field(name: string, schema: JsonSchema): Pick<Field, 'name' | 'schema'> {
    return { name, schema: follow(method, schema) };
  }
}

/**
 * Returns why a method takes fields that its schema does not name: `open` if the body permits undeclared fields, `own` if the
 * account can have its own fields.
 */
export function takesOtherFields(method: Method): 'open' | 'own' | undefined {
  if (fieldsOfBody(method).additionalProperties === true) return 'open';
  return method.ownFields ? 'own' : undefined;
}

/**
 * Returns the parameters of a method as the JSON Schema of one object. The property `$defs` contains the referenced schemas.
 */
export function parametersSchema(method: Method): JsonSchema {
  const {
    description: _,
    properties = {},
    required = [],
    additionalProperties: __,
    ...conditions
  } = fieldsOfBody(method);
  const { inPath, inQuery, requiredParameters = [] } = method;
  const needed = [...Object.keys(inPath), ...requiredParameters, ...required];
  const schema: JsonSchema = {
    ...conditions,
    type: 'object',
    properties: { ...inPath, ...inQuery, ...pagingFields(method), ...properties },
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: takesOtherFields(method) !== undefined,
  };
  const defs = referenced(method, schema);
  const whole = Object.keys(defs).length > 0 ? { ...schema, $defs: defs } : schema;
  // Programs that read JSON Schema may reject unknown keywords.
  return JSON.parse(JSON.stringify(whole, (key, value) => (key === 'x-inferred-limits' ? undefined : value)));
}

/**
 * Merges the referenced schema into a schema. The schema's own description replaces the first sentence of the referenced
 * description, because that sentence is more general, such as `Status of a deal.`
 */
export function follow(method: Method, schema: JsonSchema): JsonSchema {
  const { $ref, ...own } = schema;
  if ($ref === undefined) return schema;
  const target = follow(method, schemaNamed(method, $ref));
  const { description: general = '' } = target;
  const details = own.description ? general.replace(/^.*?[.!?](?:\s+|$)/s, '') : general;
  const description = [own.description, details].filter(Boolean).join(' ');
  return { ...target, ...own, ...(description && { description }) };
}

/** Returns the parameters in the body as the schema of an object. */
function fieldsOfBody(method: Method): JsonSchema {
  return method.body === undefined ? {} : schemaNamed(method, method.body);
}

/** Returns the paging fields of a body that permits undeclared fields. The schema of the body does not name these fields. */
function pagingFields(method: Method): Record<string, JsonSchema> {
  if (!method.paging || fieldsOfBody(method).additionalProperties !== true) return {};
  return {
    [method.paging.limit]: { type: 'integer', description: 'Number of items on a page.' },
    [method.paging.offset]: { type: 'integer', description: 'Number of items to skip.' },
  };
}

function schemaNamed({ product, name }: Method, reference: string): JsonSchema {
  const schema = schemasOf(product)[reference.slice(reference.lastIndexOf('/') + 1)];
  if (!schema) throw new Error(`${name}: the catalogue has no schema ${reference}`);
  return schema;
}

function referenced(method: Method, schema: JsonSchema): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  const visit = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) {
      if (Object.hasOwn(found, name)) continue;
      found[name] = schemaNamed(method, name);
      visit(JSON.stringify(found[name]));
    }
  };
  visit(JSON.stringify(schema));
  return found;
}
