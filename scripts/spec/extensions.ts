import { z } from 'zod';
import { type MarkPoint, markPoints } from './marks.ts';
import { readPeople } from './people.ts';

const point = z.union([z.string(), z.object({ gap: z.string(), text: z.string() })]);
const mark = z.union([point, z.array(point)]).transform(markPoints);
const rule = z.object({ id: z.string(), text: z.string() });
const errorCode = z.object({ meaning: z.string() });
const pagination = z.object({
  in: z.enum(['query', 'body']),
  limit: z.string(),
  offset: z.string(),
  maximum: z.number().optional(),
  'x-inferred': mark.optional(),
});
const peopleGroup = z.object({
  field: z.string(),
  who: z.string(),
  count: z.union([z.object({ operation: z.string(), parameter: z.string(), result: z.string() }), z.literal('none')]),
});
const rateLimit = z.object({ requests: z.number(), seconds: z.number(), per: z.string() });

/** Schema of the project's extensions, as far as code reads them. */
const extensions = z.object({
  'x-source': z.string().optional(),
  'x-open': mark.optional(),
  'x-inferred': mark.optional(),
  'x-conflict': mark.optional(),
  'x-rules': z.array(rule).optional(),
  'x-errors': z.record(z.string(), errorCode).optional(),
  'x-effect': z.enum(['read', 'write', 'delete', 'send']).optional(),
  'x-undo': z.string().optional(),
  'x-shown-by': z.string().optional(),
  'x-people': z
    .array(z.union([z.string(), peopleGroup]))
    .transform(readPeople)
    .optional(),
  'x-opt-outs': z.object({ operation: z.string(), field: z.string() }).optional(),
  'x-sends-if': z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  'x-test-mode': z.string().optional(),
  'x-rate-limit': rateLimit.optional(),
  'x-pagination': z.union([pagination, z.literal('none').transform(() => undefined)]).optional(),
  'x-envelope': z.string().optional(),
});

/** Names of the extensions with a known form. */
export const extensionNames: readonly string[] = Object.keys(extensions.shape);

export type Extensions = z.infer<typeof extensions>;

/** Extensions that mark uncertain facts. */
export const markNames = ['x-open', 'x-inferred', 'x-conflict'] as const;
export type MarkName = (typeof markNames)[number];

export interface OpenPoint extends MarkPoint {
  mark: MarkName;
}

/** Every mark of an object of a spec, including those of its paging. */
export function readMarks(node: object, path: string[]): OpenPoint[] {
  const found = readExtensions(node, path);
  return markNames.flatMap((mark) => {
    const points = [...(found[mark] ?? []), ...((mark === 'x-inferred' && found['x-pagination']?.[mark]) || [])];
    return points.map((point) => ({ mark, ...point }));
  });
}

/** @throws `Error` with the place in the spec if an extension is malformed */
export function readExtensions(node: object, path: string[]): Extensions {
  const { data, error } = extensions.safeParse(node);
  if (data) return data;
  const pointer = path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const problems = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`#/${pointer} has an extension whose form differs from spec/README.md (${problems.join('; ')})`);
}
