import type { FailReason, Pipeline } from '../../../../generated/crm/models.ts';
import { zPipeline } from '../../../../generated/crm/zod.ts';
import { newId } from '../../data/settings.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import type { AnyRule } from '../../rules/rules.ts';
import { byOrder } from '../records.ts';
import { defaultFailReasonName } from './fail-reasons.ts';

/** @internal */
export const pipelineHandlers = {
  listPipelines: {
    list: { order: 'listed-by-order', entry: ['facts-without-field-names'] },
    handle(_request, context) {
      return { data: context.list(byOrder(context.state.crm.pipelines.values())) };
    },
  },

  createPipeline: {
    always: ['new-pipeline-fail-reasons', 'facts-without-field-names'],
    handle(_request, context) {
      const { crm } = context.state;
      const pipeline: Pipeline = crm.pipelines.put({ ...context.fields(zPipeline), id: newId(crm) });
      const record: FailReason = { id: newId(crm), name: defaultFailReasonName, isEnabled: true };
      crm.failReasons.put({ pipelineId: pipeline.id, record, isDefault: true });
      return { data: pipeline };
    },
  },

  getPipeline: {
    always: ['facts-without-field-names'],
    handle({ path }, context) {
      return { data: findPipeline(context, path.pipelineId) };
    },
  },

  updatePipeline: {
    always: ['facts-without-field-names'],
    handle({ path }, context) {
      const pipeline = findPipeline(context, path.pipelineId);
      return { data: context.state.crm.pipelines.put(context.overwrite(pipeline, zPipeline)) };
    },
  },
} satisfies Partial<Handlers['crm']>;

/** Returns the parts of a pipeline, such as its steps, sorted by display order. */
export function listParts<PartRecord extends { order?: number }>(
  context: Context,
  parts: { of(pipelineId: number): readonly { readonly record: PartRecord }[] },
  pipelineId: number,
  rule?: AnyRule,
): PartRecord[] {
  const { id } = findPipeline(context, pipelineId, rule);
  return context.list(byOrder(parts.of(id).map(({ record }) => record)));
}

/** Returns a part of a pipeline, such as a step. The path contains the IDs of the pipeline and the part. */
export function findPart<Part>(
  context: Context,
  parts: { find(pipelineId: number, id: number): Part | undefined },
  path: { pipelineId: number; partId: number },
  what: string,
  rule?: AnyRule,
): Part {
  const { id } = findPipeline(context, path.pipelineId, rule);
  return parts.find(id, path.partId) ?? context.notFound(what, rule);
}

/** Returns the pipeline with the ID from the path. */
export function findPipeline(context: Context, pipelineId: number, rule?: AnyRule): Readonly<Pipeline> {
  return context.find(context.state.crm.pipelines, pipelineId, 'pipeline', rule);
}
