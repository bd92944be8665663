import * as z from 'zod';
import { unknownName } from '../shared/did-you-mean.ts';
import { isRecord } from '../shared/is-record.ts';
import { explainFault, zFault } from './faults/fault-fields.ts';
import { maxSeed } from './limits.ts';
import { rules } from './rules/rules.ts';
import type { SandboxOptions } from './sandbox.ts';
import type { Store } from './store/store.ts';

/** Maximum number of static API keys for an account. */
export const { keys: maxKeys } = rules['crm-static-api-keys'].values;

export interface OptionField<Value> {
  schema: z.ZodType<Value>;
  /** Description of valid values. It completes the sentence `<option> must be …`. */
  must: string;
}

/** Options of a function or of a configuration file, by name. */
export type OptionFields = Readonly<Record<string, OptionField<unknown>>>;

const zNonEmpty = z.string().min(1);

const zClient = z.strictObject({ clientId: zNonEmpty, clientSecret: zNonEmpty });
const zControl = z.strictObject({ token: zNonEmpty.optional(), origins: z.array(zNonEmpty).optional() });
const zHeader = z.strictObject({ header: z.string().regex(/^[\w-]+$/) });

/**
 * Options of `createSandbox`, each with a schema and a description of valid values. The function, the command and its
 * configuration file use this list for their checks.
 */
export const optionFields: {
  readonly [Name in keyof SandboxOptions]-?: OptionField<NonNullable<SandboxOptions[Name]>>;
} = {
  seed: {
    schema: z.union([z.boolean(), z.int().min(0).max(maxSeed)]),
    must: `true, false or a whole number of records from 0 to ${maxSeed}`,
  },
  apiKeys: {
    schema: z.array(zNonEmpty).max(maxKeys),
    must: `a list of at most ${maxKeys} non-empty strings`,
  },
  clients: {
    schema: z.array(zClient),
    must: 'a list of { clientId, clientSecret } objects with non-empty strings',
  },
  tariff: { schema: z.enum(['paid', 'free']), must: "'paid' or 'free'" },
  currency: { schema: z.string().regex(/^[A-Z]{3}$/), must: "a code of three capital letters, such as 'USD'" },
  // The clock checks the range.
  startAt: { schema: z.number(), must: 'a number of milliseconds since 1970' },
  // `Scenarios.read` checks the scenario and explains what is wrong.
  scenario: { schema: z.custom<NonNullable<SandboxOptions['scenario']>>(() => true), must: 'a scenario' },
  faults: { schema: z.array(zFault), must: 'a list of faults' },
  control: {
    schema: z.union([z.boolean(), zControl]),
    must: "true, false or { token, origins }, such as { origins: ['http://localhost:3000'] }",
  },
  store: { schema: z.custom<Store>(isStore), must: 'an object with the methods of Store' },
  worlds: {
    schema: z.union([z.enum(['shared', 'credential']), zHeader]),
    must: "'shared', 'credential' or { header }, such as { header: 'x-world' }",
  },
  strict: { schema: z.boolean(), must: 'true or false' },
  ownFields: { schema: z.array(z.string()), must: 'a list of field names' },
  maxWorlds: { schema: z.int().min(1), must: 'a whole number above 0' },
  worldsExpireAfter: { schema: z.number().positive(), must: 'a number of milliseconds above 0' },
};

function isStore(value: unknown): boolean {
  return ['read', 'write', 'close'].every((name) => typeof Object(value)[name] === 'function');
}

/** Creates a schema in which every option is optional. */
export function schemaOf<Fields extends OptionFields>(
  fields: Fields,
): z.ZodType<{ [Name in keyof Fields]?: z.output<Fields[Name]['schema']> | undefined }>;
export function schemaOf(fields: OptionFields): z.ZodType {
  return z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema.optional()])),
  );
}

const resetFields = { seed: optionFields.seed };
const checks = {
  createSandbox: { fields: optionFields, schema: schemaOf(optionFields) },
  reset: { fields: resetFields, schema: schemaOf(resetFields) },
};

/**
 * Checks the options of a call.
 *
 * @throws `RangeError` that names the first option that is unknown or invalid
 */
export function checkOptions(of: keyof typeof checks, options: unknown): void {
  if (!isRecord(options)) throw new RangeError(`The options of ${of} must be an object`);
  const { fields, schema } = checks[of];
  const { error } = schema.safeParse(options);
  if (error) throw new RangeError(explainOptions(error, fields));
}

/** Explains in one sentence why options are invalid, and suggests the closest name for an unknown option. */
export function explainOptions({ issues }: z.ZodError, fields: OptionFields): string {
  // A misspelt name can be the reason why another option is missing.
  const others = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [],
  );
  const unknown = unknownName(others, Object.keys(fields), { one: 'option ', all: 'options' });
  if (unknown !== undefined) return `T${unknown.slice(1)}`;
  const [issue] = issues;
  const [name, index, ...inner] = issue?.path.map(String) ?? [];
  if (!issue || name === undefined) return 'The options must be an object';
  if (name === 'faults' && index !== undefined) return explainFault([{ ...issue, path: inner }], `faults[${index}]`);
  return `${name} must be ${fields[name]?.must}`;
}
