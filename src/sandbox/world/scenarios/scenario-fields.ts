import * as z from 'zod';
import { unknownName } from '../../../shared/did-you-mean.ts';
import { zMoment } from '../../data/dates.ts';
import { explainFault, zFault } from '../../faults/fault-fields.ts';
import { maxKeys, optionFields } from '../../option-fields.ts';
import { checkSnapshot, placeOf } from '../snapshots/snapshot-schema.ts';
import type { Scenario } from './scenario.ts';
import { isQuotaOperationId, listQuotaOperationIds, type QuotaOperationId } from './used-up-quotas.ts';

interface ScenarioField<Value> {
  schema: z.ZodType<Value>;
  /** A sentence that describes valid values. */
  about: string;
}

/** Fields of a scenario, each with a schema and a description. Error messages and the JSON schema use this list. */
export const scenarioFields = {
  $schema: { schema: z.string(), about: 'Path or URL of the JSON schema, for editors.' },
  name: {
    schema: z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/),
    about: 'Lower-case letters, digits and hyphens, at most 60 characters.',
  },
  description: {
    schema: z.string().max(500),
    about: 'One or two sentences about the scenario, at most 500 characters.',
  },
  seed: {
    schema: optionFields.seed.schema,
    about: 'true for the small data set, false for no data, or the number of records to add to the small data set.',
  },
  clock: {
    schema: z.strictObject({
      startAt: z.union([zMoment, z.iso.date(), z.iso.datetime()]).optional(),
      isFrozen: z.boolean().optional(),
    }),
    about: '{ "startAt": "2026-11-04T12:00:00Z", "isFrozen": true }, with a time in UTC or in milliseconds since 1970.',
  },
  faults: { schema: z.array(zFault), about: 'List of faults, such as { "operation": "getDeal", "status": 503 }.' },
  apiKeys: {
    schema: z.array(z.string().min(1)).max(maxKeys),
    about: `Accepted static API keys, at most ${maxKeys}. If the list is empty, every static API key is rejected.`,
  },
  state: {
    schema: z.custom<NonNullable<Scenario['state']>>((value) => typeof value === 'object' && value !== null),
    about: 'Tables that replace the tables of the seed: { "crm": { "tags": [{ "id": 15, "name": "VIP" }] } }.',
  },
  usedUpQuotas: {
    schema: z.array(
      z.custom<QuotaOperationId>(isQuotaOperationId, {
        error: ({ input }) => `No quota is documented for '${String(input).slice(0, 100)}'`,
      }),
    ),
    about: `Operations whose documented quota is used up at the start: ${listQuotaOperationIds().join(', ')}.`,
  },
} as const satisfies { [Field in keyof Required<Scenario>]: ScenarioField<Scenario[Field]> };

const { name, ...optional } = scenarioFields;

export const zScenario: z.ZodType<Scenario> = z.strictObject({
  name: name.schema,
  ...Object.fromEntries(Object.entries(optional).map(([field, { schema }]) => [field, schema.optional()])),
}) as z.ZodType<Scenario>;

/**
 * Checks a scenario.
 *
 * @returns a copy
 * @throws `RangeError` that names the first invalid locations and describes valid values
 */
export function readScenario(given: unknown): Scenario {
  const { data, error } = zScenario.safeParse(given);
  if (error) throw new RangeError(explain(error));
  if (data.state) checkSnapshot({ state: data.state }, 'The scenario is not valid.');
  return JSON.parse(JSON.stringify(data));
}

/** Maximum number of problems in an error message. */
const most = 5;

function explain({ issues }: z.core.$ZodError): string {
  return `The scenario is not valid. ${issues.slice(0, most).map(explainOne).join(' ')}`;
}

function explainOne(issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  const [field, index, ...inner] = path;
  if (field === 'faults' && index !== undefined)
    return sentence(explainFault([{ ...issue, path: inner }], `faults[${String(index)}]`));
  const unknown = field === undefined && issue.code === 'unrecognized_keys' ? issue.keys : [];
  const names = unknownName(unknown, Object.keys(scenarioFields), { one: 'field ', all: 'fields' });
  const problem = sentence(`${placeOf(path) || 'scenario'}: ${names ?? message}`);
  const fields: Readonly<Record<string, { about: string }>> = scenarioFields;
  const about = fields[String(field)]?.about;
  return about === undefined ? problem : `${problem} Expected: ${about}`;
}

/** Ends a message with a full stop, unless it already ends with a punctuation mark. */
function sentence(message: string): string {
  return /[.?]$/.test(message) ? message : `${message}.`;
}
