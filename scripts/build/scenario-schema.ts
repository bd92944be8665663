import * as z from 'zod';
import { Ledger } from '../../src/sandbox/data/ledger.ts';
import { Table } from '../../src/sandbox/data/table.ts';
import { faultFields } from '../../src/sandbox/faults/fault-fields.ts';
import { emptyState, partsOf } from '../../src/sandbox/products/state.ts';
import { listOperationIds } from '../../src/sandbox/rules/operation-ids.ts';
import { scenarioFields, zScenario } from '../../src/sandbox/world/scenarios/scenario-fields.ts';
import { listQuotaOperationIds } from '../../src/sandbox/world/scenarios/used-up-quotas.ts';

/** Derives the JSON schema of a scenario from the schema that validates it. */
export function scenarioSchema(): object {
  const { schema: operation } = faultFields.operation;
  const quota = scenarioFields.usedUpQuotas.schema.element;
  const { $schema, ...schema } = toJsonSchema(zScenario, ({ zodSchema, jsonSchema, path }) => {
    // JSON Schema cannot express custom checks.
    if (zodSchema === operation) Object.assign(jsonSchema, { type: 'string', enum: listOperationIds() });
    if (zodSchema === quota) Object.assign(jsonSchema, { type: 'string', enum: listQuotaOperationIds() });
    if (zodSchema === scenarioFields.state.schema) Object.assign(jsonSchema, stateSchema());
    const [field = '', inFault = ''] = path.filter((part) => part !== 'properties' && part !== 'items').map(String);
    const isField = path.at(-2) === 'properties';
    if (isField && path.length === 2) Object.assign(jsonSchema, { description: aboutOf(scenarioFields, field) });
    if (isField && field === 'faults' && path.length === 5)
      Object.assign(jsonSchema, { description: aboutOf(faultFields, inFault) });
  });
  return {
    $schema,
    title: 'Scenario of carillon-sandbox',
    description: 'What a sandbox begins with: data, clock, faults and accepted keys.',
    ...schema,
  };
}

function aboutOf(fields: Readonly<Record<string, { about: string }>>, name: string): string | undefined {
  return fields[name]?.about.replaceAll('`', '');
}

/** The tables of a snapshot. */
function stateSchema(): object {
  const areas: Record<string, Record<string, z.ZodType>> = {};
  for (const part of partsOf(emptyState(new Ledger()))) {
    const [area = '', name = ''] = part.name.split('.');
    const schema = part instanceof Table ? z.array(part.entrySchema) : part.schema;
    areas[area] = { ...areas[area], [name]: schema };
  }
  const described = Object.entries(areas).map(([area, tables]) => [area, z.strictObject(tables).partial()]);
  const { $schema: _, ...schema } = toJsonSchema(z.strictObject(Object.fromEntries(described)).partial());
  return schema;
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

function toJsonSchema(schema: z.ZodType, override: Override = () => {}) {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override });
}
