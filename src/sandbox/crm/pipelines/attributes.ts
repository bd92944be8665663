import { AttributeStatus, type DealAttribute } from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers, HandlerEntry } from '../../handler-types.ts';
import { byOrder, given, overwrite } from '../records.ts';
import { newId } from '../state.ts';
import { findPipeline } from './handlers.ts';

type Names =
  | 'listPipelineAttributes'
  | 'listDealAttributeDefinitions'
  | 'createPipelineAttribute'
  | 'updatePipelineAttribute'
  | 'deletePipelineAttribute';

/** Two operations return the same list. */
const definitions: HandlerEntry<{ path: { pipelineId: number } }, { data: DealAttribute[] }> = {
  list: { order: 'listed-by-order' },
  handle({ path }, context) {
    const { attributes } = findPipeline(context, path.pipelineId);
    return { data: context.list(byOrder(attributes.values())) };
  },
};

export const pipelineAttributeHandlers: Pick<CrmHandlers, Names> = {
  listPipelineAttributes: definitions,
  listDealAttributeDefinitions: definitions,

  createPipelineAttribute: {
    always: ['new-attribute'],
    handle({ path, body }, context) {
      const { attributes } = findPipeline(context, path.pipelineId);
      const { name, type, mandatory = false, options } = body;
      const definition: DealAttribute = {
        id: newId(context.state.crm),
        name,
        type,
        mandatory,
        ...given({ options }),
        status: AttributeStatus.Active,
      };
      attributes.set(definition.id, definition);
      return { data: definition };
    },
  },

  updatePipelineAttribute({ path, body }, context) {
    const definition = findDefinition(context, path);
    const { name, order, type, mandatory, status, options } = body;
    const isReshaped = (type !== undefined && type !== definition.type) || options !== undefined;
    overwrite(context, definition, { name, order, type, mandatory, status, options });
    if (isReshaped) context.chose('attribute-change-keeps-values');
    return { data: definition };
  },

  deletePipelineAttribute: {
    always: ['values-follow-pipeline'],
    handle({ path }, context) {
      findDefinition(context, path);
      findPipeline(context, path.pipelineId).attributes.delete(path.attributeId);
    },
  },
};

function findDefinition(
  context: Context,
  { pipelineId, attributeId }: { pipelineId: number; attributeId: number },
): DealAttribute {
  return (
    findPipeline(context, pipelineId).attributes.get(attributeId) ?? context.notFound('attribute in this pipeline')
  );
}
