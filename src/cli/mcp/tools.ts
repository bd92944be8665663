import * as z from 'zod';
import type { Effect, Method } from '../catalogue/index.ts';
import { cutText } from '../text/cut-text.ts';
import { parseOrString } from '../text/parse-json.ts';

/** Maximum number of calls in a set. */
const maxCalls = 200;

/** Creates an input with exactly these fields, so a `confirm` that a model adds is invalid. */
function inputOf<Fields extends z.core.$ZodLooseShape>(fields: Fields) {
  return z.strictObject(fields, {
    error: ({ code, keys }) => {
      if (code !== 'unrecognized_keys' || !Array.isArray(keys)) return undefined;
      return `There is no parameter ${cutText(keys.join(', '), 200)}. Known parameters: ${Object.keys(fields).join(', ')}. Nothing was sent.`;
    },
  });
}

const describeInput = inputOf({
  methods: z.array(z.string()).max(20).optional(),
  // Other tools use this name, so agents also try it here.
  method: z.string().optional(),
  words: z.string().optional(),
});

const view = {
  fields: z.array(z.string()).optional().describe('fields to keep, such as a.b'),
  from: z.int().min(0).optional().describe('first item to show'),
};

/** Accepts objects and lists in a JSON string, because some clients send them in this form. */
function orJson<Schema extends z.core.$ZodType>(schema: Schema) {
  return z.preprocess((value) => (typeof value === 'string' ? parseOrString(value) : value), schema);
}

/** `additionalProperties` is `true`, because strict clients reject an empty schema. */
const params = orJson(z.looseObject({}).meta({ additionalProperties: true }));

const readFields = { method: z.string(), params: params.optional(), ...view };
const readInput = inputOf(readFields);

const changeInput = inputOf({
  ...readFields,
  calls: orJson(z.array(params).max(maxCalls)).optional(),
  rehearse: z.enum(['sandbox', 'service']).optional(),
  set: z.string().optional(),
});

export type DescribeInput = z.infer<typeof describeInput>;
export type CallInput = z.infer<typeof changeInput>;

/** The tool that finds and describes methods. */
export const describeTool = {
  title: 'Describe methods',
  description: 'Describes methods (parameters, limits, rules, errors and an example), or finds methods by words.',
  inputSchema: describeInput,
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const;

/** Title of each tool, and the first and last sentence of its description. */
const texts: Readonly<Record<Effect, readonly [title: string, beginning: string, end?: string]>> = {
  read: ['Read', 'Calls methods that only read'],
  write: ['Write', 'Calls methods that create or change data'],
  delete: ['Delete', 'Calls methods that delete or remove data'],
  send: ['Send', 'Calls methods that reach people or cost money', ' rehearse: "service" only checks a campaign.'],
};

/**
 * Creates the tool for the methods with one effect. Each effect has its own tool, so that the annotations apply to every
 * method.
 *
 * @param methods - methods of the tool; the description names their areas
 */
export function callTool(effect: Effect, methods: readonly Method[]) {
  const [title, beginning, end = ''] = texts[effect];
  const isRead = effect === 'read';
  return {
    title,
    description: `${beginning}: ${areasOf(methods)}.${end}`,
    inputSchema: isRead ? readInput : changeInput,
    // An update replaces data, so it is also destructive.
    annotations: { readOnlyHint: isRead, ...(!isRead && { destructiveHint: true }), openWorldHint: true },
  };
}

/** Lists the areas of methods, such as `crm pipelines, deals; email messages`. */
function areasOf(methods: readonly Method[]): string {
  const areas = new Map<string, Set<string>>();
  for (const { words } of methods) {
    const [product = '', area = ''] = words;
    areas.set(product, (areas.get(product) ?? new Set()).add(area));
  }
  return [...areas].map(([product, names]) => `${product} ${[...names].join(', ')}`).join('; ');
}
