import type { OperationModel } from '../../generate/model/operation-model.ts';
import { casesOf, type SampleCase } from '../../samples/cases.ts';
import { methodSample } from '../../samples/typescript.ts';
import type { JsonValue } from '../../spec/schema.ts';

/** How to cause a documented failure of an operation in a sandbox. */
interface Cause {
  /** Name of the example that is changed. @default the first */
  example?: string;
  /** Other values of parameters and fields. */
  change: Readonly<Record<string, JsonValue>>;
  /** Lines of the program before the call. */
  before?: string;
}

const system = 'systemTemplate';

/** By operation, then by error code or status. A test causes each, and finds documented failures without a cause. */
const causes: Readonly<Record<string, Readonly<Record<string, Cause>>>> = {
  createCampaign: {
    3084: { example: system, change: { template_id: 701 } },
    3085: { example: system, change: { variables: { name: 'Ann' } } },
    3086: { example: system, change: { recipients: [15550100123, 15550100131] } },
    3087: { example: system, change: { template_id: 702, variables: { number: '17' } } },
    3088: { example: system, change: { variables: { name: 'Ann', plan: 'https://shop.example.com/team' } } },
    3091: { example: system, change: { template_id: 799 } },
    3093: { example: system, change: { message: 'Your contract is ready.' } },
  },
  updateDeal: {
    422: {
      example: 'failed',
      change: {},
      before: `for (const { id } of await api.crm.pipelines.failReasons.list({ pipelineId: 1 })) {
  await api.crm.pipelines.failReasons.update({ pipelineId: 1, reasonId: id, isEnabled: false });
}
`,
    },
  },
  listPipelineFailReasons: { 404: { change: { pipelineId: 9999 } } },
  createPipelineFailReason: { 404: { change: { pipelineId: 9999 } }, 422: { change: { name: 'x'.repeat(256) } } },
  updatePipelineFailReason: { 404: { change: { reasonId: 9999 } }, 422: { change: { order: 0 } } },
  deletePipelineFailReason: { 404: { change: { reasonId: 9999 } } },
};

/** A program for each documented failure of an operation, by error code or status. */
export function failureSamples(operation: OperationModel): Map<string, string> {
  const found = Object.entries(causes[operation.operationId] ?? {});
  return new Map(found.map(([failure, cause]) => [failure, programOf(operation, cause)]));
}

function programOf(operation: OperationModel, { example, change, before = '' }: Cause): string {
  const cases = casesOf(operation);
  const [first] = cases;
  const shown = cases.find((one) => one.example === example) ?? first;
  const program = methodSample(changed(shown?.operation ?? operation, change));
  return program.replace('\n});\n\n', `\n});\n\n${before}`);
}

function changed(operation: SampleCase['operation'], change: Cause['change']): SampleCase['operation'] {
  const { parameters, body } = operation;
  const inPath = new Set(parameters.map(({ name }) => name));
  const fields = Object.fromEntries(Object.entries(change).filter(([name]) => !inPath.has(name)));
  const examples = Object.entries(body?.examples ?? {}).map(([name, one]) => [
    name,
    { ...one, value: { ...Object(one.value), ...fields } },
  ]);
  return {
    ...operation,
    parameters: parameters.map((one) => (one.name in change ? { ...one, example: change[one.name] } : one)),
    ...(body && { body: { ...body, examples: Object.fromEntries(examples) } }),
  };
}
