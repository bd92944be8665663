import type { DealAttribute } from '../../../../generated/crm/models.ts';
import { zDealAttribute } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../rules/context.ts';
import type { HandlerEntry, Handlers } from '../../rules/handler-types.ts';
import { markReshaped, newDefinition } from '../attribute-types.ts';
import type { StoredDealAttribute } from './deal-attributes.ts';
import { findPart, findPipeline, listParts } from './pipelines-handlers.ts';

/** Handler of two operations that return the same list. */
const definitions: HandlerEntry<{ path: { pipelineId: number } }, { data: DealAttribute[] }> = {
  list: { order: 'listed-by-order' },
  handle: ({ path }, context) => ({ data: listParts(context, context.state.crm.dealAttributes, path.pipelineId) }),
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
    markReshaped(context, before, body);
    const record = context.overwrite(before, zDealAttribute);
    context.state.crm.dealAttributes.put({ pipelineId, record });
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
  { pipelineId, attributeId }: { pipelineId: number; attributeId: number },
): Readonly<StoredDealAttribute> {
  const place = { pipelineId, partId: attributeId };
  return findPart(context, context.state.crm.dealAttributes, place, 'attribute in this pipeline');
}
