import { requestComponents } from '../../../scripts/generate/request-components.ts';
import { listOperations, type Spec, type SpecOperation } from '../../../scripts/spec/model.ts';
import type { Schema, SpecDocument } from '../../../scripts/spec/schema.ts';

/** One change of a spec, with a known class. */
export interface Mutation {
  spec: Spec['name'];
  /** `a field of a request is removed`. */
  name: string;
  /** Part of the place that the verdict must name. */
  place: string;
  apply(document: SpecDocument): void;
}

/** A class of changes: its possible places in a spec, and how to make the change. */
export interface MutationClass {
  name: string;
  breaks: boolean;
  sites(spec: Spec): Omit<Mutation, 'spec' | 'name'>[];
}

type Sites = MutationClass['sites'];

/** Sites in schemas that only requests contain. */
export function requestSchemas(change: SchemaChange): Sites {
  return (spec) => componentSites(spec, (name) => requestComponents(spec).has(name), change);
}

/** Sites in schemas that only replies contain. */
export function replySchemas(change: SchemaChange): Sites {
  return (spec) => {
    const sent = sentComponents(spec);
    const used = new Set(
      listOperations(spec).flatMap((operation) => reachable(spec.document, operation.operation.responses)),
    );
    return componentSites(spec, (name) => used.has(name) && !sent.has(name), change);
  };
}

/** Changes an object schema at one of its fields, or returns `false` if the change does not fit there. */
type SchemaChange = (schema: Schema, field: string, property: Schema) => boolean;

function componentSites(spec: Spec, isChosen: (name: string) => boolean, change: SchemaChange): ReturnType<Sites> {
  const applyTo = (schema: Schema | undefined, field: string): boolean => {
    // A component that is not an object, such as an enum, is changed itself.
    const property = schema?.properties ? schema.properties[field] : schema;
    return schema !== undefined && property !== undefined && change(schema, field, property);
  };
  return Object.entries(spec.document.components.schemas).flatMap(([name, schema]) => {
    const fields = isChosen(name) ? Object.keys(schema.properties ?? { '': schema }) : [];
    return fields
      .filter((field) => applyTo(structuredClone(schema), field))
      .map((field) => ({
        place: field ? `${name}.${field}` : name,
        apply: (document) => void applyTo(document.components.schemas[name], field),
      }));
  });
}

/** Changes an operation, or returns `false` if the change does not fit there. */
type OperationChange = (operation: SpecOperation['operation']) => boolean;

export function operations(
  change: OperationChange,
  isChosen: (operation: SpecOperation) => boolean = () => true,
): Sites {
  return (spec) =>
    listOperations(spec)
      .filter((each) => isChosen(each) && change(structuredClone(each.operation)))
      .map(({ path, method, operationId }) => ({
        place: operationId,
        apply: (document) => {
          const operation = document.paths[path]?.[method.toLowerCase()];
          if (operation && !Array.isArray(operation)) change(operation);
        },
      }));
}

function sentComponents(spec: Spec): Set<string> {
  return new Set(
    listOperations(spec).flatMap(({ body, parameters }) => reachable(spec.document, [body?.schema, parameters])),
  );
}

function reachable(document: SpecDocument, node: unknown, found = new Set<string>()): string[] {
  if (typeof node !== 'object' || node === null) return [...found];
  for (const [key, value] of Object.entries(node)) {
    if (key === 'examples') continue;
    const pointer = key === '$ref' ? String(value) : '';
    if (!pointer || found.has(pointer)) reachable(document, value, found);
    else {
      found.add(pointer);
      const [, , section = '', name = ''] = pointer.split('/');
      reachable(document, document.components[section]?.[name], found);
    }
  }
  return [...found].map((pointer) => pointer.slice(pointer.lastIndexOf('/') + 1));
}

/** Excludes fields that forms or conditions mention, since removing them is another change. */
export function isPlain(schema: Schema): boolean {
  return !schema['x-variants'] && !schema.not && !schema.if && !schema.dependentRequired;
}

export function remove(schema: Schema, field: string): boolean {
  if (!isPlain(schema) || Object.keys(schema.properties ?? {}).length < 2) return false;
  delete schema.properties?.[field];
  if (schema.required) schema.required = schema.required.filter((name) => name !== field);
  return true;
}

export function require(schema: Schema, field: string): boolean {
  if (!schema.properties || schema.required?.includes(field)) return false;
  schema.required = [...(schema.required ?? []), field];
  return true;
}

