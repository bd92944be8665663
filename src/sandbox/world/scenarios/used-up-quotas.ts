import { behaviours } from '../../../../generated/behaviour.ts';
import type { Product } from '../../../../generated/products.ts';
import type { SandboxState } from '../../products/state.ts';

/** `operationId` of an operation with a documented quota. */
export type QuotaOperationId = { [Name in Product]: WithQuota<(typeof behaviours)[Name]> }[Product];

type WithQuota<Behaviours> = {
  [Id in keyof Behaviours]: Behaviours[Id] extends { quota: object } ? Id : never;
}[keyof Behaviours];

/**
 * For each operation with a quota, a function that uses up the quota. If a new operation lacks its function, this table does
 * not compile.
 */
const useUp: { readonly [Id in QuotaOperationId]: (state: SandboxState, now: number) => void } = {
  requestEmailResubscription({ email: { settings } }, now) {
    settings.set('resubscriptions', repeat(now, behaviours.email.requestEmailResubscription.quota.requests));
  },
  createPushCampaign({ messaging: { websites } }, now) {
    const campaignsCreated = repeat(now, behaviours.messaging.createPushCampaign.quota.requests);
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

/** Uses up the documented quotas of operations, as if the permitted number of requests had been sent at this moment. */
export function useUpQuotas(state: SandboxState, operations: readonly QuotaOperationId[], now: number): void {
  for (const operation of operations) useUp[operation](state, now);
}

function repeat(moment: number, count: number): number[] {
  return Array<number>(count).fill(moment);
}
