import type { Schema } from '../../spec/schema.ts';

/** A condition on an object: if it matches `when` (or, with `otherwise`, does not), it must match `needs`. */
export interface Condition {
  /** Name of a schema. */
  when: string;
  otherwise?: true;
  /** Name of a schema. Absent if the condition forbids the object. */
  needs?: string;
  /** The error message. */
  message: string;
  /** Whether the condition is inferred rather than documented. */
  isInferred: boolean;
}

/**
 * Removes and returns the conditions of a spec's components (`not`, `if`, `dependentRequired`), which generators of
 * validators ignore. The lint permits conditions only on a component that is an object.
 *
 * @param schemas - receives each part of a condition as a separate component
 * @returns conditions by the name of the component
 */
export function takeConditions(schemas: Record<string, Schema>): Map<string, Condition[]> {
  const found = new Map<string, Condition[]>();
  for (const [name, schema] of Object.entries(schemas)) {
    const conditions = conditionsOf(schema, (part, partSchema) => {
      const partName = `${name}${part}`;
      if (schemas[partName])
        throw new Error(`${name}: rename ${partName}, which is the name of a part of its condition`);
      schemas[partName] = { ...partSchema, type: 'object' };
      return partName;
    });
    if (conditions.length > 0) found.set(name, conditions);
  }
  return found;
}

function conditionsOf(schema: Schema, declare: (part: string, schema: Schema) => string): Condition[] {
  const { not, if: when, then, else: otherwise, dependentRequired = {} } = schema;
  const conditions: Condition[] = [];
  if (not) conditions.push({ when: declare('Not', not), ...textOf(not) });
  if (when) {
    const condition = declare('If', when);
    if (then) conditions.push({ when: condition, needs: declare('Then', then), ...textOf(then) });
    if (otherwise)
      conditions.push({ when: condition, otherwise: true, needs: declare('Else', otherwise), ...textOf(otherwise) });
  }
  for (const [field, needed] of Object.entries(dependentRequired)) {
    conditions.push({
      when: declare(`With_${field}`, requiring([field])),
      needs: declare(`Needs_${field}`, requiring(needed)),
      message: `Invalid input: ${field} needs ${needed.join(' and ')}`,
      isInferred: schema['x-inferred'] !== undefined,
    });
  }
  return conditions;
}

function textOf({ description = '', 'x-inferred': inferred }: Schema): Pick<Condition, 'message' | 'isInferred'> {
  return { message: `Invalid input: ${description}`, isInferred: inferred !== undefined };
}

function requiring(names: string[]): Schema {
  return { required: names, properties: Object.fromEntries(names.map((name) => [name, {}])) };
}
