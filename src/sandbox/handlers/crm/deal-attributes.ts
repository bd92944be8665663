import { AttributeStatus, type DealAttribute } from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { given, overwrite } from './fields.ts';
import { findPipeline, newId } from './references.ts';
import { listedByOrder } from './replies.ts';

type Names =
  | 'listPipelineAttributes'
  | 'listDealAttributeDefinitions'
  | 'createPipelineAttribute'
  | 'updatePipelineAttribute'
  | 'deletePipelineAttribute';

export const dealAttributeHandlers: Pick<CrmHandlers, Names> = {
  listPipelineAttributes: ({ path }, context) => definitions(context, path.pipelineId),

  listDealAttributeDefinitions: ({ path }, context) => definitions(context, path.pipelineId),

  createPipelineAttribute({ path, body }, context) {
    const { attributes } = findPipeline(context, path.pipelineId);
    const { name, type, mandatory = false, options } = body;
    const definition: DealAttribute = {
      id: newId(context),
      name,
      type,
      mandatory,
      ...given({ options }),
      status: AttributeStatus.Active,
    };
    attributes.set(definition.id, definition);
    context.chose('new-attribute');
    return { data: definition };
  },

  updatePipelineAttribute({ path, body }, context) {
    const definition = findDefinition(context, path);
    const { name, order, type, mandatory, status, options } = body;
    const isReshaped = (type !== undefined && type !== definition.type) || options !== undefined;
    overwrite(context, definition, { name, order, type, mandatory, status, options });
    if (isReshaped) context.chose('attribute-change-keeps-values');
    return { data: definition };
  },

  deletePipelineAttribute({ path }, context) {
    findDefinition(context, path);
    findPipeline(context, path.pipelineId).attributes.delete(path.attributeId);
    context.chose('values-follow-pipeline');
  },
};

function definitions(context: Context, pipelineId: number): { data: DealAttribute[] } {
  const { attributes } = findPipeline(context, pipelineId);
  return { data: listedByOrder(context, attributes.values()) };
}

function findDefinition(
  context: Context,
  { pipelineId, attributeId }: { pipelineId: number; attributeId: number },
): DealAttribute {
  return (
    findPipeline(context, pipelineId).attributes.get(attributeId) ?? context.notFound('attribute in this pipeline')
  );
}