export function release(schema: Schema, field: string): boolean {
  if (!schema.required?.includes(field)) return false;
  schema.required = schema.required.filter((name) => name !== field);
  return true;
}

/** Adds the field `brand_new`, once per object. */
export function add(isRequired: boolean): SchemaChange {
  return (schema, field) => {
    if (!schema.properties || !isPlain(schema) || Object.keys(schema.properties)[0] !== field) return false;
    schema.properties.brand_new = { type: 'string', description: 'New.' };
    return !isRequired || require(schema, 'brand_new');
  };
}

export function ofNewField(sites: Sites): Sites {
  return (spec) => sites(spec).map((site) => ({ ...site, place: site.place.replace(/\..*/, '.brand_new') }));
}

/** Sets a keyword on a field of a certain type. */
export function limit(
  type: string,
  keyword: 'maxLength' | 'minLength' | 'maximum' | 'maxItems' | 'pattern' | 'format',
  value: string | number,
): SchemaChange {
  return (_, __, property) => {
    if (property.type !== type || property[keyword] !== undefined || property.enum) return false;
    Object.assign(property, { [keyword]: value });
    return true;
  };
}

/** Scales an existing upper limit. */
export function scale(factor: number): SchemaChange {
  return (_, __, property) => {
    const keyword = (['maxLength', 'maximum', 'maxItems'] as const).find((name) => property[name] !== undefined);
    const value = keyword && property[keyword];
    if (!keyword || value === undefined) return false;
    property[keyword] = Math.ceil(value * factor);
    return true;
  };
}

export const retype: SchemaChange = (_, __, property) => {
  if (property.enum || (property.type !== 'string' && property.type !== 'integer')) return false;
  property.type = property.type === 'string' ? 'integer' : 'string';
  for (const keyword of [
    'maxLength',
    'minLength',
    'pattern',
    'format',
    'minimum',
    'maximum',
    'default',
    'contentMediaType',
    'contentSchema',
    'contentEncoding',
  ] as const) {
    delete property[keyword];
  }
  return true;
};

export const allowNull: SchemaChange = (_, __, property) => {
  if (typeof property.type !== 'string' || property.enum) return false;
  property.type = [property.type, 'null'];
  return true;
};

export const forbidNull: SchemaChange = (_, __, property) => {
  if (!Array.isArray(property.type) || !property.type.includes('null') || property.enum) return false;
  property.type = property.type.filter((type) => type !== 'null');
  return true;
};

export const deprecate: SchemaChange = (_, __, property) => {
  if (property.deprecated || property.$ref) return false;
  property.deprecated = true;
  return true;
};

export const addValue: SchemaChange = (_, __, property) => {
  if (!property.enum) return false;
  delete property['x-enum-varnames'];
  property.enum = [...property.enum, typeof property.enum[0] === 'number' ? 99 : 'brand-new'];
  return true;
};

export const dropValue: SchemaChange = (_, __, property) => {
  if (!property.enum || property.enum.length < 2) return false;
  delete property['x-enum-varnames'];
  property.enum = property.enum.slice(1);
  return true;
};

export const describeAgain: SchemaChange = (_, __, property) => {
  if (!property.description) return false;
  property.description = 'The same thing in other words.';
  return true;
};

export const query = (operation: SpecOperation['operation']) =>
  operation.parameters?.filter((each) => each.in === 'query') ?? [];

export function operationSites(change: (document: SpecDocument, operation: SpecOperation) => void): Sites {
  return (spec) =>
    listOperations(spec)
      .filter(({ operation }) => typeof operation['x-sdk'] === 'string')
      .map((each) => ({ place: each.operationId, apply: (document) => change(document, each) }));
}

/** The inline schema of a request field moves to `components/schemas`. */
export function extractSites(spec: Spec): ReturnType<Sites> {
  return requestSchemas((_, __, property) => !property.$ref)(spec).map(({ place }) => ({
    place,
    apply: (document) => {
      const [name = '', field = ''] = place.split('.');
      const properties = document.components.schemas[name]?.properties;
      const property = properties?.[field];
      if (!properties || !property) throw new Error(`There is no ${place}`);
      document.components.schemas.BrandNewPart = property;
      properties[field] = { $ref: '#/components/schemas/BrandNewPart' };
    },
  }));
}
