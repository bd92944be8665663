import type { JsonSchema, OperationBehaviour, OperationReference } from '../../src/shared/reference.ts';
import { header } from './header.ts';
import type { SpecModel } from './operation-model.ts';
import { buildReference, lines } from './reference.ts';
import { mapValues } from './reference-schema.ts';

/** `behaviour.ts`: the part of `reference.ts` that the sandbox reads. It is loaded in pages, so it omits texts. */
export function generateBehaviour(model: SpecModel): string {
  const { name } = model.spec;
  const { operations, schemas } = buildReference(model);
  return `${header(`spec/${name}.yaml`)}
/** How requests to each operation are checked and answered, by operationId. */
export const ${name}Behaviour = {
${lines(mapValues(operations, behaviourOf))}} as const;

/** The schemas of bodies, reduced to the limits that the documents do not state, by name. */
export const ${name}InferredLimits = {
${lines(mapValues(schemas, inferredLimitsOf))}} as const;
`;
}

function behaviourOf(operation: OperationReference): OperationBehaviour {
  const { status, parameters, body, bodyRequired, quota, errors } = operation;
  return {
    status,
    ...(parameters && {
      parameters: mapValues(parameters, (schema) => ({
        ...(schema.type !== undefined && { type: schema.type }),
        ...inferredLimitsOf(schema),
      })),
    }),
    ...(body && { body }),
    ...(bodyRequired && { bodyRequired }),
    ...(quota && { quota }),
    ...(errors && { errors: mapValues(errors, ({ rule }) => ({ rule })) }),
  };
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
