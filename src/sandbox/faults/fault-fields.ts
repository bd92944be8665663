import * as z from 'zod';
import type { OperationId } from '../../../generated/types.ts';
import { unknownName } from '../../shared/did-you-mean.ts';
import { maxDelay } from '../limits.ts';
import { isOperationId, noSuchOperation } from '../rules/operation-ids.ts';
import type { Fault } from './faults.ts';

const zTime = z.number().min(0).max(maxDelay);
const zCount = z.int().min(1);

/**
 * Properties of a fault, each with its schema, meaning and default. The API, control requests, the page, the command, its
 * configuration file and the table in the guide use this list.
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
      'conditions: HTTP `method`, `path` (`*` matches any characters), values of path `parameters`, part of the JSON `body`',
    without: 'none',
  },
  nth: { schema: zCount, about: 'which matching request is the first that the fault affects', without: '1' },
  times: {
    schema: z.union([zCount, z.literal('always')]),
    about: "number of requests that the fault affects, or `'always'` for every request until the fault is removed",
    without: '1',
  },
  probability: {
    schema: z.number().gt(0).max(1),
    about: 'probability that the fault affects a matching request, above 0 and at most 1',
    without: '1',
  },
  randomSeed: {
    schema: z.int(),
    about:
      'integer that determines which requests the fault affects and how long it delays them; the same seed gives the same sequence',
    without: 'position of the fault in the list',
  },
  status: {
    schema: z.int().min(200).max(599),
    about: 'HTTP status of a response that replaces the operation',
    without: 'the operation runs',
  },
  headers: {
    schema: z.record(z.string(), z.string()),
    about:
      'headers of the response that `status` produces, such as `Retry-After`, but not `Content-Length` or `Transfer-Encoding`',
    without: 'none',
  },
  body: { schema: z.unknown(), about: 'body of the response that `status` produces, sent as JSON', without: 'none' },
  text: {
    schema: z.string(),
    about: 'raw body of the response that `status` produces, such as HTML from a gateway or truncated JSON',
    without: 'none',
  },
  delay: {
    schema: z.union([
      zTime,
      z
        .strictObject({ min: zTime, max: zTime })
        .refine(({ min, max }) => min <= max, 'min must not be larger than max'),
    ]),
    about:
      'delay of the response in milliseconds, at most one hour: a number, or `{ min, max }` for a random delay, with all values equally likely',
    without: '0',
  },
  delayAt: {
    schema: z.enum(['before', 'after']),
    about:
      "whether the `delay` comes `'before'` or `'after'` the operation; with `'after'`, a request that the caller aborts has already changed the data",
    without: "`'after'`",
  },
  slowBody: {
    schema: zTime,
    about: 'duration of the response body in milliseconds; the body arrives in ten parts',
    without: '0',
  },
  drop: {
    schema: z.enum(['before', 'after', 'during-body', 'after-body']),
    about:
      "when to reset the connection: `'before'` the request is processed, `'after'` the request is processed but before the response, `'during-body'` partway through the response body, or `'after-body'` at the next request on the same connection",
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
 * Explains in one sentence why a fault is invalid, and suggests the closest name for an unknown property.
 *
 * @param place - location of the fault, such as `faults[0]`
 */
export function explainFault([issue]: readonly z.core.$ZodIssue[], place = 'fault'): string {
  if (!issue) return '';
  const unknown = issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [];
  const problem = unknownName(unknown, Object.keys(faultFields), { one: 'property ', all: 'properties of a fault' });
  return `${[place, ...issue.path].join('.')}: ${problem ?? issue.message}`;
}

/** Schema of a fault. It rejects unknown properties, so that a misspelt condition is not ignored. */
export const zFault: z.ZodType<Fault> = z.strictObject(
  Object.fromEntries(Object.entries(faultFields).map(([name, { schema }]) => [name, schema.optional()])),
) as z.ZodType<Fault>;
