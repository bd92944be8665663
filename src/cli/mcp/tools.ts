import type { ToolAnnotations } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Effect } from '../catalogue/index.ts';

/** Records of these tools have no other fields: a `confirm` that a model adds is refused. */
const describeInput = z.strictObject({
  methods: z.array(z.string()).max(20).optional(),
  // The other tools call it so: an agent tries this name here, too.
  method: z.string().optional(),
  words: z.string().optional(),
});

const view = {
  fields: z.array(z.string()).optional().describe('fields to keep, as a.b'),
  from: z.int().min(0).optional().describe('first item to show'),
};

const readInput = z.strictObject({
  method: z.string(),
  // `true`, because strict clients take an empty schema for a mistake.
  params: z.record(z.string(), z.unknown()).meta({ additionalProperties: true }).optional(),
  ...view,
});

const changeInput = readInput.extend({
  rehearse: z.enum(['sandbox', 'service']).optional(),
});

const runInput = z.strictObject({ program: z.string() });

export type RunInput = z.infer<typeof runInput>;
export type DescribeInput = z.infer<typeof describeInput>;
export type CallInput = z.infer<typeof changeInput>;

/** The tool that finds and describes methods. */
export const describeTool = {
  title: 'Describe methods',
  description: 'Parameters, limits, rules, errors and an example of methods; or find methods by words.',
  inputSchema: describeInput,
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const;

/** The tools that call methods, one for each effect, so that what their annotations say is true of each method. */
export const callTools: Record<
  Effect,
  {
    title: string;
    description: string;
    inputSchema: typeof changeInput | typeof readInput;
    annotations: ToolAnnotations;
  }
> = {
  read: {
    title: 'Read',
    description: 'Calls a method that only reads.',
    inputSchema: readInput,
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  write: {
    title: 'Write',
    description: 'Calls a + method, which creates or changes data.',
    inputSchema: changeInput,
    // An update replaces what was there.
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
  delete: {
    title: 'Delete',
    description: 'Calls a - method. The person is asked.',
    inputSchema: changeInput,
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
  send: {
    title: 'Send',
    description:
      'Calls a ! method, which reaches people or costs money. The person is asked. rehearse: "service" only checks a campaign.',
    inputSchema: changeInput,
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
};

/** The tool that runs a program, with the effects that its methods may have. */
export function runTool(effects: readonly Effect[]) {
  const isReading = effects.every((effect) => effect === 'read');
  const what = isReading ? 'methods that only read' : 'all methods; the person is asked as for delete and send';
  return {
    title: 'Run a program',
    description: `Runs JavaScript, the body of an async function: const { data } = await call('crm.deals.list', { limit: 5 }); return data.length; It has 10 seconds, and ${what}. Lists resolve to { data, nextOffset } if they have pages.`,
    inputSchema: runInput,
    annotations: { readOnlyHint: isReading, ...(!isReading && { destructiveHint: true }), openWorldHint: true },
  };
}
