import type { JsonSchema, OperationBehaviour, OperationReference } from '../../../src/shared/reference.ts';
import { resolve } from '../../spec/model.ts';
import type { Schema } from '../../spec/schema.ts';
import type { OperationModel, SpecModel } from '../model/operation-model.ts';
import { header } from '../typescript/header.ts';
import { lines } from '../typescript/literal.ts';
import { buildReference } from './reference.ts';
import { mapValues } from './reference-schema.ts';

/** `behaviour.ts`: the part of `reference.ts` that the sandbox reads. It is loaded in pages, so it omits descriptions. */
export function generateBehaviour(model: SpecModel): string {
  const { name } = model.spec;
  const { operations, schemas } = buildReference(model);
  return `${header(`spec/${name}.yaml`)}
/** How requests to each operation are checked, and the responses to them, by operationId. */
export const ${name}Behaviour = {
${lines(Object.fromEntries(model.operations.map((operation) => [operation.operationId, behaviourOf(operation, operations[operation.operationId])])))}} as const;

/** The schemas of bodies, reduced to the limits that the documents do not state, by name. */
export const ${name}InferredLimits = {
${lines(mapValues(schemas, inferredLimitsOf))}} as const;
`;
}

function behaviourOf(model: OperationModel, reference: OperationReference | undefined): OperationBehaviour {
  if (!reference) throw new Error(`${model.operationId} has no reference`);
  const { status, parameters, body, bodyRequired, quota, errors } = reference;
  return {
    status,
    ...(parameters && {
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, schema]) => [
          name,
          merged(typesOf(model, model.fields.find((field) => field.name === name)?.schema), inferredLimitsOf(schema)),
        ]),
      ),
    }),
    ...(body && { body }),
    ...(bodyRequired && { bodyRequired }),
    ...(quota && { quota }),
    ...(errors && { errors: mapValues(errors, ({ rule }) => ({ rule })) }),
  };
}

/** The JSON types of a parameter, which arrives as a string, and of its items. */
function typesOf(model: OperationModel, schema: Schema | undefined): JsonSchema {
  const { type, items } = schema ? resolve(model.spec.openapi, schema) : {};
  return { ...(type !== undefined && { type }), ...(items && { items: typesOf(model, items) }) };
}

/** Types and limits of a parameter and its items. */
function merged(types: JsonSchema, limits: JsonSchema): JsonSchema {
  const { items } = types;
  return { ...types, ...limits, ...(items && { items: merged(items, limits.items ?? {}) }) };
}

/** Keeps the properties and items of a schema, with no keywords except inferred limits. */
function inferredLimitsOf(schema: JsonSchema): JsonSchema {
  const { $ref, properties, items, additionalProperties, anyOf, 'x-inferred-limits': limits } = schema;
  return {
    ...($ref !== undefined && { $ref }),
    ...(limits && { 'x-inferred-limits': limits }),
    ...(properties && { properties: mapValues(properties, inferredLimitsOf) }),
    ...(items && { items: inferredLimitsOf(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: inferredLimitsOf(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(inferredLimitsOf) }),
  };
}
