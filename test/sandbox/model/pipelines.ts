import fc from 'fast-check';
import { expect } from 'vitest';
import { any, type Group, step, text } from './step.ts';
import { definitionOf, type } from './values.ts';
import { addNew, attempt, firstOf, type PipelineModel, pick, type World } from './world.ts';

interface Part {
  of: number;
  at: number;
}
const part: fc.Arbitrary<Part> = fc.record({ of: any, at: any });

/** A random pipeline and one of its parts, or unknown IDs. */
function find(
  { model }: World,
  { of, at }: Part,
  kind: 'steps' | 'failReasons' | 'attributes',
): { pipelineId: number; partId: number; pipeline: PipelineModel | undefined; isThere: boolean } {
  const pipelineId = pick(model.pipelines.keys(), of);
  const pipeline = model.pipelines.get(pipelineId);
  const parts = pipeline?.[kind] ?? new Map<number, unknown>();
  const partId = pick(parts.keys(), at);
  return { pipelineId, partId, pipeline, isThere: parts.has(partId) };
}

async function compare({ api, model }: World): Promise<void> {
  const { pipelines } = api.crm;
  expect(await pipelines.list()).toEqual([...model.pipelines.values()].map(({ record }) => record));
  for (const [pipelineId, { record, steps, failReasons, attributes }] of [...model.pipelines].slice(-2)) {
    expect(await pipelines.get({ pipelineId })).toEqual(record);
    expect(await pipelines.steps.list({ pipelineId })).toEqual([...steps.values()]);
    expect(await pipelines.failReasons.list({ pipelineId })).toEqual([...failReasons.values()]);
    expect(await pipelines.attributes.list({ pipelineId })).toEqual([...attributes.values()]);
  }
}

const createPipeline = step(
  'create a pipeline',
  text,
  async (world, name) => {
    let id = 0;
    await attempt(world, {
      send: () => world.api.crm.pipelines.create({ name }),
      accept: (record) => {
        expect(record).toEqual({ id: record.id, name });
        id = record.id;
      },
    });
    const [reason, ...others] = await world.api.crm.pipelines.failReasons.list({ pipelineId: id });
    if (!reason || others.length > 0) expect.fail('A new pipeline has one fail reason');
    expect(reason).toMatchObject({ isEnabled: true });
    const failReasons = new Map([[reason.id, reason]]);
    const parts = { steps: new Map(), attributes: new Map(), failReasons, ownReason: reason.id };
    addNew(world.model.pipelines, id, { record: { id, name }, ...parts });
  },
  compare,
);

const renamePipeline = step(
  'rename a pipeline',
  fc.tuple(any, text),
  async (world, [of, name]) => {
    const pipelineId = pick(world.model.pipelines.keys(), of);
    const pipeline = world.model.pipelines.get(pipelineId);
    await attempt(world, {
      against: firstOf(!pipeline && 'unknown-record'),
      send: () => world.api.crm.pipelines.update({ pipelineId, name }),
      accept: (record) => {
        if (pipeline) pipeline.record.name = name;
        expect(record).toEqual(pipeline?.record);
      },
    });
  },
  compare,
);

const createStep = step(
  'create a step',
  fc.tuple(any, text),
  async (world, [of, name]) => {
    const pipelineId = pick(world.model.pipelines.keys(), of);
    const pipeline = world.model.pipelines.get(pipelineId);
    await attempt(world, {
      against: firstOf(!pipeline && 'unknown-record'),
      send: () => world.api.crm.pipelines.steps.create({ pipelineId, name }),
      accept: (record) => {
        expect(record).toEqual({ id: record.id, name });
        if (pipeline) addNew(pipeline.steps, record.id, record);
      },
    });
  },
  compare,
);

const deleteStep = step(
  'delete a step',
  part,
  async (world, drawn) => {
    const { pipelineId, partId: stepId, pipeline, isThere } = find(world, drawn, 'steps');
    const isUsed = [...world.model.deals.values()].some(({ record }) => record.stepId === stepId);
    await attempt(world, {
      against: firstOf(!isThere && 'unknown-record', isUsed && 'step-with-deals'),
      send: () => world.api.crm.pipelines.steps.delete({ pipelineId, stepId }),
      accept: () => pipeline?.steps.delete(stepId),
    });
  },
  compare,
);

const createReason = step(
  'create a fail reason',
  fc.tuple(any, text),
  async (world, [of, name]) => {
    const pipelineId = pick(world.model.pipelines.keys(), of);
    const pipeline = world.model.pipelines.get(pipelineId);
    await attempt(world, {
      against: firstOf(!pipeline && 'fail-reasons-unknown-pipeline'),
      send: () => world.api.crm.pipelines.failReasons.create({ pipelineId, name }),
      accept: (record) => {
        expect(record).toEqual({ id: record.id, name, isEnabled: true });
        if (pipeline) addNew(pipeline.failReasons, record.id, record);
      },
    });
  },
  compare,
);

const switchReason = step(
  'switch a fail reason',
  fc.tuple(part, fc.boolean()),
  async (world, [drawn, isEnabled]) => {
    const { pipelineId, partId: reasonId, pipeline, isThere } = find(world, drawn, 'failReasons');
    const reason = pipeline?.failReasons.get(reasonId);
    await attempt(world, {
      against: firstOf(!isThere && 'fail-reason-unknown'),
      send: () => world.api.crm.pipelines.failReasons.update({ pipelineId, reasonId, isEnabled }),
      accept: (record) => {
        if (reason) reason.isEnabled = isEnabled;
        expect(record).toEqual(reason);
      },
    });
  },
  compare,
);

const deleteReason = step(
  'delete a fail reason',
  part,
  async (world, drawn) => {
    const { pipelineId, partId: reasonId, pipeline, isThere } = find(world, drawn, 'failReasons');
    await attempt(world, {
      against: firstOf(!isThere && 'fail-reason-unknown'),
      send: () => world.api.crm.pipelines.failReasons.delete({ pipelineId, reasonId }),
      accept: () => pipeline?.failReasons.delete(reasonId),
    });
  },
  compare,
);

const createAttribute = step(
  'define a deal attribute',
  fc.tuple(any, type),
  async (world, [of, chosen]) => {
    const pipelineId = pick(world.model.pipelines.keys(), of);
    const pipeline = world.model.pipelines.get(pipelineId);
    const { sent, shown } = definitionOf('Plan', chosen);
    await attempt(world, {
      against: firstOf(!pipeline && 'unknown-record'),
      send: () => world.api.crm.pipelines.attributes.create({ pipelineId, ...sent }),
      accept: (record) => {
        expect(record).toEqual({ id: record.id, ...shown });
        if (pipeline) addNew(pipeline.attributes, record.id, record);
      },
    });
  },
  compare,
);

const deleteAttribute = step(
  'delete a deal attribute',
  part,
  async (world, drawn) => {
    const { pipelineId, partId: attributeId, pipeline, isThere } = find(world, drawn, 'attributes');
    await attempt(world, {
      against: firstOf(!isThere && 'unknown-record'),
      send: () => world.api.crm.pipelines.attributes.delete({ pipelineId, attributeId }),
      accept: () => pipeline?.attributes.delete(attributeId),
    });
  },
  compare,
);

export const pipelineSteps: Group = {
  first: [createPipeline, createStep, createStep, createStep, createReason, createPipeline, createAttribute],
  steps: [
    ...[createPipeline, renamePipeline, createStep, createStep, createStep, deleteStep],
    ...[createReason, switchReason, switchReason, deleteReason, createAttribute, deleteAttribute],
  ],
  compare,
};
