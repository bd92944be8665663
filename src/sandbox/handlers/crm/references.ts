import type { Context } from '../../handler.ts';
import type { StoredContact, StoredDeal, StoredPipeline, StoredStep } from '../../state/crm.ts';

/** The next free ID. */
export function newId({ state }: Context): number {
  const id = state.crm.nextId;
  state.crm.nextId += 1;
  return id;
}

/** The deal that a path names. */
export function findDeal(context: Context, dealId: number): StoredDeal {
  return context.state.crm.deals.get(dealId) ?? context.notFound('deal');
}

/** The contact that a path names. */
export function findContact(context: Context, contactId: number): StoredContact {
  return context.state.crm.contacts.get(contactId) ?? context.notFound('contact');
}

/** The pipeline that a path names. */
export function findPipeline(context: Context, pipelineId: number): StoredPipeline {
  return context.state.crm.pipelines.get(pipelineId) ?? context.notFound('pipeline');
}

/** The pipeline and its step that a body names. */
export function knownPlace(
  context: Context,
  { pipelineId, stepId }: { pipelineId: number; stepId: number },
): { pipeline: StoredPipeline; step: StoredStep } {
  const pipeline = context.state.crm.pipelines.get(pipelineId) ?? unknown(context, `pipeline ${pipelineId}`);
  const step = pipeline.steps.get(stepId) ?? unknown(context, `step ${stepId} in pipeline ${pipelineId}`);
  return { pipeline, step };
}

/** The contacts that a body names. */
export function knownContacts(context: Context, ids: readonly number[]): StoredContact[] {
  return ids.map((id) => context.state.crm.contacts.get(id) ?? unknown(context, `contact ${id}`));
}

/** Refuses a team member who cannot be made responsible: one that is unknown, inactive or not invited. */
export function checkResponsible(context: Context, responsibleId: number): void {
  const { users } = context.state.crm;
  if (users.size === 0) {
    context.chose('no-team');
    return;
  }
  const user = users.get(responsibleId);
  if (!user?.isActive || !user.isInvited) {
    const message = `responsibleId is the ID of an active invited team member, which ${responsibleId} is not.`;
    context.refuse('users-are-assignable', { message });
  }
}

/** A record that a body names, and that is not there. */
export function unknown(context: Context, what: string): never {
  return context.refuseByChoice('unknown-reference', { message: `There is no ${what}.` });
}
