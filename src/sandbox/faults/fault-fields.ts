import * as z from 'zod';
import { unknownName } from '../../shared/did-you-mean.ts';
import { maxDelay } from '../limits.ts';
import { isOperationId, noSuchOperation, type OperationId } from '../rules/operation-ids.ts';
import type { Fault } from './faults.ts';

const zTime = z.number().min(0).max(maxDelay);
const zCount = z.int().min(1);

/**
 * Properties of a fault, with schema, meaning and default. The checks of the API and of control requests, the page, the
 * command and its configuration file, and the table in the guide come from this list.
 */
export const faultFields = {
  operation: {
    schema: z.custom<OperationId>(isOperationId, { error: ({ input }) => noSuchOperation(input) }),
    about: '`operationId` of the operation',
    without: 'any operation',
  },
  match: {
    schema: z.strictObject({
      method: z.string().optional(),
      path: z.string().optional(),
      parameters: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      body: z.unknown().optional(),
    }),
    about:
      'conditions: HTTP `method`, `path` (`*` means any characters), values of path `parameters`, a part of the JSON `body`',
    without: 'none',
  },
  nth: { schema: zCount, about: 'number of the first matching request that gets it', without: '1' },
  times: {
    schema: z.union([zCount, z.literal('always')]),
    about: "number of requests that get it, or `'always'` until it is removed",
    without: '1',
  },
  probability: {
    schema: z.number().gt(0).max(1),
    about: 'probability that a matching request gets it, above 0 and at most 1',
    without: '1',
  },
  randomSeed: {
    schema: z.int(),
    about: 'determines which requests get it, and how long it waits: the same seed gives the same sequence',
    without: 'its place in the list',
  },
  status: {
    schema: z.int().min(200).max(599),
    about: 'HTTP status of the response, instead of that of the operation, which is not run',
    without: 'the operation runs',
  },
  headers: {
    schema: z.record(z.string(), z.string()),
    about: 'headers of that response, such as `Retry-After`, except those that say how the body is sent',
    without: 'none',
  },
  body: { schema: z.unknown(), about: 'body of that response, sent as JSON', without: 'none' },
  text: {
    schema: z.string(),
    about: 'raw body of that response, such as the HTML of a gateway or truncated JSON',
    without: 'none',
  },
  delay: {
    schema: z.union([
      zTime,
      z.strictObject({ min: zTime, max: zTime }).refine(({ min, max }) => min <= max, 'min is not larger than max'),
    ]),
    about:
      'milliseconds before the response, one hour at most: a number, or `{ min, max }`, in which all are equally likely',
    without: '0',
  },
  delayAt: {
    schema: z.enum(['before', 'after']),
    about:
      "when the `delay` is: `'after'` the operation, so that a caller who does not wait has changed the data, or `'before'` it",
    without: "`'after'`",
  },
  slowBody: {
    schema: zTime,
    about: 'milliseconds over which the body of the response arrives, in ten parts',
    without: '0',
  },
  drop: {
    schema: z.enum(['before', 'after', 'during-body', 'after-body']),
    about:
      "resets the connection: `'before'` the request is processed, `'after'` that, without a response, `'during-body'` in the middle of the response, or `'after-body'` at the next request on the connection",
    without: 'never',
  },
} as const satisfies { [Field in keyof Required<Fault>]: FaultField<Fault[Field]> };

interface FaultField<Value> {
  schema: z.ZodType<Value>;
  about: string;
  without: string;
}

/** Describes each property of a fault as plain text. */
export function describeFaultFields(): Record<string, string> {
  const described = Object.entries(faultFields).map(([name, { about, without }]) => [
    name,
    `${about} (default: ${without})`.replaceAll('`', ''),
  ]);
  return Object.fromEntries(described);
}

/**
 * Says in one sentence what is wrong with a fault, and suggests the closest name for an unknown property.
 *
 * @param place - place of the fault, such as `faults[0]`
 */
export function explainFault({ issues }: Pick<z.ZodError, 'issues'>, place = 'fault'): string {
  const [issue] = issues;
  if (!issue) return '';
  const unknown = issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [];
  const problem = unknownName(unknown, Object.keys(faultFields), { one: 'property ', all: 'properties of a fault' });
  return `${[place, ...issue.path].join('.')}: ${problem ?? issue.message}`;
}

/** Schema of a fault. It rejects unknown properties, so that a misspelt condition is not ignored. */
export const zFault: z.ZodType<Fault> = z.strictObject(
  Object.fromEntries(Object.entries(faultFields).map(([name, { schema }]) => [name, schema.optional()])),
) as z.ZodType<Fault>;
