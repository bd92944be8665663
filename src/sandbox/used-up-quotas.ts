import type { crmReference } from '../../generated/crm/reference.ts';
import { emailReference } from '../../generated/email/reference.ts';
import { messagingReference } from '../../generated/messaging/reference.ts';
import type { SandboxState } from './state.ts';

type References = typeof crmReference & typeof messagingReference & typeof emailReference;

/** `operationId` of an operation with a documented quota. */
export type QuotaOperationId = {
  [Id in keyof References]: References[Id] extends { quota: object } ? Id : never;
}[keyof References];

/** Uses up the quota of an operation. A new operation with a quota does not compile without its entry. */
const useUp: { readonly [Id in QuotaOperationId]: (state: SandboxState, now: number) => void } = {
  requestEmailResubscription({ email: { settings } }, now) {
    settings.set('resubscriptions', repeat(now, emailReference.requestEmailResubscription.quota.requests));
  },
  createPushCampaign({ messaging: { websites } }, now) {
    const campaignsCreated = repeat(now, messagingReference.createPushCampaign.quota.requests);
    for (const website of [...websites.values()]) websites.put({ ...website, campaignsCreated });
  },
};

export function isQuotaOperationId(value: unknown): value is QuotaOperationId {
  return typeof value === 'string' && Object.hasOwn(useUp, value);
}

/** The operations with a documented quota. */
export function listQuotaOperationIds(): string[] {
  return Object.keys(useUp);
}

/** Records as many requests now as the documented quotas of operations permit. */
export function useUpQuotas(state: SandboxState, operations: readonly QuotaOperationId[], now: number): void {
  for (const operation of operations) useUp[operation](state, now);
}

function repeat(moment: number, count: number): number[] {
  return Array<number>(count).fill(moment);
}
