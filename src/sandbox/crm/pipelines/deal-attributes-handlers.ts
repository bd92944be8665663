import type { DealAttribute } from '../../../../generated/crm/models.ts';
import { zDealAttribute } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../rules/context.ts';
import type { HandlerEntry, Handlers } from '../../rules/handler-types.ts';
import { newDefinition } from '../attribute-types.ts';
import { byOrder } from '../records.ts';
import type { StoredDealAttribute } from './deal-attributes.ts';
import { findPipeline } from './pipelines-handlers.ts';

/** Two operations return the same list. */
const definitions: HandlerEntry<{ path: { pipelineId: number } }, { data: DealAttribute[] }> = {
  list: { order: 'listed-by-order' },
  handle({ path }, context) {
    const { id } = findPipeline(context, path.pipelineId);
    const records = context.state.crm.dealAttributes.of(id).map(({ record }) => record);
    return { data: context.list(byOrder(records)) };
  },
};

/** @internal */
export const dealAttributeHandlers = {
  listPipelineAttributes: definitions,
  listDealAttributeDefinitions: definitions,

  createPipelineAttribute: {
    always: ['new-attribute'],
    handle({ path, body }, context) {
      const { id: pipelineId } = findPipeline(context, path.pipelineId);
      const record: DealAttribute = { ...context.fields(zDealAttribute), ...newDefinition(context, body) };
      context.state.crm.dealAttributes.put({ pipelineId, record });
      return { data: record };
    },
  },

  updatePipelineAttribute({ path, body }, context) {
    const { pipelineId, record: before } = findDefinition(context, path);
    const { type, options } = body;
    const isReshaped = (type !== undefined && type !== before.type) || options !== undefined;
    const record = context.overwrite(before, zDealAttribute);
    context.state.crm.dealAttributes.put({ pipelineId, record });
    if (isReshaped) context.chose('attribute-change-keeps-values');
    return { data: record };
  },

  deletePipelineAttribute: {
    always: ['values-follow-pipeline'],
    handle({ path }, context) {
      findDefinition(context, path);
      context.state.crm.dealAttributes.delete(path.attributeId);
    },
  },
} satisfies Partial<Handlers['crm']>;

function findDefinition(
  context: Context,
  path: { pipelineId: number; attributeId: number },
): Readonly<StoredDealAttribute> {
  const { id } = findPipeline(context, path.pipelineId);
  return context.state.crm.dealAttributes.find(id, path.attributeId) ?? context.notFound('attribute in this pipeline');
}
